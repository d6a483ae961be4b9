// Tables of the games of thirteen cards.

import "../table.js";
import "../../games/families/thirteen/board.js";
