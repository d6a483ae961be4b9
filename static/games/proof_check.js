// Checks the record of a hand as docs/fairness.md says, from nothing but what it is given.

import { canonical, fixed, hashed, hex, joined } from "./bytes.js";

const subtle = crypto.subtle;
const text = new TextEncoder();
// Those of some that do not hold.
export async function failing(some, test) {
  const held = await Promise.all(some.map(test));
  return some.filter((_, i) => !held[i]);
}

// The formulas of one shoe; values are hexadecimal digits.
export function shoeProtocol(id, version = 1) {
  const name = `CR${version}|${id}|`;
  const hash = (what, ...parts) => hashed(name + what, ...parts);
  async function perm(key, label, n) {
    const signer = await subtle.importKey(
      "raw",
      joined("", key),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const order = [...Array(n).keys()];
    let words = [];
    let block = 0;
    for (let last = n - 1; last > 0; last -= 1) {
      let word;
      do {
        if (!words.length)
          words = hex(
            await subtle.sign("HMAC", signer, joined(name + label, fixed(block++, 4))),
          ).match(/.{4}/g);
        word = parseInt(words.shift(), 16);
      } while (word >= 65536 - (65536 % (last + 1)));
      const other = word % (last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
  return { hash, perm };
}

const SIZES = {
  wild: 51,
  "bonus-card": 52,
  "wheel-card": 52,
  "lucky-card": 52,
  wheel: 0,
  "lucky-game": 0,
};
const named = (value) => "23456789TJQKA"[value % 13] + "cdhs"[Math.floor(value / 13)];

const octetsOf = (value) => hex(text.encode(canonical(value)));
const sha = (digits) => hashed("", digits);
const unless = (made, given) => (made === given ? [] : [given]);

// An action with null in place of every card.
function withoutCards(action) {
  if (Array.isArray(action)) return action.map(withoutCards);
  if (action && typeof action === "object")
    return Object.fromEntries(
      Object.entries(action).map(([name, part]) => [name, withoutCards(part)]),
    );
  return /^([2-9TJQKA][cdhs]|[BR]J)$/.test(action) ? null : action;
}

const OPENING = ["id", "game", "rules_version", "options", "stakes", "started", "ended"];
export const MYSTERY = "mystery_left";
// What the mystery prize lacks stands as this while it is closed.
const MYSTERY_CLOSED = 1e15;

// The parts of a record, by name, as in games/rules/record.py.
/** @param {any} record */
function partsOf({ shoe, context = {}, cards, moves = [], digest, ...record }) {
  const { [MYSTERY]: mystery, ...beside } = context;
  const parts = new Map(
    Object.entries(digest.players ?? {}).map(([seat, player]) => [`player/${seat}`, player]),
  );
  if (mystery !== undefined && !(MYSTERY in (digest.leaves ?? {}) && mystery === MYSTERY_CLOSED))
    parts.set(MYSTERY, mystery);
  const { id, from, round, mix, seats = [] } = shoe;
  const opened = Object.fromEntries(OPENING.map((name) => [name, record[name] ?? null]));
  parts.set("hand", {
    ...opened,
    context: beside,
    shoe: { id, from, round, mix, seats: seats.map((one) => [one.seat, one.who]) },
    cards: cards.length,
  });
  moves.forEach((move, number) => {
    const action = withoutCards(move.action);
    parts.set(`move/${number}`, { ...move, action });
    if (canonical(action) !== canonical(move.action)) parts.set(`cards/${number}`, move.action);
  });
  return parts.set("settlement", record.settlement ?? null);
}

// Faults of a record's digest: parts too many or too few, or the whole.
async function digestWrong(record, hash) {
  const { value, salts, leaves = {} } = record.digest;
  const parts = partsOf(record);
  const closable = (name) => /^(cards|player)\/\d+$/.test(name) || name in record.context;
  const wrong = [
    ...[...parts.keys()].filter((name) => !(name in salts) || name in leaves),
    ...Object.keys(salts).filter((name) => !parts.has(name)),
    ...Object.keys(leaves).filter((name) => !parts.has(name) && !closable(name)),
  ];
  if (wrong.length) return wrong;
  const made = { ...leaves };
  await Promise.all(
    Object.entries(salts).map(async ([name, salt]) => {
      made[name] = await hash("part", salt, octetsOf([name, parts.get(name)]));
    }),
  );
  return unless(await hash("record", octetsOf(made)), value);
}

// Faults of an entry of the public chain.
async function entryWrong(file, kind, due) {
  const { previous, head, entry } = file;
  if (previous.length !== 64 || (await sha(previous + (await sha(octetsOf(entry))))) !== head)
    return [head];
  if (entry.kind !== kind) return [entry.kind];
  return Object.keys(due).filter((name) => canonical(entry.body[name]) !== canonical(due[name]));
}

async function chainWrong({ id, shoe, settlement, digest, ...record }, entry) {
  const whose = { hand: id, shoe: shoe.id };
  const wrong = await entryWrong(entry, "hand", { ...whose, settlement, digest: digest?.value });
  if ("void" in record !== "taken_back" in entry) wrong.push("void");
  return entry.taken_back && !wrong.length
    ? entryWrong(entry.taken_back, "hand_void", whose)
    : wrong;
}

// Where a browser's note differs; the receipt's signature is not checked.
async function noteWrong({ shoe }, { receipt, ...note }) {
  const seats = new Map((shoe.seats ?? []).map((one) => [one.seat, one]));
  const own = seats.get(note.seat);
  const due = {
    shoe: shoe.id,
    seal: shoe.seal,
    lock: shoe.lock,
    commit: own?.commit,
    reveal: own?.who === "player" && own.reveal,
    commits: Object.fromEntries([...seats].map(([seat, one]) => [seat, one.commit])),
  };
  const signed = { ...note, reveal_hash: await sha(note.reveal) };
  const stated = Object.entries(receipt?.statement ?? {}).filter(
    ([name, value]) => name !== "at" && signed[name] !== value,
  );
  return [
    ...Object.keys(due).filter((name) => canonical(due[name]) !== canonical(note[name])),
    ...stated.map(([name]) => `receipt: ${name}`),
  ];
}

// The name under which the cards are sealed, and the parts of the mix: by seats of a table, or by
// entrants of an event that has sealed all its deals at once.
async function mixedBy({ id, version = 1, seal, seats = [], deal }) {
  if (!deal) {
    const given = seats.map((one) => ({ ...one, what: "seat", number: fixed(one.seat, 1) }));
    const { hash } = shoeProtocol(id);
    // A link is committed to before its shoe has a name.
    const { hash: links } = shoeProtocol(version > 1 ? id.split("-")[0] : id, version);
    return { name: id, sealed: seal, given, hash, links, ours: true };
  }
  const { event, round, deal: which, deals_a_round: many, deals, entrants } = deal;
  const { hash } = shoeProtocol(event);
  const numbers = entrants.map((one) => one.entrant);
  return {
    name: `${event}-R${round}-D${which}`,
    sealed: deal.seal,
    given: entrants.map((one) => ({
      ...one,
      what: "entrant",
      seat: one.entrant,
      number: fixed(one.entrant, 2),
    })),
    hash,
    links: hash,
    ours:
      which > 0 &&
      which <= many &&
      numbers.every((one, i) => !i || one > numbers[i - 1]) &&
      deals[(round - 1) * many + which - 1] === seal &&
      (await hash("deals", deal.sealed, ...deals)) === deal.seal,
  };
}

// The faults of each step, how each card is known, and the parts that are closed to the reader.
// Moves and result need the hand's entry in the public chain.
export async function check(record, entry, note) {
  const { format, cards, shoe, context, digest } = record;
  if (format !== "hand-record/1") throw new Error(format);
  const { seal, key, x_0, x_m, leaves, lock, mix, draws = [], openings = [] } = shoe;
  const { name, sealed, given, ours, hash: mixing, links } = await mixedBy(shoe);
  const { hash, perm } = shoeProtocol(name);
  // A longer leaf could hide a second deal.
  const whole =
    leaves.length === (52 + 2 * shoe.jokers) * shoe.decks &&
    leaves.every((leaf) => leaf.length === 64);
  const cut = await perm(mix, "cut", leaves.length);
  let link = x_m;
  for (let m = 0; x_m && m < Math.min(shoe.round, 257); m += 1) link = await hash("draw", link);
  const chance = x_m && (await hash("draw-mix", mix, x_m));
  const drawn = Object.fromEntries(
    draws.map(({ label, value }) => [label, SIZES[label] === 52 ? named(value) : value]),
  );
  const closed = await failing(
    openings,
    async ({ k, card, salt }) =>
      cut[k] >= 0 &&
      (await hash("leaf", fixed(cut[k], 2), hex(text.encode(card)), salt)) === leaves[cut[k]],
  );
  const proofs = new Map(openings.map((one) => [one.k - shoe.from, one]));
  const deal = cards.map((card, i) => {
    const proof = proofs.get(i);
    const proved = proof?.card === card && !closed.includes(proof);
    return {
      k: shoe.from + i,
      card,
      known: proved ? "proved" : card || proof ? "unproved" : "unseen",
    };
  });
  const steps = {
    format: [],
    seal: unless(whole && ours && (await hash("seal", key, x_0, ...leaves)), seal),
    commit: (
      await failing(
        given,
        // For an entrant who withholds what was committed to the house mixes.
        async ({ what, number, who, commit, reveal }) =>
          (what === "entrant" && who === "house") || (await links(what, number, reveal)) === commit,
      )
    ).map((one) => one.seat),
    lock: unless(
      given.length &&
        (await mixing("lock", sealed, ...given.map((one) => one.number + one.commit))),
      lock,
    ),
    mix: unless(await mixing("mix", lock, ...given.map((one) => one.reveal)), mix),
    "draw-chain": x_m || draws.length ? unless(link, x_0) : [],
    draw: (
      await failing(
        draws,
        async ({ label, n, value }) =>
          chance &&
          label in SIZES &&
          (SIZES[label] || n) === n &&
          n <= 1000 &&
          (await perm(chance, label, n))[0] === value,
      )
    ).map((one) => one.label),
    opening: closed.map((one) => one.k + 1),
    cards: [
      ...deal.filter(({ card }, i) => card !== (proofs.get(i)?.card ?? null)),
      ...openings.filter((one) => !(one.k - shoe.from in cards)),
    ].map((one) => one.k + 1),
    context: Object.keys(SIZES).filter(
      (label) => (context?.[label.replace("-", "_")] ?? null) !== (drawn[label] ?? null),
    ),
  };
  const dealt = !Object.values(steps).some((wrong) => wrong.length);
  if (digest) steps.digest = await digestWrong(record, shoeProtocol(shoe.id).hash);
  if (entry) steps.chain = await chainWrong(record, entry);
  if (note) steps.note = await noteWrong(record, note);
  const bound = Boolean(entry) && !steps.chain.length && !steps.digest?.length;
  return {
    steps,
    deal,
    closed: Object.keys(digest?.leaves ?? {}).sort(),
    proved: { cards: dealt, moves: bound && Boolean(digest), result: bound },
  };
}
