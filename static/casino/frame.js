// What the frame of every page does by itself, and short names for what all scripts do often. Each
// page works without it.

"use strict";

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const every = (selector, within = document) => [...within.querySelectorAll(selector)];
// Several happenings are told with spaces between them.
const on = (happenings, answer, first = false) => happenings.split(" ").forEach((one) => document.addEventListener(one, answer, first));
const tell = (happening, detail) => document.dispatchEvent(new CustomEvent(happening, { detail }));
// What has been done, or is not meant, goes no further.
function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
// Keys that are pressed for the browser.
const isCommand = (event) => event.ctrlKey || event.metaKey || event.altKey;
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

function remember(name, value) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`;
}

// How pages look and sound, at once; without this script the form does it and loads the page again.
on("submit", (event) => {
  const chosen = event.submitter;
  if (!event.target.classList.contains("preference") || !chosen) return;
  event.preventDefault();
  const { name, value } = chosen;
  root.dataset[name] = value;
  remember(name, value);
  for (const button of every(`.preference [name="${name}"]`)) button.ariaPressed = button.value === value;
  if (name === "sounds") tell("sound", "turn");
});

// What went wrong is said where messages stand, whichever part of the page had asked. It goes when
// one does something again; what the page had asked by itself goes as soon as anything is answered.
const isOwn = ({ requestConfig: { verb, triggeringEvent } }) => verb === "get" && !triggeringEvent?.isTrusted;
let passing = false;

const clear = () => byId("messages").replaceChildren();

function say(what) {
  const place = byId("messages");
  if (place.textContent.trim() === place.dataset[what]) return;
  place.innerHTML = '<p class="message error"></p>';
  place.firstChild.textContent = place.dataset[what];
}

const saysItself = (xhr) => xhr.getResponseHeader("HX-Retarget");

on("htmx:beforeRequest", ({ detail }) => isOwn(detail) || clear());
on("htmx:beforeSwap", ({ detail }) => {
  // A refusal by the frame says itself where it belongs; other faults come from outside the house.
  if (saysItself(detail.xhr)) detail.shouldSwap = true;
});
on("htmx:afterOnLoad", ({ detail }) => {
  const broken = detail.xhr.status >= 500;
  if (passing && !broken) clear();
  if (broken && !saysItself(detail.xhr)) say("fault");
  passing = broken && isOwn(detail);
});
on("htmx:sendError htmx:timeout", ({ detail }) => {
  passing = isOwn(detail);
  say(passing ? "away" : "lost");
});

// What somebody has typed or ticked stays while the rest of the page is renewed around it, as long
// as it is about the same thing. What the server was asked to fill in replaces it.
const renewing = Idiomorph.defaults.callbacks;
renewing.beforeNodeMorphed = (old, fresh) => {
  const kept = old.dataset?.keep;
  return !(kept && kept === fresh.dataset?.keep && !("fill" in fresh.dataset));
};
// What is open stays open.
renewing.beforeAttributeUpdated = (name, element) => !(name === "open" && element.tagName === "DETAILS");
