// The focus stays. If its element is gone, keys continue at the next control; without one, and for touch,
// it waits at the words that say whose turn it is.

import { byId, every, on } from "../casino/dom.js";

let byKeys = false;
on("pointerdown keydown", ({ type }) => (byKeys = type === "keydown"));

export function refocus(was) {
  const here = document.activeElement;
  const usable = (one) => !one.disabled && one.checkVisibility({ visibilityProperty: true });
  const turn = byId("turn");
  if (!was || ![was, document.body].includes(here)) return;
  const comes = (one) =>
    byKeys && usable(one) && (!was.isConnected || was.compareDocumentPosition(one) & 4);
  const next = every("#moves :is(a, button, input):not(.beside-turn *)").find(comes) || turn;
  (usable(was) && was !== turn ? was : next).focus();
}
