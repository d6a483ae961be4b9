// What every table does in the browser: it counts down, says what it hears, takes part in mixing the
// shoe, and comes back by itself. A family's own script hears of each new board as `table`.

"use strict";

root.classList.add("scripted");

const told = () => byId("shoe").dataset;

// Time: the deadlines are the server's, and so is the clock they are read by.
let ahead = 0;
let ticked = Date.now();
let slept = false;

const secondsTo = (moment) => Math.max(0, (Date.parse(moment) - Date.now() - ahead) / 1000);

function countDown() {
  slept ||= Date.now() - ticked > 5000;
  ticked = Date.now();
  for (const time of every("[data-deadline]")) {
    const left = Math.ceil(secondsTo(time.dataset.deadline));
    time.textContent = time.dataset.words?.replace("{seconds}", left) || `${left} s`;
    time.classList.toggle("soon", left < 10);
  }
  // All who act have one deadline. The share stands on the root, which is never renewed.
  const [seat] = every("[data-ring]");
  const share = seat ? secondsTo(seat.dataset.ring) / seat.dataset.whole : 1;
  root.style.setProperty("--left", Math.min(1, share));
}

on("click", (event) => {
  const { detail, target } = event;
  // The second click of a double click was not meant for what has come under the pointer.
  if (target.closest(detail > 1 ? "#board button:not([type=button], [data-spot])" : ".act [aria-disabled=true]")) stop(event);
  // An amount without typing.
  const chip = target.closest(".chip");
  if (chip) chip.closest(".stake").querySelector("input").value = chip.dataset.amount;
}, true);

// A tap or a key ends the showing of a result.
on("pointerdown keydown", () => {
  for (const motion of byId("board").getAnimations({ subtree: true })) if (motion.playState === "running") motion.finish();
});

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

// A version that is on the page already is not asked for again, and none replaces a newer one.
on("htmx:configRequest", ({ target, detail }) => {
  if (target.id === "board" && detail.verb === "get") detail.parameters.known = told().version;
});
on("htmx:beforeSwap", ({ detail }) => {
  const version = / data-version="(\d+)"/.exec(detail.serverResponse)?.[1];
  if (detail.target.id === "board" && version < Number(told().version)) detail.shouldSwap = false;
});

// What a board changes from the one before is heard, except what happened while the device slept:
// then only that it is one's turn. `sound` is there for whoever plays sounds.
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
}

// Whoever comes back - from another page, a sleeping phone, a lost line - sees how it stands now.
const renew = () => htmx.trigger("#board", "renew");
for (const back of ["pageshow", "online", "visibilitychange"]) window.addEventListener(back, renew);
// A stream that ends may do so by itself: whether the line is lost shows when something is asked.
on("htmx:sseError", renew);

on("htmx:afterSettle", ({ target }) => target.id === "board" && settle());
setInterval(countDown, 500);
on("DOMContentLoaded", settle);
