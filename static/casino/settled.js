// The root has `data-settled`, with the version of the table that the page shows, while no request is under
// way and nothing moves. Scripts add what else to wait for.

import { byId, every, on, root } from "./dom.js";

const LOOK_MS = 40;
// Longer motions, such as bubbles of the chat, are beside all controls.
const MOVES_MAX_MS = 4000;

const pending = new Set();
let leaves = false;
const moves = ({ playState, effect }) =>
  playState === "running" && effect.getComputedTiming().endTime < MOVES_MAX_MS;
const waits = [
  () => leaves || pending.size || document.readyState !== "complete",
  () => every(".htmx-swapping, .htmx-settling").length,
  () => document.getAnimations().some(moves),
];
export const settlesAfter = (wait) => waits.push(wait);

let timer;
function look() {
  delete root.dataset.settled;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (waits.some((wait) => wait())) look();
    else root.dataset.settled = byId("shoe")?.dataset.version ?? "";
  }, LOOK_MS);
}

// The page has not settled before this work is done.
export function during(work) {
  pending.add(work);
  look();
  return work.finally(() => pending.delete(work));
}

on("htmx:beforeSend", ({ detail: { xhr } }) =>
  during(new Promise((done) => xhr.addEventListener("loadend", done))),
);
on("pointerdown pointerup keydown click change input parts", look, true);
addEventListener("beforeunload", () => ((leaves = true), look()));
addEventListener("pageshow", () => ((leaves = false), look()));
look();
