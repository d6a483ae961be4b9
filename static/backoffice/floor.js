// The live floor: it counts seconds down, and fetches what has changed when a stream says so.

import { byId } from "../casino/dom.js";

const LEAST_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 5000;
const floor = byId("floor");
let due = false;
let fetched = 0;

const known = () => floor.firstElementChild?.dataset.known ?? "";
// What somebody is about to press stays where it is.
const isBusy = () => document.hidden || floor.querySelector(":focus-visible, details[open]");

async function renew() {
  due = false;
  if (isBusy()) return;
  fetched = Date.now();
  const address = `${floor.dataset.part}&known=${known()}`;
  // The header says that nobody is at work: the page fetches this by itself.
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  const elsewhere = answer?.headers.get("HX-Redirect");
  if (elsewhere) location.assign(elsewhere);
  if (answer?.status !== 200 || isBusy()) return;
  floor.innerHTML = await answer.text();
  countDown();
}

function soon() {
  if (due) return;
  due = true;
  setTimeout(renew, Math.max(0, fetched + LEAST_MILLISECONDS - Date.now()));
}

function countDown() {
  for (const one of floor.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Number(one.dataset.until) - Date.now() / 1000);
    const part = Math.min(100, (100 * left) / Number(one.dataset.whole));
    one.textContent = Math.round(left);
    one.previousElementSibling.setAttribute("stroke-dasharray", `${part} 100`);
  }
}

for (const stream of floor.dataset.streams.split(" ")) {
  new EventSource(stream).addEventListener("version", soon);
}
document.addEventListener("visibilitychange", soon);
setInterval(soon, POLL_MILLISECONDS);
setInterval(countDown, 1000);
countDown();
