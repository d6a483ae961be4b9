// What every table does in the browser: it counts down, says what it hears, takes part in mixing the
// shoe, and comes back by itself. A family's own script hears of each new board as `table`.

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

document.addEventListener("click", (event) => {
  const chip = event.target.closest(".chip");
  if (chip) chooseChip(chip);
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

// What a board changes from the one before is heard: `sound` is there for whoever plays sounds.
let heard = null;

function hear() {
  const { hand, turn, moves, won } = document.getElementById("shoe").dataset;
  const now = { hand, turn, moves, won };
  const before = heard;
  heard = now;
  if (!before) return;
  const sound = (name) => document.dispatchEvent(new CustomEvent("sound", { detail: name }));
  if (Number(now.won) > 0 && !(Number(before.won) > 0)) sound("win");
  else if (now.turn && now.turn !== before.turn) sound("turn");
  else if (now.hand !== before.hand) sound("deal");
  else if (now.moves !== before.moves) sound("play");
}

function settle() {
  setClock();
  countDown();
  takePart();
  hear();
  document.dispatchEvent(new CustomEvent("table"));
}

// Whoever comes back - from another page, a sleeping phone, a lost line - sees how it stands now.
const renew = () => window.htmx?.trigger("#board", "renew");
window.addEventListener("pageshow", (event) => event.persisted && renew());
window.addEventListener("online", renew);
document.addEventListener("visibilitychange", () => document.hidden || renew());

function tellConnection(words) {
  document.getElementById("connection").textContent = words;
}
document.addEventListener("htmx:sseError", () => tellConnection(document.getElementById("connection").dataset.lost));
document.addEventListener("htmx:sseOpen", () => tellConnection(""));

document.addEventListener("htmx:afterSettle", (event) => event.target.id === "board" && settle());
setInterval(countDown, 500);
document.addEventListener("DOMContentLoaded", settle);
