// Tables of blackjack and of poker against the house.

import "../table.js";
import "../../games/betting.js";
