// A hand that is over.

import "./frame.js";
import "../games/replay.js";
import "../games/evidence.js";
import "../games/proof.js";
import "../games/copying.js";
