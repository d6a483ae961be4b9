// What a table does in the browser: it counts down, lets cards be put into rows, and takes
// part in mixing the shoe.

"use strict";

document.documentElement.classList.add("scripted");

// Time: the deadlines are the server's, and so is the clock they are read by.

let ahead = 0;

function setClock() {
  const shoe = document.getElementById("shoe");
  if (shoe) ahead = Date.parse(shoe.dataset.now) - Date.now();
}

const secondsTo = (moment) => Math.max(0, (Date.parse(moment) - Date.now() - ahead) / 1000);

function countDown() {
  for (const time of document.querySelectorAll("[data-deadline]")) {
    const left = Math.ceil(secondsTo(time.dataset.deadline));
    time.textContent = `${left} s`;
    time.classList.toggle("soon", left < 10);
  }
  // All who are to act have the same deadline. The share stands on the root, which is never renewed.
  const seat = document.querySelector("[data-ring]");
  const share = seat ? secondsTo(seat.dataset.ring) / Number(seat.dataset.whole) : 1;
  document.documentElement.style.setProperty("--left", String(Math.min(1, share)));
}

// Chips: an amount without typing.

function chooseChip(chip) {
  chip.closest(".stake").querySelector("input").value = chip.dataset.amount;
}

// Rows: cards are lifted by a tap, and go where a row is tapped. The last row fills itself.

const ROWS = ["front", "middle", "back"];

function put(place, row) {
  place.querySelector(`[type=radio][value="${row}"]`).checked = true;
  place.querySelector(".lifted").checked = false;
}

const rowOf = (place) => place.querySelector("[type=radio]:checked").value;

function move(head) {
  const all = [...document.querySelectorAll("#arrange .place")];
  for (const place of all) {
    if (place.querySelector(".lifted").checked) put(place, head.dataset.row);
  }
  const sizes = { front: 3, middle: 5, back: 5 };
  const open = ROWS.filter((row) => all.filter((place) => rowOf(place) === row).length < sizes[row]);
  const rest = all.filter((place) => rowOf(place) === "");
  if (head.dataset.row && open.length === 1) {
    const taken = all.filter((place) => rowOf(place) === open[0]).length;
    if (rest.length === sizes[open[0]] - taken) rest.forEach((place) => put(place, open[0]));
  }
  countRows();
  nameRows();
}

function countRows() {
  for (const button of document.querySelectorAll("#arrange [data-row]")) {
    const { row, size } = button.dataset;
    const held = document.querySelectorAll(`#arrange [type=radio][value="${row}"]:checked`).length;
    button.querySelector(".count").textContent = row ? `${held} / ${size}` : String(held);
  }
}

// What the rows are called is the server's to say; it is asked once for each arrangement.
let named = "";

async function nameRows() {
  const arrange = document.getElementById("arrange");
  const form = document.getElementById("act-arrange");
  if (!arrange || !form) return;
  const placed = [...new FormData(form)].filter(([name, row]) => name.startsWith("place-") && row);
  const asked = String(new URLSearchParams(placed));
  if (asked === named) return;
  named = asked;
  const answer = await send(arrange.dataset.rows, placed);
  if (!answer.ok || asked !== named) return;
  const told = await answer.json();
  for (const button of arrange.querySelectorAll("[data-row]")) {
    button.querySelector(".rank").textContent = told[button.dataset.row] || "";
  }
  document.getElementById("foul").textContent = told.foul || "";
}

document.addEventListener("click", (event) => {
  const chip = event.target.closest(".chip");
  if (chip) chooseChip(chip);
  const head = event.target.closest("#arrange [data-row]");
  if (head) move(head);
});

// Our bytes for a shoe, kept until they have been revealed: a loaded page must not lose them.
const keep = (shoe, bytes) => sessionStorage.setItem(`shoe ${shoe}`, JSON.stringify(bytes));
const kept = (shoe) => JSON.parse(sessionStorage.getItem(`shoe ${shoe}`) || "null");

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function digest(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

async function send(address, fields) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const body = new URLSearchParams(fields);
  return fetch(address, { method: "POST", body, headers: { "X-CSRFToken": token, "HX-Request": "true" } });
}

async function takePart() {
  const shoe = document.getElementById("shoe");
  // Outside HTTPS and the own machine the browser offers no hashes: then the house mixes for us.
  if (!shoe || !shoe.dataset.wants || !window.crypto?.subtle) return;
  const { shoe: code, seal, seat, lock } = shoe.dataset;
  const text = new TextEncoder();
  if (shoe.dataset.wants === "commit" && !kept(code)) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const commit = hex(await digest(text.encode(`CR1|${code}|seat`), Uint8Array.of(Number(seat)), bytes));
    keep(code, { bytes: hex(bytes), commit, seal });
    await send(shoe.dataset.commitTo, { shoe: code, commit });
  }
  if (shoe.dataset.wants === "reveal") {
    const mine = kept(code);
    const commits = JSON.parse(shoe.dataset.commits || "{}");
    // Only if the house has locked what we committed to, and the seal is still the same.
    if (!mine || mine.seal !== seal || commits[seat] !== mine.commit || !lock || mine.revealed) return;
    keep(code, { ...mine, revealed: true });
    await send(shoe.dataset.revealTo, { shoe: code, reveal: mine.bytes });
  }
}

// A version that is on the page already is not asked for again.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.id === "board" && event.detail.verb === "get") {
    event.detail.parameters.known = document.getElementById("shoe").dataset.version;
  }
});

function settle() {
  setClock();
  countDown();
  countRows();
  nameRows();
  takePart();
}

document.addEventListener("htmx:afterSettle", settle);
setInterval(countDown, 500);
settle();
