// A tap puts the chosen chip on a spot. Chips are pending here until the player places them, all or
// none. Refused bets stay pending, with the reason.

import { byId, every, on, root } from "../casino/dom.js";
import { refocus } from "./focus.js";

// Each step is a list of spots and amounts; Undo takes back a step.
let steps = [];
// Bets sent, with the sum on the spot once they have arrived.
let sent = {};
let hand = "";

const bar = () => byId("betting");
const spotOf = (key) => byId(`spot-${key}`);
const all = () => every("[data-spot]").map((spot) => spot.dataset.spot);
const standing = (key) => Number(spotOf(key).dataset.standing);
const keys = () => [...new Set(steps.flat().map(([key]) => key))];

// Antes: a player's first box is open, and each further one takes the same ante blind.
const isAnte = (key) => "ante" in spotOf(key).dataset;
const opened = () => all().find((key) => isAnte(key) && standing(key)) || keys().find(isAnte);
const isBlind = (key) => isAnte(key) && !standing(key) && key !== opened();

function pending(key) {
  const put = steps.flat().filter(([one]) => one === key);
  if (put.length && isBlind(key)) return Number(spotOf(key).dataset.ante) || pending(opened());
  return put.reduce((sum, [, amount]) => sum + amount, 0);
}
const whole = (key) => standing(key) + pending(key);
const price = (key) => pending(key) * (isBlind(key) ? bar().dataset.blindCost : 1);
const total = () => keys().reduce((sum, key) => sum + price(key), 0);

const units = (amount) => amount / 10 ** bar().dataset.exponent;
// As the server writes money: minor units only where there are any.
const shown = (amount) =>
  units(amount).toLocaleString(root.lang, {
    minimumFractionDigits: units(amount) % 1 ? bar().dataset.exponent : 0,
  });

// As `games/boards/chips.py` stacks a sum.
const VALUES = [5000, 1000, 500, 100, 25, 5, 1];
function stacked(amount) {
  const chips = [];
  let left = Math.floor(units(amount));
  for (const value of VALUES)
    for (; left >= value && chips.length < 5; left -= value) chips.push(value);
  return (chips.length ? chips : [1]).map((value) => {
    const chip = document.createElement("i");
    chip.className = `of-${value}`;
    return chip;
  });
}

function say([key, reason] = []) {
  for (const said of every(".spot-said")) said.textContent = "";
  if (key) byId(`said-${key}`).textContent = reason;
}

// The spot that breaks a limit, and why. Too little is a fault only on placing.
function fault(placing) {
  for (const key of keys()) {
    const { room, floor, large, small, at, money } = spotOf(key).dataset;
    if (pending(key) > room) return [key, large];
    if (placing && pending(key) < floor) return [key, small];
    if (money === "bonus" && !pending(at) && !standing(at)) return [key, bar().dataset.needs];
  }
  if (total() > bar().dataset.free) return [keys().at(-1), bar().dataset.dear];
}

function put(step) {
  steps.push(step);
  const wrong = fault();
  if (wrong) steps.pop();
  say(wrong);
}

const verbs = {
  undo: () => steps.pop(),
  clear: () => (steps = []),
  rebet: () => put(JSON.parse(bar().dataset.last).filter(([key]) => spotOf(key))),
  double: () =>
    put(
      all()
        .filter((key) => !isBlind(key))
        .map((key) => [key, whole(key)])
        .filter(([, sum]) => sum),
    ),
  place: () => place(),
};

// One move for each box: its bet and its bonus go together.
function moves() {
  const found = {};
  for (const key of keys()) {
    const { name, value, dataset: spot } = spotOf(key);
    const move = (found[spot.at] ??= {
      keys: [],
      values: { do: spot.do, [name]: value, amount: "0" },
    });
    move.keys.push(key);
    move.values[spot.money] = String(units(pending(key)));
    if (isBlind(key)) move.values.blind = "yes";
  }
  return Object.values(found);
}

async function place(deal) {
  const wrong = fault(true);
  if (wrong) return say(wrong);
  const found = moves();
  const placed = found.flatMap((move) => move.keys);
  for (const key of placed) sent[key] = whole(key);
  const values = { bets: JSON.stringify(found.map((move) => move.values)) };
  // Which round they are for.
  for (const { name, value } of bar().querySelectorAll("[type=hidden]")) values[name] = value;
  if (deal) values.deal = "yes";
  const how = { target: "#board", swap: "morph:innerHTML", values };
  // The page reports a lost connection; the table shows whether the bets have arrived.
  await htmx.ajax("POST", bar().action, how).catch(() => {});
  const refused = byId("refused");
  if (!refused) return;
  for (const key of placed) delete sent[key];
  // The spots of the next round may be folded up.
  if (!spotOf(placed[0])?.checkVisibility()) return;
  say([placed[0], refused.textContent.trim()]);
  refused.remove();
}

// Bets on the table, or sent in an earlier round, are not pending.
function forget() {
  const over = bar().dataset.hand !== hand;
  hand = bar().dataset.hand;
  for (const key of keys()) {
    if (spotOf(key) && !(key in sent && (over || standing(key) >= sent[key]))) continue;
    steps = steps.map((step) => step.filter(([one]) => one !== key)).filter((step) => step.length);
    delete sent[key];
  }
}

function paint() {
  if (!bar()) return;
  forget();
  for (const key of all()) {
    const [pile, added] = [byId(`pending-${key}`), pending(key)];
    pile.hidden = !added;
    pile.querySelector("b").textContent = shown(added);
    pile.firstElementChild.replaceChildren(...stacked(added));
    const { pays, to, cap, words } = spotOf(key).dataset;
    const wins = Math.floor((whole(key) * pays) / to);
    byId(`wins-${key}`).textContent = wins
      ? words.replace("{amount}", shown(Math.min(cap, wins)))
      : "";
  }
  const [sum, lies] = [total(), all().some(standing)];
  bar().classList.toggle("pending", sum > 0);
  every("[data-sum]")[0].textContent = shown(sum + Number(bar().dataset.standing));
  every("[data-total]")[0].textContent = sum ? shown(sum) : "";
  byId("betting-said").textContent = sum ? bar().querySelector("[data-bet=place]").textContent : "";
  const can = { rebet: !sum && !lies && bar().dataset.last !== "[]", double: sum || lies };
  for (const button of every("[data-bet]")) button.disabled = !(can[button.dataset.bet] ?? sum);
  // The end of the betting is open as soon as there is a bet, or one to place.
  for (const end of every(".act-done button"))
    end.disabled = !sum && !Number(bar().dataset.standing);
}

on("click", (event) => {
  const last = event.target.closest(".act-done button");
  if (last && bar() && total()) {
    // The chips that are pending go along.
    event.preventDefault();
    place(true);
    return;
  }
  const button = event.target.closest("[data-bet], [data-spot]");
  if (!button || !bar()) return;
  event.preventDefault();
  say();
  if (button.dataset.bet) verbs[button.dataset.bet]();
  else put([[button.dataset.spot, Number(bar().elements.chip.value)]]);
  paint();
  refocus(button);
});
on("htmx:afterSwap DOMContentLoaded", paint);
// A stream carries the bets of the next round closed: where they are open, they are fetched again.
on("table", () => {
  const ahead = byId("ahead");
  if (ahead?.open && !ahead.querySelector("form")) htmx.trigger(ahead.firstElementChild, "click");
});
