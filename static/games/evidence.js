// What this browser notes of shoes, as a seat or an entrant, and its part in mixing at a seat. It computes
// the lock, shows its number under no other, and compares what is published.

import { byId, on } from "../casino/dom.js";
import { during } from "../casino/settled.js";
import { state } from "./board.js";
import { canonical, fixed, hashed, hex, joined } from "./bytes.js";
import { askAgain, tell } from "./server.js";

const place = byId("evidence");
const words = place.dataset;

const SEAT = { kind: "seat", bytes: 1, format: "shoe-note/1" };
export const ENTRANT = { kind: "entrant", bytes: 2, format: "event-note/1" };

const KEPT = 200;

const read = (key) => JSON.parse(localStorage.getItem(key));
const write = (key, value) => localStorage.setItem(key, JSON.stringify(value));

const same = (one, other) => canonical(one) === canonical(other);
const numbered = (part, number) => fixed(number, part.bytes);
export const commitmentOf = (part, shoe, number, bytes, version = 1) =>
  hashed(`CR${version}|${shoe}|${part.kind}`, numbered(part, number), bytes);

// An entry is a note with its state: commit taken, first fault, hand compared last.
const keyOf = ({ shoe, seat, entrant }) => `note ${shoe} ${seat ?? entrant}`;
export const entryOf = (shoe, number) => read(`note ${shoe} ${number}`);
const entries = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith("note "))
    .map(read);

// The entry may have changed since it was read.
export function keep(entry, changes, noted) {
  const { note, ...rest } = read(keyOf(entry.note)) ?? entry;
  Object.assign(entry, rest, changes, { note: { ...note, ...noted } });
  write(keyOf(note), entry);
  return entry;
}

// The latest are kept; those that accuse the house are kept longest.
function forget() {
  const order = entries().sort(
    (one, other) => Number(!one.wrong) - Number(!other.wrong) || other.at - one.at,
  );
  for (const { note } of order.slice(KEPT)) localStorage.removeItem(keyOf(note));
}

// All pages of one browser have one number for a part.
export const alone = (work) => navigator.locks.request("notes", work);
export function note(part, fields) {
  const empty = { format: part.format, lock: null, commits: {}, receipt: null };
  forget();
  return keep({ note: { ...empty, ...fields }, at: Date.now() });
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
    if (taken && own) wrong("commit");
    else if (wants === "reveal") show("without", entry);
    return false;
  }
  if ((await lockOf(part, shoe, seal, commits)) !== lock) return wrong("lock");
  return keep(entry, {}, noted);
}

// The lock over a seal and all commits; false where these are not what commits are.
async function lockOf(part, shoe, seal, commits) {
  const parts = Object.entries(commits).sort(([one], [other]) => Number(one) - Number(other));
  const most = 256 ** part.bytes;
  const whole = parts.every(
    ([number, commit]) =>
      Number(number) > 0 && Number(number) < most && /^[0-9a-f]{64}$/.test(commit),
  );
  return (
    whole &&
    hashed(
      `CR1|${shoe}|lock`,
      seal,
      ...parts.flatMap(([number, commit]) => [numbered(part, number), commit]),
    )
  );
}

async function stated(part, note, at) {
  const { shoe, seal, lock, commit, reveal } = note;
  const reveal_hash = await hashed("", reveal);
  return { shoe, [part.kind]: note[part.kind], seal, lock, commit, reveal_hash, at };
}

