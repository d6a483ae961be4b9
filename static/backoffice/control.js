// The control room of an event: it counts down, and fetches what has changed when the stream says so.

import { byId, on } from "../casino/dom.js";
import { setClock } from "../games/clock.js";
import { count } from "../tournaments/counting.js";

const LEAST_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 10_000;
const room = byId("control");
let due = false;
let fetched = 0;

async function renew() {
  due = false;
  // A button that the reader is about to press stays where it is.
  if (room.contains(document.activeElement) || document.hidden) return;
  fetched = Date.now();
  const answer = await fetch(room.dataset.part).catch(() => null);
  if (!answer?.ok || room.contains(document.activeElement)) return;
  room.innerHTML = await answer.text();
  settle();
}

function soon() {
  if (due) return;
  due = true;
  setTimeout(renew, Math.max(0, fetched + LEAST_MILLISECONDS - Date.now()));
}

function settle() {
  setClock(room.querySelector("[data-now]").dataset.now);
  count();
}

settle();
new EventSource(room.dataset.stream).addEventListener("version", soon);
on("visibilitychange counted", soon);
setInterval(soon, POLL_MILLISECONDS);
