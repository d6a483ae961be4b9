// Baccarat: the cards of a coup, which everybody may see by now, are turned one by one; those of the
// side one has backed can be pulled from under their cover. The road maps follow when all lie open.

"use strict";

(() => {
  const STEP_MS = 450;
  const PULLED = 0.7;
  const root = document.documentElement;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // The coup that was there last; null before the first look.
  let known = null;
  let waiting = [];
  let timers = [];

  const open = (slot) => slot.classList.remove("down", "pull", "next", "held");
  const later = (deed, milliseconds) => timers.push(setTimeout(deed, milliseconds));

  function look() {
    const coup = document.getElementById("coup");
    const round = coup?.dataset.keep || "";
    if (round !== known) {
      uncover();
      if (round && known !== null && !still.matches) cover(coup);
      known = round;
    }
    renewRoads();
  }

  function cover(coup) {
    const [player, banker] = ["player", "banker"].map((side) => [...coup.querySelectorAll(`.${side} .slot`)]);
    const backed = coup.dataset.backed === "player" ? player : coup.dataset.backed ? banker : [];
    const first = [player[0], banker[0], player[1], banker[1]];
    // The other side's cards are turned before one's own, and third cards when all four lie open.
    const others = first.filter((slot) => !backed.includes(slot));
    const own = first.filter((slot) => backed.includes(slot));
    waiting = [...others, ...own, player[2], banker[2]].filter(Boolean);
    for (const slot of waiting) slot.classList.add("down", ...(backed.includes(slot) ? ["pull"] : []));
    root.classList.add("revealing");
    // Everything lies open before the next round begins.
    const next = document.getElementById("clock")?.dataset.deadline;
    later(showAll, next ? secondsTo(next) * 1000 - 900 : 5000);
    turnNext();
  }

  function turnNext() {
    if (!waiting.length) return showAll();
    const slot = waiting[0];
    slot.classList.add("next");
    if (!slot.classList.contains("pull")) later(() => turn(slot), STEP_MS);
  }

  function turn(slot) {
    if (!slot.classList.contains("down")) return;
    open(slot);
    waiting = waiting.filter((one) => one !== slot);
    if (!document.querySelector("#coup .next")) turnNext();
  }

  function uncover() {
    timers.forEach(clearTimeout);
    timers = [];
    waiting = [];
    document.querySelectorAll("#coup .slot").forEach(open);
    root.classList.remove("revealing");
  }

  function showAll() {
    uncover();
    renewRoads();
  }

  // The maps are asked for once a round, and not before its cards lie open.
  function renewRoads() {
    const roads = document.getElementById("roads");
    const { round } = document.querySelector(".spots")?.dataset || {};
    if (!roads || !round || roads.dataset.round === round || root.classList.contains("revealing")) return;
    roads.dataset.round = round;
    htmx.trigger(roads, "renew");
  }

  let held = null;
  document.addEventListener("pointerdown", (event) => {
    const slot = event.target.closest?.(".slot.pull");
    if (!slot) return;
    held = { slot, x: event.clientX, y: event.clientY };
    slot.classList.add("held");
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const way = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    const share = Math.min(1, way / held.slot.offsetHeight);
    held.slot.style.setProperty("--pulled", `${share * 100}%`);
    held.moved ||= share > 0.1;
    if (share > PULLED) release(true);
  });
  const release = (whole) => {
    if (!held) return;
    const { slot } = held;
    held = null;
    slot.classList.remove("held");
    slot.style.removeProperty("--pulled");
    if (whole) turn(slot);
  };
  document.addEventListener("pointerup", () => release(held && !held.moved));
  document.addEventListener("pointercancel", () => release());
  document.addEventListener("click", (event) => event.target.closest("#show button") && showAll());
  document.addEventListener("table", look);
})();
