// Checks the shoe of an event from what the house publishes of it, and nothing else: seal, lock, mix, each
// draw, and the first seats. docs/verify.py does the same.

import { fixed } from "../games/bytes.js";
import { failing, shoeProtocol } from "../games/proof_check.js";

const LINKS = 256;
const FORMAT = "event-shoe/1";
const numbered = ({ entrant }) => fixed(entrant, 2);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// Table by table in the drawn order: as few tables as will do, which differ by one player at most.
function seatsOf(drawn, [least, most]) {
  const full = least === most;
  const tables = full ? Math.floor(drawn.length / most) : Math.ceil(drawn.length / most);
  const seated = full ? tables * most : drawn.length;
  const rest = [...drawn];
  return [...Array(tables).keys()].flatMap((table) => {
    const size = Math.floor(seated / tables) + (table < seated % tables ? 1 : 0);
    return rest
      .splice(0, size)
      .map((entrant, seat) => ({ entrant, table: table + 1, seat: seat + 1 }));
  });
}

// For each step what is wrong; a step of which nothing is published yet is not there.
export async function checkShoe(shown) {
  const { format, id, seal, key, x_0, leaves, sealed, deals, lock, mix, entrants, draws } = shown;
  if (format !== FORMAT) throw new Error(format);
  const { hash, perm } = shoeProtocol(id);
  const unless = (holds, what) => (holds ? [] : [what]);
  const own = await hash("seal", key, x_0, ...leaves);
  const whole = deals.length ? await hash("deals", sealed, ...deals) : sealed;
  const leavesWhole = leaves.length === 52 && leaves.every((leaf) => leaf.length === 64);
  const steps = { seal: unless(leavesWhole && own === sealed && whole === seal, seal) };
  if (!lock) return steps;
  const numbers = entrants.map((one) => one.entrant);
  const ascend = numbers.every((one, i) => one > (numbers[i - 1] ?? 0));
  const committed = entrants.map((one) => numbered(one) + one.commit);
  steps.lock = unless(ascend && (await hash("lock", seal, ...committed)) === lock, lock);
  if (!mix) return steps;
  const unkept = await failing(
    entrants,
    async (one) =>
      one.who === "house" || (await hash("entrant", numbered(one), one.reveal)) === one.commit,
  );
  steps.commit = unkept.map((one) => one.entrant);
  const mixed = await hash("mix", lock, ...entrants.map((one) => one.reveal));
  steps.mix = unless(mixed === mix, mix);
  if (!draws.length) return steps;
  const placed = draws.map((one, i) => ({ ...one, due: Math.min(i + 1, LINKS) }));
  const strayed = await failing(placed, async ({ link, due, x_m }) => {
    let opened = x_m;
    for (let step = 0; step < due; step += 1) opened = await hash("draw", opened);
    return link === due && opened === x_0;
  });
  steps["draw-chain"] = strayed.map((one) => one.label);
  const labels = new Set(draws.map((one) => one.label));
  const other = await failing(draws, async ({ label, x_m, things, order }) => {
    const drawn = await perm(await hash("draw-mix", mix, x_m), label, things.length);
    return labels.size === draws.length && same(drawn, order);
  });
  steps.draw = other.map((one) => one.label);
  const first = draws.find((one) => one.label === "seats");
  if (!first || !shown.seats.length) return steps;
  const drawn = first.order.map((place) => first.things[place]);
  const due = seatsOf(drawn, shown.sizes);
  const wrong = due.filter((one, i) => !same(one, shown.seats[i])).map((one) => one.entrant);
  if (!same(first.things, numbers) || due.length !== shown.seats.length) wrong.push(seal);
  steps.seats = wrong;
  return steps;
}

export const isClean = (steps) => Object.values(steps).every((wrong) => !wrong.length);
