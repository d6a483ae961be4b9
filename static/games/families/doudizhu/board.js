// Dou Dizhu: cards are chosen by tap, swipe and key; the server names them and says whether they can be
// played.

import { byId, every, isCommand, on } from "../../../casino/dom.js";
import { recall, remember } from "../../../casino/preferences.js";
import { settlesAfter } from "../../../casino/settled.js";
import { isSeen } from "../../press.js";
import { ask } from "../../server.js";

const picks = () => every("#my-cards .pick input");
const chosen = () => picks().filter((pick) => pick.checked);
const names = () =>
  chosen()
    .map((pick) => `${pick.value} `)
    .join("");

// What the chosen cards are; without cards, what must be beaten.
let asking = 0;
settlesAfter(() => byId("reading") && names() !== byId("reading").dataset.of);

function read() {
  const reading = byId("reading");
  if (!reading) return;
  clearTimeout(asking);
  if (names() !== reading.dataset.of) {
    reading.removeAttribute("data-playable");
    reading.removeAttribute("data-pass");
    asking = setTimeout(() => judge(reading, names()), 60);
  }
  for (const play of every("#act-play button"))
    play.ariaDisabled = !("playable" in reading.dataset);
}

async function judge(reading, of) {
  const judged = await ask(
    reading.dataset.ask,
    chosen().map((pick) => ["cards", pick.value]),
  );
  if (!reading.isConnected || of !== names()) return;
  // Without an answer the player may try: the server judges each play again.
  reading.textContent = judged?.reason || judged?.words;
  reading.dataset.of = of;
  reading.toggleAttribute("data-playable", judged?.playable ?? true);
  read();
}

// Tap and swipe: each card that is passed over is turned once, as the first was.
let swipe = null;

const pickOf = (target) => target?.closest("#my-cards .pick")?.querySelector("input");

function turn(pick) {
  if (!pick || swipe.done.has(pick)) return;
  swipe.done.add(pick);
  pick.checked = swipe.to;
  read();
}

on("pointerdown", ({ target, button }) => {
  const pick = pickOf(target);
  if (pick && !button) {
    swipe = { to: !pick.checked, done: new Set() };
    turn(pick);
  } else if (
    target.closest("#round, #moves") &&
    !target.closest("a, button, input, label, summary, [popover], .picks")
  ) {
    putBack();
  }
});
on(
  "pointermove",
  ({ buttons, clientX, clientY }) =>
    swipe && buttons && turn(pickOf(document.elementFromPoint(clientX, clientY))),
);
on("pointerup pointercancel", (_, over = swipe) =>
  setTimeout(() => {
    if (swipe === over) swipe = null;
  }),
);
// The click that follows is done already; one from a key alone is the browser's.
on("click", (event) => swipe && pickOf(event.target) && event.preventDefault());
on("change", ({ target }) => target.closest("#my-cards") && read());

// Arrows move along the hand, Space chooses, Enter plays.
on("keydown", (event) => {
  const all = picks();
  if (!all.length || isCommand(event)) return;
  const here = document.activeElement;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const plays = event.key === "Enter" && all.includes(here);
  if (step && (all.includes(here) || !here.matches("a, button, input"))) {
    all[all.indexOf(here) + step]?.focus();
  } else if (plays) {
    if (!event.repeat && isSeen(event.timeStamp)) every("#act-play button")[0]?.click();
  } else return;
  event.preventDefault();
});

// The part that counts down passes by itself.
const cancelPassing = () => every(".passing").forEach((part) => part.remove());

on("click", ({ target }) => target.id === "stay" && cancelPassing());
on("change", ({ target }) => {
  if (target.id !== "passes") return;
  remember("passes", target.checked ? "on" : "off");
  if (!target.checked) cancelPassing();
});

const putBack = () => {
  for (const one of chosen()) one.checked = false;
  read();
};
on("click", ({ target }) => target.closest("#clear") && putBack());

// The panel beside the table shows what the board shows, and a note where the board shows nothing:
// a hand that is still called is worth nothing yet.
function copy(from) {
  const copied = byId(from)?.querySelector("dl, .out")?.parentNode.cloneNode(true);
  copied?.querySelector("summary")?.remove();
  byId(`${from}-copy`)?.replaceChildren(...(copied?.childNodes ?? []));
  const none = byId(`${from}-none`);
  if (none) none.hidden = Boolean(copied);
}

on("table", () => {
  const passes = byId("passes");
  if (passes) passes.checked = recall("passes") === "on";
  if (!passes?.checked) cancelPassing();
  read();
  copy("counter");
  copy("worth");
});
