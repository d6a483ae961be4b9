// The panel that checks a record in the browser. The record is not sent; only the hand's entry in the
// public chain is fetched.

import { byId, dispatch, every } from "../casino/dom.js";
import { during } from "../casino/settled.js";
import { check, MYSTERY } from "./proof_check.js";

const SIZE_MAX = 1e6;
const sign = (card) =>
  card.replace("T", "10").replace(/[cdhs]$/, (suit) => "♣♦♥♠"["cdhs".indexOf(suit)]);

const panel = byId("proof-check");
const said = byId("proof-said");
const filled = (words, values) => words.replace(/{(\w+)}/g, (_, name) => values[name]);

function say(what, values = {}) {
  said.className = what;
  said.textContent = filled(panel.dataset[what], values);
}

// A closed part, as people call it; moves are counted from 1.
function partNamed(name) {
  const [what, number] = name.split("/");
  return filled(panel.dataset[`part${what === MYSTERY ? "Mystery" : what}`] ?? name, {
    number: what === "cards" ? Number(number) + 1 : number,
  });
}

// What was proved and what was not: cards, moves and result.
function showProved({ proved, deal, closed }, { record, entry }, why) {
  const words = panel.querySelector(".proof-parts");
  const values = {
    proved: deal.filter((one) => one.known === "proved").length,
    all: deal.length,
    moves: record.moves?.length ?? 0,
    position: entry?.position,
    why: panel.dataset[entry ? (proved.result && !proved.moves ? "undigested" : "failed") : why],
    closed: closed.map(partNamed).join(", "),
  };
  const lines = Object.entries(proved).map(([what, holds]) => [
    filled(words.dataset[what + (holds ? "Proved" : "Not")], values),
    holds ? "holds" : "open",
  ]);
  if (closed.length) lines.push([filled(words.dataset.closed, values), "open"]);
  words.replaceChildren(
    ...lines.map(([line, known]) => {
      const item = document.createElement("li");
      item.className = known;
      item.textContent = line;
      return item;
    }),
  );
}

function show(steps, deal = []) {
  panel.querySelector(".proof-parts").replaceChildren();
  for (const row of every("[data-step]", panel)) {
    const wrong = steps[row.dataset.step];
    row.className = wrong ? (wrong.length ? "broken" : "holds") : "";
    row.querySelector(".why").textContent = wrong?.length
      ? `${row.dataset.why} ${wrong.slice(0, 5).join(", ")}`
      : "";
  }
  panel.querySelector(".deal").replaceChildren(
    ...deal.map(({ card, known }) => {
      const place = document.createElement("li");
      place.className = known;
      place.textContent = (card ? sign(card) : "") + panel.dataset[known];
      return place;
    }),
  );
}

// The files given, by format. A missing entry is fetched.
const FORMATS = { "hand-record/1": "record", "chain-entry/1": "entry", "shoe-note/1": "note" };
let brought = {};
let reads = 0;

async function entryOf({ id }) {
  if (!panel.dataset.entry || !/^[\w-]+$/.test(id ?? "")) return null;
  const answer = await fetch(panel.dataset.entry.replace("CODE", id));
  return answer.ok ? answer.json() : null;
}

async function judge() {
  const mine = ++reads;
  let { record, entry, note } = brought;
  if (!record) return say("alone");
  let why = "unlinked";
  if (!entry) entry = await entryOf(record).catch(() => void (why = "unloaded"));
  let judged;
  try {
    judged = await check(record, entry, note);
  } catch (error) {
    judged = error;
  }
  if (mine !== reads) return;
  if (judged instanceof Error) {
    show({ format: [judged.message] });
  } else {
    show(judged.steps, judged.deal);
    showProved(judged, { record, entry }, why);
    dispatch("record", record);
  }
  const step = panel.querySelector(".broken b")?.textContent;
  say(step ? "broken" : judged.proved.moves && judged.proved.result ? "holds" : "partly", { step });
}

// Files or one pasted text; files for another hand are dropped.
async function read(...texts) {
  show({});
  reads += 1;
  if (!crypto.subtle) return say("subtle");
  if (texts.some((one) => one.length > SIZE_MAX)) return say("large");
  let files;
  try {
    files = texts.map((one) => JSON.parse(one));
  } catch {
    return say("unread");
  }
  const named = Object.fromEntries(files.map((file) => [FORMATS[file?.format] ?? "record", file]));
  const { record } = named;
  const same = record && brought.record?.id === record.id;
  brought = record && !same ? named : { ...brought, ...named };
  return during(judge());
}

if (panel.dataset.record)
  during(
    fetch(panel.dataset.record)
      .then((answer) => answer.text())
      .then(read, () => say("lost")),
  );
panel.addEventListener("input", async ({ target }) => {
  if (target.files)
    read(
      ...(await Promise.all([...target.files].map((file) => file.slice(0, SIZE_MAX + 1).text()))),
    );
  else read(target.value);
});
