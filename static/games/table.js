// Every table counts down, sounds, and renews itself. After each new board it dispatches `table`.

import { byId, cancel, dispatch, every, on, root } from "../casino/dom.js";
import { isOpen } from "../casino/stream.js";
import { renew, state } from "./board.js";
import { secondsTo, setClock } from "./clock.js";
import { refocus } from "./focus.js";
import { land, look } from "./glide.js";
import { isHeldBack } from "./press.js";
import { noteFetched, onPushed } from "./pushed.js";

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
  root.style.setProperty("--left", String(Math.min(1, share)));
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
  if (target.id === "board" && byId("ahead")?.open) headers.Opened = "ahead";
});

// Two boards may come before one settles.
let focused;
const keepFocus = () => (focused = document.querySelector(":focus") || focused);

onPushed((markup) => {
  keepFocus();
  look();
  const how = { swapStyle: "morph:innerHTML", settleDelay: 20 };
  // The element that names the extension.
  htmx.swap("#board", markup, how, { contextElement: byId("board") });
});

// A board that was fetched never replaces a newer one, nor an equal one unless the player asked for it.
on("htmx:beforeSwap", ({ detail }) => {
  keepFocus();
  const { serverResponse: text, target, requestConfig, xhr } = detail;
  if (target.id !== "board" || !detail.shouldSwap) return;
  const fetched = Number(/ data-version="(\d+)/.exec(text)?.[1]);
  const shows = Number(state().version) + Number(requestConfig.elt === target);
  if (fetched < shows || isHeldBack(detail)) return (detail.shouldSwap = false);
  noteFetched(xhr.status, fetched);
  look();
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
  const won = Number(now.won) > 0 && changed("won");
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

// A page without a stream asks by itself.
const renewAlone = () => isOpen() || renew();

// The time to reveal is short, so such a page asks for the lock when it is due.
let looking;
function lookForLock(times) {
  const { due, lock, seat } = state();
  if (!due || lock || !seat || !times) return;
  looking = setTimeout(
    () => {
      renewAlone();
      lookForLock(times - 1);
    },
    secondsTo(due) * 1000 + 700,
  );
}

function settle() {
  look();
  const { now } = state();
  if (now) setClock(now);
  countDown();
  clearTimeout(looking);
  lookForLock(3);
  hear();
  markOffline();
  dispatch("table");
  land();
  refocus(focused);
  focused = null;
}

// A version whose pieces could not be made.
on("news", ({ detail }) => detail > Number(state().version) && renew());

// A player who comes back sees the present state.
on("visibilitychange", renewAlone);
window.addEventListener("pageshow", ({ persisted }) => persisted && renewAlone());
// The stream of another line may be dead.
window.addEventListener("online", renew);
// A stream may end by itself: only a request shows whether the connection is lost.
on("stream-lost", renew);

// Who is offline comes with the stream, and is no part of a version.
let offline;
function markOffline() {
  for (const mark of offline ? every(".away") : [])
    mark.hidden = !offline.includes(mark.closest(".place-at").id.slice(5));
}
on("presence", ({ detail }) => {
  offline = detail.split(" ");
  markOffline();
});
on("stream-open", () => (offline = []));

on("htmx:afterSettle", ({ target }) => target.id === "board" && settle());
setInterval(countDown, 500);
on("DOMContentLoaded", settle);
