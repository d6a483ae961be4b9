// The cash desk.

import "./office.js";
import "../backoffice/desk.js";
