// What a table does in the browser: it counts down, and takes part in mixing the shoe.

"use strict";

const board = document.getElementById("board");

// The seconds to each deadline; the deadline itself is the server's.
function countDown() {
  for (const time of document.querySelectorAll("[data-deadline]")) {
    const left = Math.max(0, Math.ceil((Date.parse(time.dataset.deadline) - Date.now()) / 1000));
    time.textContent = `${left} s`;
  }
}
setInterval(countDown, 500);

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
  await fetch(address, { method: "POST", body, headers: { "X-CSRFToken": token, "HX-Request": "true" } });
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

document.addEventListener("htmx:afterSettle", () => {
  countDown();
  takePart();
});
countDown();
takePart();
