// Tables of Dou Dizhu.

import "../table.js";
import "../../games/families/doudizhu/board.js";
