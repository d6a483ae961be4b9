// Baccarat: the cards of a coup, which everybody may see by now, are turned one by one; those of the
// side one has backed can be pulled from under their cover. The road maps follow when all lie open.

"use strict";

{
  const STEP_MS = 450;
  const PULLED = 0.7;
  const slots = (side) => every(`#coup .${side} .slot`);
  const later = (deed, milliseconds) => timers.push(setTimeout(deed, milliseconds));
  // The coup that was there last; null before the first look.
  let known = null;
  let waiting = [];
  let timers = [];

  function look() {
    const coup = byId("coup");
    const round = coup?.dataset.keep || "";
    if (round === known) return;
    uncover();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (round && known !== null && !still) cover(coup.dataset.backed);
    else renewRoads();
    known = round;
  }

  function cover(backed) {
    const [player, banker] = [slots("player"), slots("banker")];
    const own = backed ? slots(backed) : [];
    // The other side's cards are turned before one's own, and third cards when all four lie open.
    const two = [player[0], banker[0], player[1], banker[1]];
    two.sort((one, other) => own.includes(one) - own.includes(other));
    waiting = [...two, player[2], banker[2]].filter(Boolean);
    waiting.forEach((slot) => slot.classList.add("down"));
    own.forEach((slot) => slot.classList.add("pull"));
    root.classList.add("revealing");
    // Everything lies open before the next round begins.
    const next = byId("clock")?.dataset.deadline;
    later(showAll, next ? secondsTo(next) * 1000 - 900 : 5000);
    turnNext();
  }

  function turnNext() {
    const [slot] = waiting;
    slot?.classList.add("next");
    if (!slot) showAll();
    else if (!slot.matches(".pull")) later(() => turn(slot), STEP_MS);
  }

  const open = (slot) => slot.classList.remove("down", "pull", "next", "held");

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
    renewRoads();
  }

  // The maps are asked for when a round's cards lie open, and when the next one begins.
  const renewRoads = () => htmx.trigger("#roads", "renew");

  let held = null;

  on("pointerdown", ({ target, clientX, clientY }) => {
    const slot = target.closest(".slot.pull");
    held = slot && { slot, x: clientX, y: clientY, share: 0 };
    slot?.classList.add("held");
  });
  on("pointermove", ({ clientX, clientY }) => {
    if (!held) return;
    const way = Math.hypot(clientX - held.x, clientY - held.y);
    held.share = Math.min(1, way / held.slot.offsetHeight);
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
  on("click", ({ target }) => target.closest("#show button") && showAll());
  on("table", look);
}
