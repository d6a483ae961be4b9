// Short names for what all scripts do often.

export const root = document.documentElement;
export const byId = (id) => document.getElementById(id);
export const every = (selector, within = document) => [...within.querySelectorAll(selector)];
// Neither the device nor the player wants motion.
export const still = () =>
  root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
// Several events stand with spaces between.
export const on = (events, answer, first = false) =>
  events.split(" ").forEach((one) => document.addEventListener(one, answer, first));
export const dispatch = (event, detail) =>
  document.dispatchEvent(new CustomEvent(event, { detail }));
// What has been done, or is not meant, goes no further.
export function cancel(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
// Keys that are pressed for the browser.
export const isCommand = (event) => event.ctrlKey || event.metaKey || event.altKey;
