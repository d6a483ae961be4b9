// This browser's part in mixing the shoe of a tournament. It commits once its player has entered,
// computes the lock by itself, shows its number under no other, and then checks the mix and every draw.

import { byId, every, on } from "../casino/dom.js";
import { during } from "../casino/settled.js";
import {
  ENTRANT,
  download,
  drawOnce,
  entryOf,
  isPublished,
  isSigned,
  keep,
  lockOf,
} from "../games/notes.js";
import { askAgain } from "../games/server.js";

const place = byId("evidence");
const words = place.dataset;
const state = () => byId("event-shoe")?.dataset ?? {};

function show(kind, entry) {
  const [said, link] = place.children;
  place.classList.toggle("wrong", !["holds", "without"].includes(kind));
  said.textContent = words[kind].replace("{shoe}", entry.note.shoe);
  link.hidden = !entry.note.lock;
  link.href = download(entry);
  link.download = `${entry.note.shoe}-note.json`;
  place.hidden = false;
}

// Report the first fault.
const accuse = (entry, wrong) => entry.wrong || show(wrong, keep(entry, { wrong }));

async function published(address) {
  const answer = await fetch(address, { cache: "no-cache" }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

const given = (shown, name) =>
  Object.fromEntries(shown.entrants.map((one) => [one.entrant, one[name]]));

async function commit({ shoe, seal, entrant, commitTo }) {
  const entry = await drawOnce(ENTRANT, shoe, seal, Number(entrant));
  if (entry.note.seal !== seal) return accuse(entry, "seal");
  if (entry.note.lock) return accuse(entry, "lock");
  const answer = await askAgain(commitTo, { commit: entry.note.commit });
  if (answer) keep(entry, { taken: answer.commit === entry.note.commit });
}

async function reveal(entry, { shoe, seal, entrant, lock, wants, revealTo, published: address }) {
  if (entry.note.receipt) return;
  const shown = await published(address);
  if (!shown) return;
  const commits = given(shown, "commit");
  if (entry.note.seal !== seal) return accuse(entry, "seal");
  if (entry.note.lock) {
    if (entry.note.lock !== lock) return accuse(entry, "lock");
  } else {
    if (commits[entrant] !== entry.note.commit) {
      // Another browser of the same player may have been first, or the page that committed was left.
      if (entry.taken && commits[entrant]) return accuse(entry, "commit");
      return wants === "reveal" && show("without", entry);
    }
    if ((await lockOf(ENTRANT, shoe, seal, commits)) !== lock) return accuse(entry, "lock");
    // From here on there is no other lock for this number; it binds the commits of all.
    keep(entry, {}, { lock });
  }
  if (wants !== "reveal") return;
  const answer = await askAgain(revealTo, { reveal: entry.note.reveal });
  if (!answer) return;
  const signed =
    (await isSigned(ENTRANT, answer.receipt, entry.note)) &&
    (await isPublished(answer.receipt.key, words.keys).catch(() => true));
  if (signed) keep(entry, {}, { receipt: answer.receipt });
  else accuse(entry, "receipt");
}

// Whether mix and draws follow from what was noted before anything was drawn.
async function follows({ note }, shown) {
  const { checkShoe, isClean } = await import("./shoe_check.js");
  const own = given(shown, "reveal")[note.entrant];
  return (
    shown.id === note.shoe &&
    shown.seal === note.seal &&
    shown.lock === note.lock &&
    // The house mixes for an entrant who withholds the number.
    !(note.receipt && own !== note.reveal) &&
    isClean(await checkShoe(shown))
  );
}

async function compare(entry, { published: address }) {
  const shown = await published(address);
  if (!shown?.mix) return;
  if (await follows(entry, shown)) show("holds", keep(entry, { compared: true }));
  else accuse(entry, "mix");
}

let busy = false;

// One thing at a time: the next page asks again.
async function work(returned) {
  const now = { ...state() };
  const { shoe, entrant, lock, mix, wants } = now;
  // Outside HTTPS and the own machine the browser offers no hashes: then the house mixes for us.
  if (busy || !window.crypto?.subtle || !shoe || !entrant) return;
  busy = true;
  try {
    const own = entryOf(shoe, entrant);
    if (wants === "commit" || (returned && own && !lock)) await commit(now);
    else if (own && lock && !mix && !own.wrong) await reveal(own, now);
    else if (own?.note.lock && mix && !own.wrong && !own.compared) await compare(own, now);
  } finally {
    busy = false;
  }
}

const takePart = (returned) => during(work(returned));

// A player who leaves before the lock may not be there to reveal: the house then mixes.
function withdraw() {
  const { shoe, entrant, lock, withdrawTo } = state();
  const entry = shoe && entrant && !lock && entryOf(shoe, entrant);
  if (!entry || entry.note.lock) return;
  keep(entry, { taken: false });
  const [{ value }] = every("[name=csrfmiddlewaretoken]");
  navigator.sendBeacon(
    withdrawTo,
    new URLSearchParams({ csrfmiddlewaretoken: value, commit: entry.note.commit }),
  );
}

window.addEventListener("pagehide", withdraw);
window.addEventListener("pageshow", ({ persisted }) => persisted && takePart(true));
on("freeze", withdraw);
on("resume", () => takePart(true));
on("htmx:afterSettle", ({ target }) => target.id === "event" && takePart(false));
on("DOMContentLoaded", () => takePart(true));
place.querySelector("button").addEventListener("click", () => (place.hidden = true));
