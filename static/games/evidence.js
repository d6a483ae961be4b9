// This browser's part in mixing shoes. It computes the lock, shows its number under no other, and
// compares each hand that has ended with its note.

import { byId, on } from "../casino/dom.js";
import { during } from "../casino/settled.js";
import { state } from "./board.js";
import {
  SEAT,
  accuse,
  commitOnce,
  entries,
  entryOf,
  keep,
  mayReveal,
  revealOnce,
  same,
  show,
  withdrawFrom,
} from "./notes.js";

const place = byId("evidence");
const words = place.dataset;

// The parts of a published shoe that differ from the note.
function difference({ seal, lock, commits, seat, reveal, receipt }, { status, ...shown }) {
  const given = shown.seats.find((one) => one.seat === seat);
  const others = Object.fromEntries(shown.seats.map((one) => [one.seat, one.commit]));
  if (shown.seal !== seal) return "seal";
  if (shown.lock !== lock) return "lock";
  if (!same(others, commits) || given.who !== "player") return "commits";
  // The receipt says whether it came in time.
  if (given.late && receipt && !receipt.statement.late) return "reveal";
  return given.reveal !== reveal && (receipt || status !== "void") ? "reveal" : "";
}

async function reveal(entry, board) {
  const { shoe, commits, wants, revealTo } = board;
  if (!(await mayReveal(SEAT, entry, board, JSON.parse(commits)))) return;
  if (entry.note.receipt || (wants !== "reveal" && entry.tries > 2)) return;
  keep(entry, { tries: (entry.tries ?? 0) + 1 });
  await revealOnce(SEAT, entry, revealTo, { shoe });
}

// Hands that have ended, and shoes that have gone without one.
async function compare(entry, hand) {
  const answer = await fetch(words.shoes.replace("SHOE", entry.note.shoe)).catch(() => null);
  if (!answer || answer.status >= 500) return;
  const what = answer.ok ? difference(entry.note, await answer.json()) : "seal";
  keep(entry, { compared: hand });
  if (what) accuse(entry, "hand", what);
}

const busy = new Set();
const missed = new Set();

// A board's request during this is carried out afterwards, because no other board may arrive in time.
async function once(what, work) {
  if (busy.has(what)) return void missed.add(what);
  busy.add(what);
  await during(work()).finally(() => busy.delete(what));
  if (missed.delete(what)) takePart(state(), false);
}

// A page that was left before always commits again.
function takePart(board, returned) {
  const { shoe, dealt, seat, lock, wants, ended, endedShoe } = board;
  // Browsers offer hashes only on HTTPS and localhost; otherwise the house mixes for us.
  if (!window.crypto?.subtle) return;
  if (!place.classList.contains("wrong")) place.hidden = true;
  const own = shoe && seat ? entryOf(shoe, seat) : null;
  const commit = `commit ${shoe}`;
  // While a commit is under way, older boards may still ask for it.
  if (wants === "commit" || (returned && own && !lock))
    busy.has(commit) || once(commit, () => commitOnce(SEAT, board, { shoe }));
  else if (own && lock && !own.wrong) once(shoe, () => reveal(own, board));
  for (const entry of entries()) {
    const { note, compared, wrong } = entry;
    if (!note.shoe.startsWith(`T${words.table}-`) || !note.lock || wrong) continue;
    const lies = note.shoe === shoe || note.shoe === dealt;
    const hand = note.shoe === endedShoe ? ended : lies ? compared : "gone";
    if (hand && hand !== compared && compared !== "gone")
      once(`ended ${note.shoe}`, () => compare(entry, hand));
  }
}

function withdraw() {
  const { shoe, seat, lock, withdrawTo } = state();
  if (shoe && seat && !lock) withdrawFrom(withdrawTo, entryOf(shoe, seat), { shoe });
}

// At a table.
if (words.table) {
  window.addEventListener("pagehide", withdraw);
  on("freeze", withdraw);
  window.addEventListener("pageshow", ({ persisted }) => persisted && takePart(state(), true));
  on("resume", () => takePart(state(), true));
  let returned = true;
  on("table", () => {
    takePart(state(), returned);
    returned = false;
  });
  place.querySelector("button").addEventListener("click", () => {
    place.hidden = true;
    for (const entry of entries()) if (entry.wrong) keep(entry, { seen: true });
  });
  const [wrong] = entries().filter(
    ({ note, wrong, seen }) => wrong && !seen && note.shoe.startsWith(`T${words.table}-`),
  );
  if (wrong) show(wrong.wrong, wrong, wrong.what);
}

on("record", ({ detail: { shoe } }) => {
  const found = entries()
    .filter(({ note }) => note.shoe === shoe.id && note.lock)
    .map((entry) => {
      const what = difference(entry.note, shoe);
      return [entry.wrong ?? (what ? "hand" : "holds"), entry, entry.what ?? what];
    });
  place.hidden = !found.length;
  if (found.length) show(...(found.find(([kind]) => kind !== "holds") ?? found[0]));
});
