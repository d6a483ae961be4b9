// What the frame of every page does by itself. Each page works without it.

import { byId, on } from "./dom.js";
import "./preferences.js";
import "./settled.js";
import "./stream.js";

// Failures show among the messages until the next action. When the connection is back, a lost action is
// reported; a lost request of the page itself is forgotten.
const isOwn = ({ requestConfig: { verb, triggeringEvent } }) =>
  verb === "get" && !triggeringEvent?.isTrusted;
let passing = false;
let lost = false;

const clear = () => byId("messages").replaceChildren();

function say(what) {
  const place = byId("messages");
  if (place.textContent.trim() === place.dataset[what]) return;
  place.innerHTML = '<p class="message error"></p>';
  place.firstChild.textContent = place.dataset[what];
}

const saysItself = (xhr) => xhr.getResponseHeader("HX-Retarget");

function answered() {
  if (lost) say("back");
  else if (passing) clear();
  lost = passing = false;
}

on("htmx:beforeRequest", ({ detail }) => {
  if (isOwn(detail)) return;
  lost = false;
  clear();
});
on("htmx:beforeSwap", ({ detail }) => {
  // A refusal by the frame is its own message, in its place; other faults come from outside the house.
  if (saysItself(detail.xhr)) detail.shouldSwap = true;
});
on("htmx:afterOnLoad", ({ detail }) => {
  if (detail.xhr.status < 500) return answered();
  if (!saysItself(detail.xhr)) say("fault");
  passing = isOwn(detail);
});
on("htmx:sendError htmx:timeout", ({ detail }) => {
  passing = isOwn(detail);
  lost ||= !passing;
  say(lost ? "lost" : "away");
});
// A reopened stream may have no news, and the page may not send anything else for a long time.
on("stream-open", answered);

// Input survives an update as long as it is for the same thing. A value that the player asked the server
// to fill in replaces it. `data-same` stands for what is there.
const renewing = Idiomorph.defaults.callbacks;
renewing.beforeNodeMorphed = (old, fresh) => {
  if ("same" in (fresh.dataset ?? {})) return false;
  const kept = old.dataset?.keep;
  return !(kept && kept === fresh.dataset?.keep && !("fill" in fresh.dataset));
};
// What is open stays open.
renewing.beforeAttributeUpdated = (name, element) =>
  !(name === "open" && element.tagName === "DETAILS");