async function isSigned(part, { statement, signature, key }, note) {
  const due = await stated(part, note, statement.at);
  if (statement.late) due.late = true;
  if (!same(statement, due)) return false;
  const given = joined("", signature);
  const signed = joined(`CR1|receipt|${canonical(statement)}`);
  const own = joined("", key);
  try {
    const signer = await crypto.subtle.importKey("raw", own, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", signer, given, signed);
  } catch {
    // Older browsers know no such signatures.
    return true;
  }
}

// The key must be one that the house publishes.
const published = new Set();
async function isPublished(key) {
  if (!published.has(key)) {
    const { keys } = await (await fetch(words.keys, { cache: "no-cache" })).json();
    keys.forEach((one) => published.add(one));
  }
  return published.has(key);
}

// A receipt is kept even if the keys cannot be loaded: it can be checked later. The answer to an act has
// only what is not noted: time, signature and key.
export async function keepReceipt(part, entry, given) {
  const [at, signature, key] = String(given).split(" ");
  const receipt = key ? { statement: await stated(part, entry.note, at), signature, key } : given;
  const signed =
    (await isSigned(part, receipt, entry.note).catch(() => false)) &&
    (await isPublished(receipt.key).catch(() => true));
  if (signed) keep(entry, {}, { receipt });
  else accuse(entry, "receipt");
}

export const accuse = (entry, wrong, what) =>
  entry.wrong || show(wrong, keep(entry, { wrong, what }), what);

export function show(kind, { note }, what) {
  const [said, link] = place.children;
  place.classList.toggle("wrong", !["holds", "without"].includes(kind));
  said.textContent = words[kind]
    .replace("{shoe}", note.shoe)
    .replace("{what}", words[`the${what}`]);
  link.hidden = !note.lock;
  link.href = URL.createObjectURL(new Blob([JSON.stringify(note)], { type: "application/json" }));
  link.download = `${note.shoe}-note.json`;
  place.hidden = false;
}

// The numbers of a chain: each is what the one before it, and at first the tip, committed to.
const LINKS = 256;
// One ended hand in so many is compared.
const COMPARED = 16;

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

// One chain for each seat, with what was shown of it last, and before that.
const chainKey = (seat) => `chain T${words.table} ${seat}`;
const chainOf = (seat) => read(chainKey(seat));
const store = (seat, chain) => write(chainKey(seat), chain);

async function back(seat, link, steps) {
  for (; steps; steps -= 1) link = await commitmentOf(SEAT, `T${words.table}`, seat, link, 2);
  return link;
}

// No other shoe gets this number.
async function entryFor({ shoe, seal, seat, wants, commits, tip: ours }) {
  const known = entryOf(shoe, seat);
  const chain = chainOf(seat);
  if (known || wants !== "link" || !chain?.left) return known;
  const { seed, left, tip, last } = chain;
  const own = JSON.parse(commits)[seat];
  const entry = { note: { shoe, seat }, at: Date.now() };
  // The player may have started a chain in another browser; but no number is asked for twice.
  if (own === last || (own !== tip && ours === tip)) return void accuse(entry, "commit");
  if (own !== tip) return void show("without", entry);
  const link = await back(seat, seed, left - 1);
  store(seat, { seed, left: left - 1, tip: link, last: tip });
  return note(SEAT, { shoe, seal, seat: Number(seat), commit: tip, reveal: link });
}

const sent = ({ note }) => `${note.shoe} ${note.reveal}`;

// A number goes with the next act; while no hand is played, or after it, by itself.
let carried;
let rode;
async function reveal(board) {
  const { live, wants, mixTo } = board;
  const entry = await alone(() => entryFor(board));
  const may = entry && (await mayReveal(SEAT, entry, board, JSON.parse(board.commits)));
  carried = may && wants === "link" && !entry.note.receipt ? entry : null;
  if (carried && !live) await send(carried, mixTo);
}

async function send(entry, address) {
  const answer = await askAgain(address, { mix: sent(entry) });
  if (answer) await keepReceipt(SEAT, entry, answer.receipt);
}

async function compare(entry, hand) {
  const answer = await fetch(words.shoes.replace("SHOE", entry.note.shoe)).catch(() => null);
  if (!answer || answer.status >= 500) return;
  const shown = answer.ok && (await answer.json());
  const what = shown ? difference(entry.note, shown) : "seal";
  keep(entry, { compared: hand });
  if (what) accuse(entry, "hand", what);
  // Late, it is published all the same.
  else if (shown.void && !entry.note.receipt) await send(entry, state().mixTo);
}

const busy = new Set();
const missed = new Set();

// A board's request during this is carried out afterwards: no other board may come in time.
async function once(what, work) {
  if (busy.has(what)) return void missed.add(what);
  busy.add(what);
  await during(work()).finally(() => busy.delete(what));
  if (missed.delete(what)) takePart(state(), false);
}

let started;
async function start({ shoe, seat, mixTo }) {
  started = shoe;
  const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
  const tip = await back(seat, seed, LINKS);
  store(seat, { seed, left: LINKS, tip });
  await askAgain(mixTo, { mix: `start ${tip}` });
}

function takePart(board, returned) {
  const { shoe, dealt, seat, lock, wants, tip, ended, endedShoe } = board;
  if (carried?.note.shoe !== shoe) carried = null;
  // Browsers offer hashes only on HTTPS and localhost; otherwise the house mixes for us.
  if (!window.crypto?.subtle) return;
  if (!place.classList.contains("wrong")) place.hidden = true;
  if (shoe && seat) {
    const chain = chainOf(seat);
    const own = tip && [chain?.tip, chain?.last].includes(tip);
    // Older boards may still ask for a chain; and another browser may have started one.
    if ((wants === "start" && started !== shoe) || (returned && !own) || chain?.left === 0)
      during(start(board));
    if (lock) once(shoe, () => reveal(board));
  }
  for (const entry of entries()) {
    const { note, compared, wrong } = entry;
    if (!note.shoe.startsWith(`T${words.table}-`) || !note.lock || wrong) continue;
    const lies = note.shoe === shoe || note.shoe === dealt;
    const over = note.shoe === endedShoe ? ended : lies ? "" : "gone";
    if (!over || over === compared || compared === "gone") continue;
    const [chance] = crypto.getRandomValues(new Uint8Array(1));
    if (over === "gone" ? compared : chance % COMPARED) keep(entry, { compared: over });
    else once(`ended ${note.shoe}`, () => compare(entry, over));
  }
}

// Who leaves may not be there to show a number: the one that is due comes at once, and no other.
function leave() {
  const { shoe, seat, mixTo } = state();
  const chain = shoe && seat && chainOf(seat);
  if (!chain) return;
  if (carried) tell(mixTo, { mix: sent(carried) });
  tell(mixTo, { mix: `end ${chain.tip}` });
}

if (words.table) {
  window.addEventListener("pagehide", leave);
  on("freeze", leave);
  window.addEventListener("pageshow", ({ persisted }) => persisted && takePart(state(), true));
  on("resume", () => takePart(state(), true));
  on("htmx:configRequest", ({ detail: { path, parameters } }) => {
    if (!carried || !path.endsWith("/act/")) return;
    parameters.mix = sent(carried);
    rode = carried;
  });
  on("htmx:afterRequest", ({ detail: { xhr } }) => {
    const receipt = xhr.getResponseHeader("Mix-Receipt");
    if (receipt) during(keepReceipt(SEAT, rode, receipt));
  });
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
