// A tap puts the chosen chip on a spot, and a moment later it is bet, until Undo takes it back. What the
// house does not take is returned.

import { byId, every, on, root } from "../casino/dom.js";
import { settlesAfter } from "../casino/settled.js";
import { secondsTo } from "./clock.js";
import { refocus } from "./focus.js";

const SEND_MS = 300;
const CLOSING_S = 1;
const RETRY_MS = 2000;

// What is to lie on the spots, where it differs from what lies there; and before each step.
let wanted = {};
let steps = [];
let flight;
let timer;
let dealing;
let round;
let exponent;
// The chosen one, for each new rack.
let chip;
// What would be returned if the betting closed now.
let left;
settlesAfter(() => timer || (flight && !flight.lost && !flight.ahead));

const bar = () => byId("betting");
const isAhead = () => !bar().elements.turn;
// The decision that a page answers; it is another one as soon as bets have arrived.
const decision = () => bar().dataset.hand + bar().elements.turn?.value;
const spotOf = (key) => byId(`spot-${key}`);
const of = (key) => spotOf(key).dataset;
const all = () => every("[data-spot]").map((spot) => spot.dataset.spot);
const standing = (key) => Number(of(key).standing);
const whole = (key) => wanted[key] ?? standing(key);
const lying = () => all().filter(whole);
const changes = (key) => whole(key) !== standing(key);

// Antes: a player's first box is open, further ones take the same ante blind.
const opened = () =>
  [...all().filter(standing), ...Object.keys(wanted)].find(
    (key) => spotOf(key) && of(key).ante === "" && whole(key),
  );
const isBlind = (key) =>
  of(key).ante === "blind" || (of(key).ante === "" && (opened() ?? key) !== key);

// What can be bet of it: nothing below a minimum, and nothing without what it needs.
function target(key) {
  const base = isBlind(key) ? opened() : of(key).at;
  const waits = base !== key && spotOf(base) && !target(base);
  return waits || whole(key) < of(key).floor ? 0 : whole(key);
}
const differs = () => all().some((key) => target(key) !== standing(key));

const shown = (amount) => {
  const units = amount / 10 ** exponent;
  // As the server writes money: minor units only where there are any.
  return units.toLocaleString(root.lang, { minimumFractionDigits: units % 1 ? exponent : 0 });
};

function say(key, reason) {
  for (const said of every(".spot-said")) said.textContent = "";
  if (key) byId(`said-${key}`).textContent = reason;
}

function put(step) {
  steps.push(Object.fromEntries(all().map((key) => [key, whole(key)])));
  Object.assign(wanted, Object.fromEntries(step));
}

function tap(key) {
  const { at, large, money, room } = of(key);
  const to = isBlind(key) ? whole(opened()) : whole(key) + Number(bar().elements.chip.value);
  if (money === "bonus" && !whole(at)) say(key, bar().dataset.needs);
  else if (to > whole(key) && Number(room) > 0) put([[key, to]]);
  else say(key, large);
}

const verbs = {
  undo: () => Object.assign(wanted, steps.pop()),
  clear: () => put(lying().map((key) => [key, 0])),
  rebet: () => put(JSON.parse(bar().dataset.last)),
  double: () => put(lying().map((key) => [key, 2 * whole(key)])),
  place: send,
};

function send() {
  timer = clearTimeout(timer);
  if (!bar() || (flight && !isAhead())) return;
  const keys = Object.keys(wanted).filter(spotOf);
  const values = {
    spots: JSON.stringify(Object.fromEntries(keys.map((key) => [key, target(key)]))),
  };
  for (const { name, value } of bar().querySelectorAll("[type=hidden]")) values[name] = value;
  if (dealing) values.deal = "yes";
  flight = { keys, values, at: decision(), ahead: isAhead(), action: bar().action };
  post(flight);
}

// Sent until answered.
async function post(one) {
  const how = { target: "#board", swap: "morph:innerHTML", values: one.values };
  one.lost = await htmx.ajax("POST", one.action, how).then(Boolean, () => true);
  if (flight !== one) return;
  const refused = byId("refused");
  if (refused) {
    [flight, dealing, steps, wanted] = [undefined, false, [], {}];
    // The spots of the next round may be folded up.
    if (spotOf(one.keys[0])?.checkVisibility()) {
      say(one.keys[0], refused.textContent.trim());
      refused.remove();
    }
  } else if (!one.lost && !bar()) flight = undefined;
  else if (one.lost || !one.ahead) setTimeout(() => flight === one && post(one), RETRY_MS);
  paint();
}

// A round that is over takes nothing along: what was not bet is returned, and said.
function follow() {
  const now = bar()?.dataset.round;
  exponent = bar()?.dataset.exponent ?? exponent;
  if (flight && bar() && flight.at !== decision()) flight = undefined;
  if (now === round) return;
  const said = byId("not-bet");
  if (left && said) said.textContent = said.dataset.words.replace("{amount}", shown(left));
  [round, steps, wanted, dealing, left] = [now, [], {}, false, 0];
}

function paint() {
  follow();
  if (!bar()) return;
  if (!flight) for (const key in wanted) if (!spotOf(key) || !changes(key)) delete wanted[key];
  for (const key of all()) {
    const pile = byId(`pending-${key}`);
    pile.hidden = !changes(key) || !whole(key);
    pile.querySelector("b").textContent = shown(whole(key));
    spotOf(key).classList.toggle("changing", changes(key));
    if (whole(key) && !target(key)) say(key, of(key).small);
  }
  left = flight
    ? 0
    : lying().reduce((sum, key) => sum + Math.max(0, whole(key) - standing(key)), 0);
  if (chip) for (const one of every("#rack :enabled")) one.checked = one.value <= +chip;
  bar().classList.toggle("lost", !!flight?.lost);
  const can = {
    undo: steps.length,
    rebet: !lying().length && bar().dataset.last !== "[]",
    place: lying().some(target),
  };
  for (const button of every("[data-bet]"))
    button.disabled = !(can[button.dataset.bet] ?? lying().length);
  const [end] = every(".act-done button");
  if (end) end.disabled = !can.place;
  if (flight || timer || isAhead()) return;
  if (differs()) {
    const clock = byId("clock");
    const wait = clock ? (secondsTo(clock.dataset.deadline) - CLOSING_S) * 1000 : SEND_MS;
    timer = setTimeout(send, dealing ? 0 : Math.min(SEND_MS, wait));
  } else if (dealing) {
    dealing = false;
    end?.click();
  }
}

on("click", (event) => {
  const button = event.target.closest("[data-bet], [data-spot], .act-done button");
  if (event.target.name === "chip") chip = bar().elements.chip.value;
  if (!button || !bar()) return;
  const { bet, spot } = button.dataset;
  // Unsent chips go along with the end.
  const isEnd = !bet && !spot;
  if (isEnd && !flight && !differs()) return;
  event.preventDefault();
  timer = clearTimeout(timer);
  say();
  if (isEnd) dealing = true;
  else if (bet) verbs[bet]();
  else tap(spot);
  paint();
  if (!isEnd) refocus(button);
});
on("htmx:afterSwap DOMContentLoaded", paint);
// A stream carries bets ahead closed.
on("table", () => {
  const ahead = byId("ahead");
  if (ahead?.open && !ahead.querySelector("form")) htmx.trigger(ahead.firstElementChild, "click");
});
