// The control room of a tournament.

import "./office.js";
import "../tournaments/control.js";
