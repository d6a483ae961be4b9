// Checks the record of a hand as docs/fairness.md says. Nothing is sent.

const subtle = crypto.subtle;
const SIZE_MAX = 1e6;
const text = new TextEncoder();
const fixed = (number, digits) => number.toString(16).padStart(digits, "0");

function octets(told) {
  if (!/^([0-9a-f]{2})+$/.test(told)) throw new Error(told);
  return told.match(/../g).map((pair) => parseInt(pair, 16));
}

// The formulas of one shoe; values are hexadecimal digits.
export function ceremony(id) {
  const prefixed = (what, ...parts) => Uint8Array.from([...text.encode(`CR1|${id}|${what}`), ...parts.flatMap(octets)]);
  const hash = async (...parts) => hex(await subtle.digest("SHA-256", prefixed(...parts)));
  async function perm(key, label, n) {
    const signer = await subtle.importKey("raw", Uint8Array.from(octets(key)), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const order = [...Array(n).keys()];
    let words = [];
    let block = 0;
    for (let last = n - 1; last > 0; last -= 1) {
      let word;
      do {
        if (!words.length) words = hex(await subtle.sign("HMAC", signer, prefixed(label, fixed(block++, 8)))).match(/.{4}/g);
        word = parseInt(words.shift(), 16);
      } while (word >= 65536 - (65536 % (last + 1)));
      const other = word % (last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
  return { hash, perm };
}

const SIZES = { wild: 51, "bonus-card": 52, "wheel-card": 52, "lucky-card": 52, wheel: 0, "lucky-game": 0 };
const named = (value) => "23456789TJQKA"[value % 13] + "cdhs"[Math.floor(value / 13)];
const sign = (card) => card.replace("T", "10").replace(/[cdhs]$/, (suit) => "♣♦♥♠"["cdhs".indexOf(suit)]);

// For each step what is wrong, and how each card is known.
export async function check({ format, cards, shoe, context }) {
  if (format !== "hand-record/1") throw new Error(format);
  const { seal, key, x_0, x_m, leaves, seats, lock, mix, draws = [], openings = [] } = shoe;
  const { hash, perm } = ceremony(shoe.id);
  const unless = (given, told) => (given === told ? [] : [told]);
  const failing = async (some, test) => {
    const held = await Promise.all(some.map(test));
    return some.filter((_, i) => !held[i]);
  };
  // A longer leaf could hide a second deal.
  const whole = leaves.length === (52 + 2 * shoe.jokers) * shoe.decks && leaves.every((leaf) => leaf.length === 64);
  const cut = await perm(mix, "cut", leaves.length);
  let link = x_m;
  for (let m = 0; x_m && m < Math.min(shoe.round, 257); m += 1) link = await hash("draw", link);
  const chance = x_m && (await hash("draw-mix", mix, x_m));
  const told = Object.fromEntries(draws.map(({ label, value }) => [label, SIZES[label] === 52 ? named(value) : value]));
  const closed = await failing(openings, async ({ k, card, salt }) =>
    cut[k] >= 0 && (await hash("leaf", fixed(cut[k], 4), hex(text.encode(card)), salt)) === leaves[cut[k]]);
  const proofs = new Map(openings.map((one) => [one.k - shoe.from, one]));
  const deal = cards.map((card, i) => {
    const proof = proofs.get(i);
    const proved = proof?.card === card && !closed.includes(proof);
    return { k: shoe.from + i, card, known: proved ? "proved" : card || proof ? "unproved" : "unseen" };
  });
  const steps = {
    format: [],
    seal: unless(whole && (await hash("seal", key, x_0, ...leaves)), seal),
    commit: (await failing(seats, async (one) => (await hash("seat", fixed(one.seat, 2), one.reveal)) === one.commit)).map((one) => one.seat),
    lock: unless(seats.length && (await hash("lock", seal, ...seats.map((one) => fixed(one.seat, 2) + one.commit))), lock),
    mix: unless(await hash("mix", lock, ...seats.map((one) => one.reveal)), mix),
    "draw-chain": x_m || draws.length ? unless(link, x_0) : [],
    draw: (await failing(draws, async ({ label, n, value }) =>
      chance && label in SIZES && (SIZES[label] || n) === n && n <= 1000 && (await perm(chance, label, n))[0] === value)).map((one) => one.label),
    opening: closed.map((one) => one.k + 1),
    cards: [...deal.filter(({ card }, i) => card !== (proofs.get(i)?.card ?? null)), ...openings.filter((one) => !(one.k - shoe.from in cards))].map((one) => one.k + 1),
    context: Object.keys(SIZES).filter((label) => (context?.[label.replace("-", "_")] ?? null) !== (told[label] ?? null)),
  };
  return { steps, deal };
}

const panel = byId("proof-check");
const said = byId("proof-said");

function say(what, values = {}) {
  said.className = what;
  said.textContent = panel.dataset[what].replace(/{(\w+)}/g, (_, name) => values[name]);
}

function show(steps, deal = []) {
  for (const row of every("[data-step]", panel)) {
    const wrong = steps[row.dataset.step];
    row.className = wrong ? (wrong.length ? "broken" : "holds") : "";
    row.querySelector(".why").textContent = wrong?.length ? `${row.dataset.why} ${wrong.slice(0, 5).join(", ")}` : "";
  }
  panel.querySelector(".deal").replaceChildren(...deal.map(({ card, known }) => {
    const place = document.createElement("li");
    place.className = known;
    place.textContent = (card ? sign(card) : "") + panel.dataset[known];
    return place;
  }));
  const step = panel.querySelector(".broken b")?.textContent;
  const proved = deal.filter((one) => one.known === "proved").length;
  say(step ? "broken" : "holds", { step, proved, all: deal.length });
}

async function read(told) {
  show({});
  if (!subtle) return say("subtle");
  if (told.length > SIZE_MAX) return say("large");
  try {
    const { steps, deal } = await check(JSON.parse(told));
    show(steps, deal);
  } catch (error) {
    if (error instanceof SyntaxError) say("unread");
    else show({ format: [error.message] });
  }
}

if (panel.dataset.record) fetch(panel.dataset.record).then((answer) => answer.text()).then(read, () => say("lost"));
panel.addEventListener("input", ({ target }) => {
  if (target.files) target.files[0]?.slice(0, SIZE_MAX + 1).text().then(read);
  else read(target.value);
});
