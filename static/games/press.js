// A press counts where the player has seen what it answers. Under a pressed pointer the board keeps still,
// because a press counts only where it goes down and up on the same button; and what has been on the screen
// for less than a moment takes none.

import { byId, cancel, dispatch, isCommand, on } from "../casino/dom.js";
import { settlesAfter } from "../casino/settled.js";
import { renew, state } from "./board.js";

// The click comes just after the pointer is up, for a finger as an event of its own.
const CLICK_COMES_MS = 50;
// Where a menu of the browser opens, the pointer may never be heard to come up.
const HELD_MAX_MS = 2000;
// No player reacts more quickly.
const MOMENT_MS = 200;
const DECIDING = ".forms button:not([type=button]), #between button";

let pressed = false;
export const isPressed = () => pressed;
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
  dispatch("released");
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

// While bets are placed each bet is a turn, and no new decision.
let last;
let since;
on("htmx:afterSwap DOMContentLoaded", () => {
  const { hand, turn, decision, after } = state();
  const shown = [hand, decision && turn, decision, after].join();
  if (shown !== last) since = performance.now();
  last = shown;
});
export const isSeen = (at = performance.now()) => at - since >= MOMENT_MS;
settlesAfter(() => !isSeen());

// A click counts from the press that began it; one of a screen reader has none.
let began = 0;
on("pointerdown keydown", ({ timeStamp }) => (began = timeStamp), true);
on(
  "click",
  (event) => {
    const { isTrusted, target, timeStamp } = event;
    const from = timeStamp - began < HELD_MAX_MS ? began : timeStamp;
    if (isTrusted && target.closest(DECIDING) && !isSeen(from)) cancel(event);
  },
  true,
);

// A new form without its handler would leave the page. What htmx has taken is prevented by then.
const dropsUntaken = (event, sends) =>
  sends && !event.defaultPrevented && event.target.closest("#board") && cancel(event);
on("submit", (event) => {
  const { target, submitter } = event;
  dropsUntaken(event, target.matches("[hx-post]") || submitter?.matches("[hx-post]"));
});
on("click", (event) => dropsUntaken(event, event.target.closest("a[hx-get]") && !isCommand(event)));
