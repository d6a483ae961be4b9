// Every table counts down, sounds, and renews itself. After each new board it dispatches `table`.

import { byId, cancel, dispatch, every, on, root } from "../casino/dom.js";
import { renew, state } from "./board.js";
import { secondsTo, setClock } from "./clock.js";
import { refocus } from "./focus.js";
import { land, look } from "./glide.js";
import { isHeldBack } from "./press.js";

let ticked = Date.now();
let slept = false;
let second;

function countDown() {
  slept ||= Date.now() - ticked > 5000;
  ticked = Date.now();
  let left;
  for (const time of every("[data-deadline]")) {
    left = Math.ceil(secondsTo(time.dataset.deadline));
    time.textContent = time.dataset.words.replace("{seconds}", left);
    time.classList.toggle("soon", left < 10);
  }
  if (left !== second && left > 0 && left <= 5 && state().turn) dispatch("sound", "tick");
  second = left;
  // All have one deadline. The share stands on the root, which is never renewed.
  const [seat] = every("[data-ring]");
  const share = seat ? secondsTo(seat.dataset.ring) / seat.dataset.whole : 1;
  root.style.setProperty("--left", Math.min(1, share));
}

on(
  "click",
  (event) => {
    const { detail, target } = event;
    // The second click of a double click is not meant for a button that has come since.
    if (
      target.closest(
        detail > 1 ? "#board button:not([type=button], [data-spot])" : ".act [aria-disabled=true]",
      )
    )
      cancel(event);
    const chip = target.closest(".chip");
    if (chip) chip.closest(".stake").querySelector("input").value = chip.dataset.amount;
  },
  true,
);

on("htmx:configRequest", ({ detail: { headers, target } }) => {
  if (target.id !== "board") return;
  headers.Known = state().marks;
  if (byId("ahead")?.open) headers.Opened = "ahead";
});

// A board never replaces a newer one, nor other pieces.
let focused;
on("htmx:beforeSwap", ({ detail }) => {
  // Two may come before one settles.
  focused = document.querySelector(":focus") || focused;
  const { serverResponse: text, target } = detail;
  if (target.id !== "board") return;
  const { marks, version } = state();
  const isOld = / data-version="(\d+)/.exec(text)?.[1] < Number(version);
  const fits = [...text.matchAll(/ data-same="(\w+)/g)].every(([, mark]) => marks.includes(mark));
  if (!isOld && fits && !isHeldBack(detail)) return look();
  detail.shouldSwap = false;
  if (!fits) renew();
});
// Other scripts answer the swap as well.
on("htmx:afterSwap", ({ target }) => target.id === "board" && queueMicrotask(land));

// After the device has slept, only the player's turn is heard.
let heard = null;

// A bomb, a spring, a jackpot: each is heard once, as it begins to move.
let marked = null;

function hearMoments() {
  const all = every("[data-moment]");
  const fresh = all.filter(({ id }) => marked && !slept && !marked.includes(id));
  marked = all.map(({ id }) => id);
  new Map(fresh.map((one) => [one.dataset.moment, one])).forEach((one, name) => {
    const [motion] = one.getAnimations();
    const sound = () => dispatch("sound", name);
    if (motion?.currentTime < motion?.effect.getTiming().delay)
      one.addEventListener("animationstart", sound, { once: true });
    else sound();
  });
}

function hear() {
  hearMoments();
  const now = state();
  const changed = (name) => heard && now[name] !== heard[name];
  const won = now.won > 0 && changed("won");
  const sound = won
    ? "win"
    : now.turn && changed("turn")
      ? "turn"
      : changed("hand")
        ? "deal"
        : changed("moves") && "play";
  if (sound && (!slept || sound === "turn")) dispatch("sound", sound);
  heard = now;
  slept = false;
}

// The time to reveal is short, so the browser asks for the lock when it is due, even without news.
let looking;
function lookForLock(times) {
  const { due, lock, seat } = state();
  if (!due || lock || !seat || !times) return;
  looking = setTimeout(
    () => {
      renew();
      lookForLock(times - 1);
    },
    secondsTo(due) * 1000 + 700,
  );
}

function settle() {
  look();
  setClock(state().now);
  countDown();
  clearTimeout(looking);
  lookForLock(3);
  hear();
  dispatch("table");
  land();
  refocus(focused);
  focused = null;
}

// What an answer shows is news no more; the one that is under way may show it. While the board is held
// back, a second question would bring nothing.
let underWay = 0;
let newest = 0;
let requested = 0;
function askForNews() {
  if (underWay || newest <= Math.max(requested, Number(state().version))) return;
  requested = newest;
  renew();
}
on("news", ({ detail }) => {
  newest = Number(detail);
  askForNews();
});
on("htmx:beforeRequest", ({ detail }) => {
  if (detail.target.id === "board") underWay++;
});
on("htmx:afterRequest", ({ detail }) => {
  if (detail.target.id !== "board") return;
  underWay--;
  askForNews();
});

// A player who comes back sees the present state.
for (const back of ["pageshow", "online", "visibilitychange"]) window.addEventListener(back, renew);
// A stream may end by itself: only a request shows whether the connection is lost.
on("stream-lost", renew);
// Who is offline comes with the stream, and is no reason to fetch the board.
on("presence", ({ detail }) => {
  const offline = detail.split(" ");
  for (const mark of every(".away"))
    mark.hidden = !offline.includes(mark.closest(".place-at").id.slice(5));
});

on("htmx:afterSettle", ({ target }) => target.id === "board" && settle());
setInterval(countDown, 500);
on("DOMContentLoaded", settle);
