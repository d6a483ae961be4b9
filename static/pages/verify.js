// The check of a record that a reader brings.

import "./frame.js";
import "../games/proof.js";
