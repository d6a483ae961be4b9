// The check of a tournament's shoe.

import "./frame.js";
import "../tournaments/shoe_proof.js";
