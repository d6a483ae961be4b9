// What every table does: it counts down, takes part in mixing the shoe, and comes back by itself. A
// family's own script hears of each new board as `table`.

"use strict";

const told = () => byId("shoe").dataset;

// Deadlines are the server's, and so is the clock.
let ahead = 0;
let ticked = Date.now();
let slept = false;

const secondsTo = (moment) => Math.max(0, (Date.parse(moment) - Date.now() - ahead) / 1000);

function countDown() {
  slept ||= Date.now() - ticked > 5000;
  ticked = Date.now();
  for (const time of every("[data-deadline]")) {
    const left = Math.ceil(secondsTo(time.dataset.deadline));
    time.textContent = time.dataset.words.replace("{seconds}", left);
    time.classList.toggle("soon", left < 10);
  }
  // All have one deadline. The share stands on the root, which is never renewed.
  const [seat] = every("[data-ring]");
  const share = seat ? secondsTo(seat.dataset.ring) / seat.dataset.whole : 1;
  root.style.setProperty("--left", Math.min(1, share));
}

on("click", (event) => {
  const { detail, target } = event;
  // The second click of a double click was not meant for what has come under the pointer.
  if (target.closest(detail > 1 ? "#board button:not([type=button], [data-spot])" : ".act [aria-disabled=true]")) stop(event);
  const chip = target.closest(".chip");
  if (chip) chip.closest(".stake").querySelector("input").value = chip.dataset.amount;
}, true);

// A tap or a key ends the showing of a result.
let byKeys = false;
on("pointerdown keydown", ({ type }) => {
  byKeys = type === "keydown";
  for (const motion of byId("board").getAnimations({ subtree: true })) if (motion.playState === "running") motion.finish();
});

// The focus stays where it was. Where that has gone, keys go on at the next thing to do; until there is
// any, and for fingers, it waits at whose turn it is.
function refocus(was) {
  const here = document.activeElement;
  const usable = (one) => !one.disabled && one.checkVisibility();
  const turn = byId("turn");
  if (!was || ![was, document.body].includes(here)) return;
  const comes = (one) => byKeys && usable(one) && (!was.isConnected || was.compareDocumentPosition(one) & 4);
  const next = every("#moves :is(a, button, input):not(.beside-turn *)").find(comes) || turn;
  (usable(was) && was !== turn ? was : next).focus();
}

// What the server says to what it is sent; null where nobody answers.
async function ask(address, fields, form = "json") {
  const headers = { "X-CSRFToken": every("[name=csrfmiddlewaretoken]")[0].value, "HX-Request": "true" };
  const body = new URLSearchParams(fields);
  const answer = await fetch(address, { method: "POST", body, headers }).catch(() => null);
  return answer?.ok ? answer[form]() : null;
}

// Our bytes for a shoe are kept until they have been revealed: a loaded page must not lose them.
async function takePart() {
  const { shoe, seal, seat, lock, wants, commits, commitTo, revealTo } = told();
  // Outside HTTPS and the own machine the browser offers no hashes: then the house mixes for us.
  if (!wants || !window.crypto?.subtle) return;
  const keep = (mine) => sessionStorage.setItem(`shoe ${shoe}`, JSON.stringify(mine));
  const mine = JSON.parse(sessionStorage.getItem(`shoe ${shoe}`));
  if (wants === "commit" && !mine) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const parts = Uint8Array.of(...new TextEncoder().encode(`CR1|${shoe}|seat`), seat, ...bytes);
    const commit = hex(await crypto.subtle.digest("SHA-256", parts));
    keep({ bytes: hex(bytes), commit, seal });
    await ask(commitTo, { shoe, commit }, "text");
  }
  // Only if the house has locked what we committed to, and the seal is still the same.
  if (wants === "reveal" && mine && mine.seal === seal && JSON.parse(commits)[seat] === mine.commit && lock && !mine.revealed) {
    keep({ ...mine, revealed: true });
    await ask(revealTo, { shoe, reveal: mine.bytes }, "text");
  }
}

// None replaces a newer one.
let focused;
on("htmx:beforeSwap", ({ detail }) => {
  // Two may come before one settles.
  focused = document.querySelector(":focus") || focused;
  const version = / data-version="(\d+)"/.exec(detail.serverResponse)?.[1];
  if (detail.target.id === "board" && version < Number(told().version)) detail.shouldSwap = false;
});

// What a board changes is heard; of what happened while the device slept, only that it is one's turn.
let heard = null;

function hear() {
  const now = { ...told() };
  const changed = (name) => heard && now[name] !== heard[name];
  const won = now.won > 0 && changed("won");
  const sound = won ? "win" : now.turn && changed("turn") ? "turn" : changed("hand") ? "deal" : changed("moves") && "play";
  if (sound && (!slept || sound === "turn")) tell("sound", sound);
  heard = now;
  slept = false;
}

function settle() {
  ahead = Date.parse(told().now) - Date.now();
  countDown();
  takePart();
  hear();
  tell("table");
  refocus(focused);
  focused = null;
}

// Whoever comes back, from wherever, sees how it stands now.
const renew = () => htmx.trigger("#board", "renew");
for (const back of ["pageshow", "online", "visibilitychange"]) window.addEventListener(back, renew);
// A stream that ends may do so by itself: whether the line is lost shows when something is asked.
on("htmx:sseError", renew);

on("htmx:afterSettle", ({ target }) => target.id === "board" && settle());
setInterval(countDown, 500);
on("DOMContentLoaded", settle);
