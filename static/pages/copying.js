// A page with a link to send.

import "./frame.js";
import "../games/copying.js";
