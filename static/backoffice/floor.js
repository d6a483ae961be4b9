// The live floor: it counts seconds down, and fetches the pieces that have changed when a stream
// says so. The server is told the content hash of each piece that the page shows.

import { byId } from "../casino/dom.js";
import { during } from "../casino/settled.js";

const LEAST_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 5000;
// A longer header than this might be refused; without it the server sends everything.
const HEADER_LENGTH_MAX = 12000;
const floor = byId("floor");
const live = floor.querySelector(".live");
const broken = new Set();
let due = false;
let fetched = 0;

function shown() {
  const pieces = [...floor.querySelectorAll("[data-digest]")];
  const known = pieces.map((one) => `${one.id}.${one.dataset.digest}`).join(" ");
  return known.length > HEADER_LENGTH_MAX ? "" : known;
}
// A button that the reader is about to press stays where it is.
const isBusy = () => document.hidden || floor.querySelector(":focus-visible, details[open]");

async function renew() {
  due = false;
  if (isBusy()) return;
  fetched = Date.now();
  // The first header says that this is no sign of work: the page fetches it by itself.
  const headers = { "HX-Request": "true", "X-Floor-Shown": shown() };
  const answer = await fetch(floor.dataset.part, { headers }).catch(() => null);
  const elsewhere = answer?.headers.get("HX-Redirect");
  if (elsewhere) location.assign(elsewhere);
  mark("page", answer?.ok);
  if (answer?.status !== 200 || isBusy()) return;
  place(await answer.text());
  countDown();
}

// Each piece takes the place of the one with its name.
function place(markup) {
  const fresh = document.createElement("template");
  fresh.innerHTML = markup;
  for (const one of [...fresh.content.children]) {
    const old = document.getElementById(one.id);
    if (old) old.replaceWith(one);
    else byId("floor-tables").append(one);
  }
  arrange();
}

// The cards in the order that the server has sent; a table that is not in it has gone.
function arrange() {
  const tables = byId("floor-tables");
  const order = byId("floor-order").dataset.order.split(" ").filter(Boolean);
  const wanted = order.map((number) => document.getElementById(`table-${number}`)).filter(Boolean);
  if (
    wanted.length === tables.childElementCount &&
    wanted.every((one, at) => one === tables.children[at])
  )
    return;
  tables.replaceChildren(...wanted);
}

// Whether the streams and the last fetch work is shown beside the tables.
function mark(source, works) {
  if (works) broken.delete(source);
  else broken.add(source);
  const lost = broken.size > 0;
  live.querySelector(".dot").classList.toggle("bad", lost);
  const words = lost ? live.dataset.lost : live.dataset.live;
  const text = live.querySelector("span");
  if (text.textContent !== words) text.textContent = words;
}

function soon() {
  if (due) return;
  due = true;
  setTimeout(() => during(renew()), Math.max(0, fetched + LEAST_MILLISECONDS - Date.now()));
}

function countDown() {
  for (const one of floor.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Number(one.dataset.until) - Date.now() / 1000);
    const part = Math.min(100, (100 * left) / Number(one.dataset.whole));
    one.textContent = String(Math.round(left));
    one.previousElementSibling.setAttribute("stroke-dasharray", `${part} 100`);
  }
}

for (const stream of floor.dataset.streams.split(" ")) {
  const source = new EventSource(stream);
  source.addEventListener("version", soon);
  source.addEventListener("open", () => mark(stream, true));
  source.addEventListener("error", () => mark(stream, false));
}
document.addEventListener("visibilitychange", soon);
setInterval(soon, POLL_MILLISECONDS);
setInterval(countDown, 1000);
countDown();
