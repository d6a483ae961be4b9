// The page of a tournament.

import "./frame.js";
import "../tournaments/event.js";
import "../tournaments/mixing.js";
import "../games/sounds.js";
