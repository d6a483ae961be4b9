// Notes of the shoes that this browser helps to mix, and the formulas, which name the kind of a part (a
// seat or an entrant) and write its number in so many bytes.

import { byId, every } from "../casino/dom.js";
import { canonical, hex, octets } from "./bytes.js";
import { askAgain } from "./server.js";

export const SEAT = { kind: "seat", bytes: 1, format: "shoe-note/1" };
export const ENTRANT = { kind: "entrant", bytes: 2, format: "event-note/1" };

const KEPT = 200;

export const same = (one, other) => canonical(one) === canonical(other);
const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
export const hashed = (shoe, what, bytes) =>
  sha256([...new TextEncoder().encode(`CR1|${shoe}|${what}`), ...bytes]);
const numbered = (number, { bytes }) =>
  octets(
    Number(number)
      .toString(16)
      .padStart(2 * bytes, "0"),
  );

// An entry is a note with its state: commit taken, first fault, hand compared last.
const keyOf = ({ shoe, seat, entrant }) => `note ${shoe} ${seat ?? entrant}`;
export const entryOf = (shoe, number) => JSON.parse(localStorage.getItem(`note ${shoe} ${number}`));
export const entries = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith("note "))
    .map((key) => JSON.parse(localStorage.getItem(key)));

// The entry may have changed since it was read.
export function keep(entry, changes, noted) {
  const { note, ...rest } = JSON.parse(localStorage.getItem(keyOf(entry.note))) ?? entry;
  Object.assign(entry, rest, changes, { note: { ...note, ...noted } });
  localStorage.setItem(keyOf(note), JSON.stringify(entry));
  return entry;
}

// The latest are kept; those that accuse the house are kept longest.
function forget() {
  const order = entries().sort((one, other) => !one.wrong - !other.wrong || other.at - one.at);
  for (const { note } of order.slice(KEPT)) localStorage.removeItem(keyOf(note));
}

// All pages of one browser have one number for a part.
async function drawOnce(part, shoe, seal, number) {
  const draw = async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const commit = await hashed(shoe, part.kind, [...numbered(number, part), ...bytes]);
    const note = {
      format: part.format,
      shoe,
      seal,
      lock: null,
      commits: {},
      [part.kind]: number,
      commit,
      reveal: hex(bytes),
      receipt: null,
    };
    keep({ note, at: Date.now() });
    forget();
  };
  await navigator.locks.request("notes", async () => entryOf(shoe, number) || draw());
  return entryOf(shoe, number);
}

// The lock over a seal and all commits; false where these are not what commits are.
async function lockOf(part, shoe, seal, commits) {
  const parts = Object.entries(commits).sort(([one], [other]) => one - other);
  const most = 256 ** part.bytes;
  const whole = parts.every(
    ([number, commit]) => number > 0 && number < most && /^[0-9a-f]{64}$/.test(commit),
  );
  return (
    whole &&
    hashed(shoe, "lock", [
      ...octets(seal),
      ...parts.flatMap(([number, commit]) => [...numbered(number, part), ...octets(commit)]),
    ])
  );
}

async function isSigned(part, { statement, signature, key }, note) {
  const { shoe, seal, lock, commit, reveal, [part.kind]: number } = note;
  const reveal_hash = await sha256(octets(reveal));
  const due = { shoe, [part.kind]: number, seal, lock, commit, reveal_hash, at: statement.at };
  // The bytes came after the shoe had been voided.
  if (statement.late) due.late = true;
  if (!same(statement, due)) return false;
  const text = new TextEncoder().encode(`CR1|receipt|${canonical(statement)}`);
  try {
    const signer = await crypto.subtle.importKey(
      "raw",
      Uint8Array.from(octets(key)),
      "Ed25519",
      false,
      ["verify"],
    );
    return await crypto.subtle.verify("Ed25519", signer, Uint8Array.from(octets(signature)), text);
  } catch {
    // Older browsers know no such signatures; the verifier does.
    return true;
  }
}

// The key must be one that the house publishes.
const published = new Set();
async function isPublished(key) {
  if (!published.has(key)) {
    const { keys } = await (
      await fetch(byId("evidence").dataset.keys, { cache: "no-cache" })
    ).json();
    keys.forEach((one) => published.add(one));
  }
  return published.has(key);
}

// Commit to this browser's number for a shoe.
export async function commitOnce(part, { shoe, seal, [part.kind]: number, commitTo }, fields) {
  // Read before it draws, as the page may show a lock by then.
  const noted = entryOf(shoe, number);
  if (noted?.note.lock) return accuse(noted, "lock");
  const entry = await drawOnce(part, shoe, seal, Number(number));
  if (entry.note.seal !== seal) return accuse(entry, "seal");
  const answer = await askAgain(commitTo, { ...fields, commit: entry.note.commit });
  if (answer) keep(entry, { taken: answer.commit === entry.note.commit });
}

// Take a commit back: who leaves the page may not be there to reveal.
export function withdrawFrom(address, entry, fields) {
  if (!entry || entry.note.lock) return;
  keep(entry, { taken: false });
  const [{ value }] = every("[name=csrfmiddlewaretoken]");
  navigator.sendBeacon(
    address,
    new URLSearchParams({ csrfmiddlewaretoken: value, commit: entry.note.commit, ...fields }),
  );
}

// Whether the number may be shown: only under the lock that this browser works out from its note. An
// event's lock binds the commits of too many entrants to note them all.
export async function mayReveal(part, entry, { shoe, seal, lock, wants }, commits) {
  const { note, taken } = entry;
  const noted = part === SEAT ? { lock, commits } : { lock };
  const own = commits[note[part.kind]];
  const wrong = (what) => void accuse(entry, what);
  if (note.seal !== seal) return wrong("seal");
  if (note.lock)
    return Object.keys(noted).every((name) => same(note[name], noted[name])) || wrong("lock");
  if (own !== note.commit) {
    // The player may have committed in another browser, or left the page.
    if (taken && own) wrong("commit");
    else if (wants === "reveal") show("without", entry);
    return false;
  }
  if ((await lockOf(part, shoe, seal, commits)) !== lock) return wrong("lock");
  // From here on there is no other lock for this number.
  return keep(entry, {}, noted);
}

// Reveal the number, and keep the receipt.
export async function revealOnce(part, entry, address, fields) {
  const answer = await askAgain(address, { ...fields, reveal: entry.note.reveal });
  if (!answer) return;
  // A receipt is kept even if the keys cannot be loaded: it can be checked later.
  const signed =
    (await isSigned(part, answer.receipt, entry.note)) &&
    (await isPublished(answer.receipt.key).catch(() => true));
  if (signed) keep(entry, {}, { receipt: answer.receipt });
  else accuse(entry, "receipt");
}

// Report the first fault.
export const accuse = (entry, wrong, what) =>
  entry.wrong || show(wrong, keep(entry, { wrong, what }), what);

// Say how the house compares with a note, and offer the note.
export function show(kind, { note }, what) {
  const place = byId("evidence");
  const [said, link] = place.children;
  place.classList.toggle("wrong", !["holds", "without"].includes(kind));
  said.textContent = place.dataset[kind]
    .replace("{shoe}", note.shoe)
    .replace("{what}", place.dataset[`the${what}`]);
  link.hidden = !note.lock;
  link.href = URL.createObjectURL(new Blob([JSON.stringify(note)], { type: "application/json" }));
  link.download = `${note.shoe}-note.json`;
  place.hidden = false;
}
