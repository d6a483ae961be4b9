// Dou Dizhu: cards are chosen by tap, by swipe and by key. What they are, and whether they can be
// played, is the server's to say. Where nothing beats what lies there, one passes by itself.

"use strict";

const picks = () => [...document.querySelectorAll("#my-cards .pick input")];
const chosen = () => picks().filter((pick) => pick.checked);
const names = () => chosen().map((pick) => `${pick.value} `).join("");

// What the chosen cards are. The answer stands on the part that says it, which stays as long as the
// turn and the hand; without cards it says what must be beaten.

let asking = 0;

function allow() {
  const reading = document.getElementById("reading");
  const play = document.querySelector("#act-play button");
  if (play && reading) play.setAttribute("aria-disabled", String(!("playable" in reading.dataset)));
}

function read() {
  const reading = document.getElementById("reading");
  if (!reading) return;
  const of = names();
  clearTimeout(asking);
  if (of === reading.dataset.of) return allow();
  reading.removeAttribute("data-playable");
  allow();
  asking = setTimeout(async () => {
    const answer = await send(reading.dataset.ask, chosen().map((pick) => ["cards", pick.value])).catch(() => null);
    const told = answer?.ok ? await answer.json() : { words: "", playable: true };
    // Where nobody answers, one may try: a play is judged once more when it is made.
    if (!reading.isConnected || of !== names()) return;
    reading.dataset.of = of;
    reading.textContent = told.reason || told.words;
    reading.toggleAttribute("data-playable", told.playable);
    allow();
  }, 60);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "act-play" && form.querySelector("button").ariaDisabled === "true") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

// Tap and swipe: each card that is passed over is turned once, as the first was.

let swipe = null;

function turn(pick) {
  if (!pick || swipe.done.has(pick)) return;
  swipe.done.add(pick);
  pick.checked = swipe.to;
  read();
}

const pickAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#my-cards .pick")?.querySelector("input");

document.addEventListener("pointerdown", (event) => {
  byKeys = false;
  const pick = event.target.closest("#my-cards .pick")?.querySelector("input");
  if (pick && event.button === 0) {
    swipe = { to: !pick.checked, done: new Set() };
    turn(pick);
  } else if (event.target.closest("#round, #moves") && !event.target.closest("a, button, input, label, summary, [popover], .picks")) {
    chosen().forEach((one) => { one.checked = false; });
    read();
  }
});
document.addEventListener("pointermove", (event) => swipe && event.buttons && turn(pickAt(event)));
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => setTimeout(() => { swipe = null; }));
}
// The click that follows has been done already; one that comes alone, from a key, is the browser's.
document.addEventListener("click", (event) => {
  if (swipe && event.target.closest("#my-cards .pick")) event.preventDefault();
});
document.addEventListener("change", (event) => event.target.closest("#my-cards") && read());

// Keys: arrows go along the hand, Space chooses, Enter plays, P passes, H hints. Letters are heard
// only among the moves.

let byKeys = false;
let at = 0;

document.addEventListener("keydown", (event) => {
  const all = picks();
  if (!all.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = document.activeElement;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  byKeys = true;
  if (step && (all.includes(here) || here === document.body)) {
    at = all.includes(here) ? Math.max(0, Math.min(all.length - 1, all.indexOf(here) + step)) : 0;
    all[at].focus();
    event.preventDefault();
  } else if (here.closest("#moves") && !event.repeat) {
    const asked = { p: "#act-pass button", h: "#hint", Enter: all.includes(here) && "#act-play button" }[event.key];
    if (!asked) return;
    event.preventDefault();
    document.querySelector(asked)?.click();
  }
});

// Passing by itself: only where the server says that nothing beats, and only if one does not stop it.

let due = { about: "", left: 0 };
const wanted = () => !document.cookie.includes("passes=off");

function pass() {
  const part = document.getElementById("only-pass");
  const form = document.getElementById("act-pass");
  if (!part || !form) return;
  if (due.about !== part.dataset.turn) due = { about: part.dataset.turn, left: wanted() ? 4 : 0 };
  due.left -= 1;
  const countdown = part.querySelector(".countdown");
  countdown.textContent = countdown.dataset.words.replace("{seconds}", due.left);
  countdown.hidden = part.querySelector("button").hidden = due.left < 1;
  if (due.left === 0) form.requestSubmit();
}

function stay() {
  due.left = 0;
  pass();
}

setInterval(pass, 1000);
document.addEventListener("click", (event) => event.target.id === "stay" && stay());
document.addEventListener("change", (event) => {
  if (event.target.id !== "passes") return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `passes=${event.target.checked ? "on" : "off"}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`;
  due.about = "";
  pass();
});

document.addEventListener("table", () => {
  const passes = document.getElementById("passes");
  if (passes) passes.checked = wanted();
  read();
  if (due.about !== document.getElementById("only-pass")?.dataset.turn) pass();
  // Who plays by keys goes on from the hand that has come.
  if (byKeys && document.activeElement === document.body) picks()[Math.min(at, picks().length - 1)]?.focus();
});
