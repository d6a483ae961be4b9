// Tables of a family without scripts of its own.

import "../table.js";
