// Notes of the shoes that this browser helps to mix, and the formulas. A part belongs to a seat or to an
// entrant: the formulas name its kind, and write its number in so many bytes.

import { canonical, hex, octets } from "./bytes.js";

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

// Another page, or a part of this one, may have added to the entry since it was read.
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
export async function drawOnce(part, shoe, seal, number) {
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
export async function lockOf(part, shoe, seal, commits) {
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

export async function isSigned(part, { statement, signature, key }, note) {
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
export async function isPublished(key, address) {
  if (!published.has(key)) {
    const { keys } = await (await fetch(address, { cache: "no-cache" })).json();
    keys.forEach((one) => published.add(one));
  }
  return published.has(key);
}

export const download = ({ note }) =>
  URL.createObjectURL(new Blob([JSON.stringify(note)], { type: "application/json" }));
