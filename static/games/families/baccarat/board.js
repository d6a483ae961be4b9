// Baccarat: the public cards of a coup are turned one by one; those of the player's side are pulled from
// a cover. The road maps follow when all lie open.

import { byId, every, on, root, still } from "../../../casino/dom.js";
import { settlesAfter } from "../../../casino/settled.js";
import { state } from "../../board.js";
import { secondsTo } from "../../clock.js";
import { refocus } from "../../focus.js";

const STEP_MS = 300;
const PULLED = 0.7;
const mapAnew = () => htmx.trigger("#roads", "renew");
const later = (deed, milliseconds) => timers.push(setTimeout(deed, milliseconds));
// The coup, or else the shoe, seen last.
let known = null;
let waiting = [];
let timers = [];
settlesAfter(() => every("#coup .next:not(.pull)").length);

function look() {
  const coup = byId("coup");
  const round = coup?.dataset.keep || state().dealt;
  if (round === known) return;
  if (coup && known !== null && !still()) cover();
  else showAll();
  known = round;
}

function cover() {
  uncover();
  waiting = every("#coup .slot").sort((one, other) => one.dataset.order - other.dataset.order);
  waiting.forEach((slot) => slot.classList.add("down"));
  root.classList.add("revealing");
  // One moment for all who look.
  const end = byId("squeeze")?.dataset.deadline;
  later(showAll, end ? secondsTo(end) * 1000 : 5000);
  turnNext();
}

function turnNext() {
  const [slot] = waiting;
  slot?.classList.add("next");
  if (!slot) showAll();
  else if (!slot.matches(".pull")) later(() => turn(slot), STEP_MS);
}

const open = ({ classList }) => classList.remove("down", "next", "held");

function turn(slot) {
  if (!waiting.includes(slot)) return;
  open(slot);
  waiting = waiting.filter((one) => one !== slot);
  if (!every("#coup .next").length) turnNext();
}

function uncover() {
  timers.forEach(clearTimeout);
  timers = [];
  waiting = [];
  every("#coup .slot").forEach(open);
  root.classList.remove("revealing");
}

function showAll() {
  uncover();
  mapAnew();
}

let held = null;

on("pointerdown", ({ target, clientX, clientY }) => {
  const slot = target.closest(".pull.down");
  held = slot && { slot, x: clientX, y: clientY, share: 0 };
  slot?.classList.add("held");
});
on("pointermove", ({ clientX, clientY }) => {
  if (!held) return;
  held.share = Math.min(1, Math.hypot(clientX - held.x, clientY - held.y) / held.slot.offsetHeight);
  held.slot.style.setProperty("--pulled", `${held.share * 100}%`);
});
on("pointerup pointercancel", ({ type }) => {
  if (!held) return;
  const { slot, share } = held;
  held = null;
  slot.classList.remove("held");
  slot.style.removeProperty("--pulled");
  // A tap turns a card, too.
  if (type === "pointerup" && (share > PULLED || share < 0.1)) turn(slot);
});
on("click", ({ target }) => {
  if (!target.closest("#show button")) return;
  showAll();
  refocus(target);
});
// Busy houses refuse looks.
on("htmx:responseError", ({ target }) => target.id === "roads" && later(mapAnew, 3000));
// Before paint.
on("htmx:afterSwap DOMContentLoaded", look);
