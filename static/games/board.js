// What the board says of itself, and how it is fetched anew.

import { byId } from "../casino/dom.js";

export const state = () => ({ ...byId("shoe").dataset });
export const renew = () => htmx.trigger("#board", "renew");
