// Tables of hold'em.

import "../table.js";
