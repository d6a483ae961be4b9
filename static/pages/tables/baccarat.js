// Tables of baccarat.

import "../table.js";
import "../../games/betting.js";
import "../../games/families/baccarat/board.js";
