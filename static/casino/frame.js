// What the frame of every page does by itself. Each page works without it.

"use strict";

// How pages look and sound, at once; without this script the form does it and loads the page again.
document.addEventListener("submit", (event) => {
  const chosen = event.submitter;
  if (!event.target.classList.contains("preference") || !chosen) return;
  event.preventDefault();
  const { name, value } = chosen;
  document.documentElement.dataset[name] = value;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`;
  for (const button of document.querySelectorAll(`.preference [name="${name}"]`)) {
    button.setAttribute("aria-pressed", String(button.value === value));
  }
  if (name === "sounds") document.dispatchEvent(new CustomEvent("sound", { detail: "turn" }));
});

// What went wrong is said where messages stand, whichever part of the page had asked.
function say(words) {
  const place = document.getElementById("messages");
  const message = document.createElement("p");
  message.className = "message error";
  message.textContent = words;
  place.replaceChildren(message);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  // A refusal by the frame says itself where it belongs; other faults come from outside the house.
  if (event.detail.xhr.getResponseHeader("HX-Retarget")) event.detail.shouldSwap = true;
});
document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  if (xhr.status >= 500 && !xhr.getResponseHeader("HX-Retarget")) {
    say(document.getElementById("messages").dataset.fault);
  }
});
document.addEventListener("htmx:sendError", () => {
  say(document.getElementById("messages").dataset.lost);
});

// What somebody has typed or ticked stays while the rest of the page is renewed around it, as long
// as it is about the same thing. What the server was asked to fill in replaces it.
const renewing = window.Idiomorph?.defaults.callbacks;
if (renewing) {
  renewing.beforeNodeMorphed = (old, fresh) => {
    const kept = old.dataset?.keep;
    return !(kept && kept === fresh.dataset?.keep && !("fill" in fresh.dataset));
  };
  // What is open stays open.
  renewing.beforeAttributeUpdated = (name, element) => !(name === "open" && element.tagName === "DETAILS");
}
