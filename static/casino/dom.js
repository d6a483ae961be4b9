// Short names for what all scripts do often.

export const root = document.documentElement;
/** @returns {any} What has an id is an element of any kind. */
export const byId = (id) => document.getElementById(id);
/** @type {(selector: string, within?: ParentNode) => any[]} */
export const every = (selector, within = document) => [...within.querySelectorAll(selector)];
// No motion is wanted.
export const still = () =>
  root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
// Events, with spaces between.
export const on = (events, answer, first = false) =>
  events.split(" ").forEach((one) => document.addEventListener(one, answer, first));
export const dispatch = (event, detail) =>
  document.dispatchEvent(new CustomEvent(event, { detail }));
// Stop what is done, or not meant.
export function cancel(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
// Keys that are pressed for the browser.
export const isCommand = (event) => event.ctrlKey || event.metaKey || event.altKey;
