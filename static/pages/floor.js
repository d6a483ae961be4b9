// The floor of the back office.

import "./office.js";
import "../backoffice/floor.js";
