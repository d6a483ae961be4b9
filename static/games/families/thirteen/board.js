// Thirteen cards are dragged, tapped or sent by a key into rows. A card's radio button says where it
// lies; what a row is called is the server's to say.

import { byId, cancel, every, isCommand, on } from "../../../casino/dom.js";
import { isSeen } from "../../press.js";
import { ask } from "../../server.js";

const SIZES = { front: 3, middle: 5, back: 5, "": 13 };
const KEYS = {
  1: "front",
  f: "front",
  2: "middle",
  m: "middle",
  3: "back",
  b: "back",
  Backspace: "",
  Delete: "",
};

const cardsIn = (row) => every(`[data-slots="${row}"] > .place`);
const rowOf = (place) => place.parentNode.dataset.slots;
const room = (row) => SIZES[row] - cardsIn(row).length;
const box = (place) => place.querySelector(".lifted");
const lifted = () => every(".place:has(.lifted:checked)");

function put(place, row) {
  every(`[data-slots="${row}"]`)[0].append(place);
  place.querySelector(`[value="${row}"]`).checked = true;
  box(place).checked = false;
}

// The arrangement in which a row was full: late names of it leave that sentence.
let full = null;

// As many as there is room for. When but one row is open, the rest of the hand goes there.
function move(cards, row) {
  const coming = cards.filter((place) => rowOf(place) !== row);
  const fitting = coming.splice(0, room(row));
  fitting.forEach((place) => put(place, row));
  const [open, another] = ["front", "middle", "back"].filter(room);
  const rest = cardsIn("");
  if (row && fitting.length && !another && rest.length === room(open))
    rest.forEach((place) => put(place, open));
  showRows();
  if (!coming.length) return;
  full = named;
  byId("rows-said").textContent = byId("arrange").dataset.full;
}

function swap(one, other) {
  const row = rowOf(one);
  put(one, rowOf(other));
  put(other, row);
  showRows();
}

// A card in a row changes places with the one that was chosen before; alone it goes back.
function tap(place) {
  const row = rowOf(place);
  if (!row) return;
  box(place).checked = false;
  const chosen = lifted();
  if (chosen.length === 1) swap(chosen[0], place);
  else move(chosen.length ? chosen : [place], chosen.length ? row : "");
}

let sorting = "rank";

// Cards that are moved keep the focus.
function showRows() {
  const focused = document.activeElement;
  for (const {
    dataset: { to },
    children: [head],
  } of every("#arrange .row")) {
    const by = to ? "rank" : sorting;
    const cards = cardsIn(to).sort((one, other) => other.dataset[by] - one.dataset[by]);
    cards[0]?.parentNode.append(...cards);
    head.querySelector(".count").textContent = to ? `${cards.length} / ${SIZES[to]}` : cards.length;
  }
  for (const one of every("[data-sort]")) one.ariaPressed = one.dataset.sort === sorting;
  if (focused !== document.activeElement) focused.focus({ preventScroll: true });
  gate("arrange", cardsIn("").length);
  nameRows();
}

// An action that lacks cards says how many, and cannot be sent.
function gate(action, missing) {
  for (const button of every(`#act-${action} .main:not([name])`)) {
    const why = byId(`why-${action}`);
    why.textContent = missing > 0 ? `${why.dataset.left} ${missing}` : "";
    button.ariaDisabled = missing !== 0;
  }
}

// Asked once for each arrangement.
let named = "";

async function nameRows() {
  /** @type {any} */
  const placed = [...new FormData(byId("act-arrange"))].filter(
    ([name, row]) => name.startsWith("place-") && row,
  );
  const arranged = String(new URLSearchParams(placed));
  if (arranged === named) return;
  named = arranged;
  const names = await ask(byId("arrange").dataset.rows, placed);
  if (!names || arranged !== named || !byId("foul")) return;
  const heads = every("#arrange .three .row-head");
  for (const head of heads) head.querySelector(".rank").textContent = names[head.dataset.row] || "";
  for (const mark of every("#arrange .as")) mark.textContent = names[mark.dataset.as] || "";
  if (full !== arranged)
    byId("rows-said").textContent = heads.map((head) => head.textContent).join(". ");
  byId("foul").textContent = names.foul || "";
}

