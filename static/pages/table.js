// Every table.

import "./frame.js";
import "../games/evidence.js";
import "../games/table.js";
import "../games/keys.js";
import "../games/sounds.js";
import "../games/chat.js";
import "../casino/turn.js";
import "../tournaments/heading.js";
