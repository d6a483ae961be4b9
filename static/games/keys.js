// Keys that press buttons of the console, and the list of them.

import { byId, cancel, on } from "../casino/dom.js";

on("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (target.closest("input, select, textarea, [contenteditable]")) return;
  if (key === "?") return byId("keys").togglePopover();
  const button =
    /^[a-z]$/i.test(key) && document.querySelector(`.moves [data-key=${key.toUpperCase()}]`);
  if (!button) return;
  cancel(event);
  button.click();
});
