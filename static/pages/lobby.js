// Lists of tables and of tournaments.

import "./frame.js";
import "../tournaments/rows.js";
