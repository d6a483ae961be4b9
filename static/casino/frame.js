// What the frame of every page does by itself. Each page works without it.

import { byId, on } from "./dom.js";
import "./preferences.js";

// What went wrong is said where messages stand, whichever part of the page had asked. It goes when
// one does something again. When the line is back that is said of what one had done without it; what
// the page had asked by itself goes then.
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
  // A refusal by the frame says itself where it belongs; other faults come from outside the house.
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
// A stream that is open again may have nothing new to tell, and nothing else may be asked for long.
on("htmx:sseOpen", answered);

// What somebody has typed or ticked stays while the rest of the page is renewed around it, as long
// as it is about the same thing. What the server was asked to fill in replaces it.
const renewing = Idiomorph.defaults.callbacks;
renewing.beforeNodeMorphed = (old, fresh) => {
  const kept = old.dataset?.keep;
  return !(kept && kept === fresh.dataset?.keep && !("fill" in fresh.dataset));
};
// What is open stays open.
renewing.beforeAttributeUpdated = (name, element) =>
  !(name === "open" && element.tagName === "DETAILS");
