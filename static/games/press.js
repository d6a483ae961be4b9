// Under a pressed pointer the board keeps still, because a press counts only where it goes down and up on
// the same button.

import { byId, on } from "../casino/dom.js";
import { settlesAfter } from "../casino/settled.js";
import { renew } from "./board.js";

// The click comes just after the pointer is up, for a finger as an event of its own.
const CLICK_COMES_MS = 50;
// Where a menu of the browser opens, the pointer may never be heard to come up.
const HELD_MAX_MS = 2000;

let pressed = false;
let missed = false;
let stopped = [];
settlesAfter(() => pressed);

const moving = () =>
  byId("board")
    .getAnimations({ subtree: true })
    .filter(({ playState }) => playState === "running");

function release() {
  pressed = false;
  // A tap ends the showing of a result.
  for (const motion of stopped.splice(0)) motion.finish();
  if (missed) renew();
  missed = false;
}

let releasing;
function releaseAfter(milliseconds) {
  clearTimeout(releasing);
  releasing = setTimeout(release, milliseconds);
}

on("pointerdown", () => {
  pressed = true;
  const now = moving();
  for (const motion of now) motion.pause();
  stopped.push(...now);
  releaseAfter(HELD_MAX_MS);
});
on("pointerup pointercancel", () => releaseAfter(CLICK_COMES_MS));
// A key ends motions at once.
on("keydown", () => moving().forEach((motion) => motion.finish()));

// News, which the board itself requests, waits. What the player has requested does not.
export function isHeldBack({ requestConfig }) {
  const waits = pressed && requestConfig.elt.id === "board";
  missed ||= waits;
  return waits;
}