function useTool({ sort = sorting, clear = "" }) {
  sorting = sort;
  if (clear) every(".three .place").forEach((place) => put(place, ""));
  showRows();
}

on("change", ({ target }) => {
  if (target.matches(".lifted")) tap(target.closest(".place"));
  gateGift();
});

on("click", ({ target }) => {
  const tool = target.closest(".hand-tools button:not(.row-head)");
  const row = target.closest("#arrange .row");
  if (tool) useTool(tool.dataset);
  else if (row && !target.closest(".place")) move(lifted(), row.dataset.to);
});

on("keydown", (event) => {
  const place = event.target.closest(".place");
  if (!place || isCommand(event)) return;
  const key = event.key.length > 1 ? event.key : event.key.toLowerCase();
  if (key in KEYS) sendByKey(place, KEYS[key]);
  else if (key.startsWith("Arrow")) step(place, key.slice(5));
  else if (key === "s") useTool({ sort: sorting === "rank" ? "suit" : "rank" });
  else if (key === "Enter") isSeen(event.timeStamp) && every("#act-arrange .main")[0].click();
  else return;
  event.preventDefault();
});

// The focus goes on to the next card of the hand.
function sendByKey(place, row) {
  const from = rowOf(place);
  const at = cardsIn(from).indexOf(place);
  move(lifted().length ? lifted() : [place], row);
  const left = cardsIn(from);
  box(left[at] || left.at(-1) || place).focus();
}

function step(place, way) {
  const by = { Left: -1, Up: -1 }[way] || 1;
  const rows = Object.keys(SIZES)
    .map(cardsIn)
    .filter((row) => row.length);
  const cards =
    way === "Left" || way === "Right"
      ? rows.flat()
      : rows.map((row) => (row.includes(place) ? place : row[0]));
  const next = cards[cards.indexOf(place) + by];
  if (next) box(next).focus();
}

// Dragging, by mouse and by finger, is laid over the tapping.
let drag = null;

on("pointerdown", (event) => {
  const place = event.target.closest(".place");
  drag =
    place && event.isPrimary && !event.button
      ? { place, x: event.clientX, y: event.clientY }
      : null;
});

on("pointermove", (event) => {
  if (!drag) return;
  const { place } = drag;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  drag.moves ||= Math.hypot(x, y) > 7;
  if (!drag.moves) return;
  place.setPointerCapture(event.pointerId);
  place.classList.add("dragging");
  place.style.transform = `translate(${x}px, ${y}px)`;
  const over = under(event, ".row");
  for (const row of every(".row")) row.classList.toggle("over", row === over);
});

const under = (event, what) =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest(`#arrange ${what}`);

on("pointerup pointercancel", (event) => {
  const { place, moves } = drag || {};
  setTimeout(() => {
    drag = null;
  });
  if (!moves) return;
  const [row, other] = [under(event, ".row"), under(event, ".place")];
  place.classList.remove("dragging");
  place.removeAttribute("style");
  row?.classList.remove("over");
  const to = row?.dataset.to;
  if (event.type !== "pointerup" || !row || to === rowOf(place)) return;
  if (other && !room(to)) swap(place, other);
  else move(box(place).checked ? lifted() : [place], to);
});

// The click that follows is no tap.
on("click", (event) => drag?.moves && cancel(event), true);

const gateGift = () => gate("give", 3 - every("#my-cards .picks :checked").length);

// The panel beside the table is no part of the board: it gets each new result, and keeps it.
let shown = "";

function takeResult() {
  const [ended] = every(".showdown[data-replay]");
  const known = shown;
  shown = ended?.id ?? "";
  if (!ended || known === shown) return;
  const copied = ended.querySelector(".matrix").cloneNode(true);
  byId("points-copy").replaceChildren(copied);
  byId("last-none").hidden = true;
  Object.assign(byId("last-hand"), { href: ended.dataset.replay, hidden: false });
}

on("table", () => {
  if (byId("act-arrange")) showRows();
  gateGift();
  takeResult();
});
