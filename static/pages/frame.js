// Every page.

import "../casino/frame.js";
import "../casino/app.js";
