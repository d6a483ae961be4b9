// Keys that press buttons, and the list of them. Keys do nothing while the player types.

import { byId, cancel, every, isCommand, on } from "../casino/dom.js";
import { isSeen } from "./press.js";

const TYPED = "select, textarea, [contenteditable], input:not([type=radio], [type=checkbox])";
const STEPS = { "+": 1, "=": 1, "-": -1 };
const usable = (one) => !one.disabled && one.checkVisibility();

// A decision goes before bets for the next round, which may lie beside it.
const buttonOf = (key) =>
  [".forms", "#moves", "#round"]
    .flatMap((where) => every(`${where} [data-key="${key.toUpperCase()}"]`))
    .find(usable);

// The next larger or smaller chip.
function chipAt(step) {
  const chips = every("#rack input").filter(usable);
  return step && chips[chips.findIndex(({ checked }) => checked) + step];
}

on("keydown", (event) => {
  const { key, target } = event;
  if (isCommand(event) || event.repeat || target.closest(TYPED)) return;
  if (key === "?") return byId("keys").togglePopover();
  const pressed = /^[a-z0-9]$/i.test(key) ? buttonOf(key) : chipAt(STEPS[key]);
  if (!pressed) return;
  cancel(event);
  if (isSeen(event.timeStamp)) pressed.click();
});
