// A hand in the back office.

import "./office.js";
import "../games/replay.js";
