// Every page of the back office.

import "../backoffice/frame.js";
import "../backoffice/charts.js";
