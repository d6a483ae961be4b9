// Signing in with a passkey, and adding one.

import "./frame.js";
import "../casino/passkeys.js";
