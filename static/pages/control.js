// The control room of a tournament.

import "./office.js";
import "../backoffice/control.js";
