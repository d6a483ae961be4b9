// This browser's part in mixing the shoe of a tournament: it commits once its player has entered, shows its
// number under the lock that it computes, and then checks the mix and every draw.

import { byId, on } from "../casino/dom.js";
import { during } from "../casino/settled.js";
import { hex } from "../games/bytes.js";
import {
  ENTRANT,
  accuse,
  alone,
  commitmentOf,
  entryOf,
  keep,
  keepReceipt,
  mayReveal,
  note,
  show,
} from "../games/evidence.js";
import { askAgain, tell } from "../games/server.js";
import { checkShoe, isClean } from "./shoe_check.js";

const state = () => byId("event-shoe")?.dataset ?? {};

async function published(address) {
  const answer = await fetch(address, { cache: "no-cache" }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

const given = (shown, name) =>
  Object.fromEntries(shown.entrants.map((one) => [one.entrant, one[name]]));

async function draw({ shoe, seal, entrant }) {
  const reveal = hex(crypto.getRandomValues(new Uint8Array(32)));
  const commit = await commitmentOf(ENTRANT, shoe, entrant, reveal);
  return note(ENTRANT, { shoe, seal, entrant: Number(entrant), commit, reveal });
}

async function commit(event) {
  const { shoe, seal, entrant, commitTo } = event;
  // Read before it draws, as the page may show a lock by then.
  const noted = entryOf(shoe, entrant);
  if (noted?.note.lock) return accuse(noted, "lock");
  const entry = await alone(() => entryOf(shoe, entrant) || draw(event));
  if (entry.note.seal !== seal) return accuse(entry, "seal");
  const answer = await askAgain(commitTo, { commit: entry.note.commit });
  if (answer) keep(entry, { taken: answer.commit === entry.note.commit });
}

async function reveal(entry, event) {
  const { wants, revealTo } = event;
  if (entry.note.receipt) return;
  const shown = await published(event.published);
  if (!shown || !(await mayReveal(ENTRANT, entry, event, given(shown, "commit")))) return;
  if (wants !== "reveal") return;
  const answer = await askAgain(revealTo, { reveal: entry.note.reveal });
  if (answer) await keepReceipt(ENTRANT, entry, answer.receipt);
}

// Whether mix and draws follow from what was noted before anything was drawn.
async function follows({ note }, shown) {
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

function withdraw() {
  const { shoe, entrant, lock, withdrawTo } = state();
  const entry = shoe && entrant && !lock ? entryOf(shoe, entrant) : null;
  if (!entry || entry.note.lock) return;
  keep(entry, { taken: false });
  tell(withdrawTo, { commit: entry.note.commit });
}

window.addEventListener("pagehide", withdraw);
window.addEventListener("pageshow", ({ persisted }) => persisted && takePart(true));
on("freeze", withdraw);
on("resume", () => takePart(true));
on("htmx:afterSettle", ({ target }) => target.id === "event" && takePart(false));
on("DOMContentLoaded", () => takePart(true));
const place = byId("evidence");
place.querySelector("button").addEventListener("click", () => (place.hidden = true));
