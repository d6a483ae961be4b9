// Betting with chips. A tap puts the chosen chip on a spot; what lies there is only on this page
// until the player places it, and then it is sent as the plain forms send it, one move for each
// box. What the server refuses stays where it is, with the reason beside it.

"use strict";

{
  // What was put, step by step, each a list of spots and amounts: a step is what Undo takes back.
  let steps = [];
  // The bets that were sent and not yet answered, with what will then stand on the spot.
  let sent = {};
  let hand = "";

  const bar = () => document.getElementById("betting");
  const spotOf = (key) => document.querySelector(`[data-spot="${key}"]`);
  const number = (key, name) => Number(spotOf(key).dataset[name]);
  const keys = () => [...new Set(steps.flat().map(([key]) => key))];

  // Antes: the first box is open, and each further one takes the same ante blind.
  const isAnte = (key) => "ante" in spotOf(key).dataset;
  const opened = () => {
    const lies = document.querySelector("[data-ante][data-standing]:not([data-standing='0'])");
    return lies ? lies.dataset.spot : keys().find(isAnte);
  };
  const isBlind = (key) => isAnte(key) && !number(key, "standing") && key !== opened();

  function pending(key) {
    const put = steps.flat().filter(([one]) => one === key);
    if (put.length && isBlind(key)) return number(key, "ante") || pending(opened());
    return put.reduce((sum, [, amount]) => sum + amount, 0);
  }
  const price = (key) => pending(key) * (isBlind(key) ? Number(bar().dataset.blindCost) : 1);
  const total = () => keys().reduce((sum, key) => sum + price(key), 0);

  const written = (amount) => {
    const unit = 10 ** Number(bar().dataset.exponent);
    return amount % unit ? (amount / unit).toFixed(bar().dataset.exponent) : String(amount / unit);
  };
  const shown = (amount) => written(amount).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");

  function say(key, reason) {
    for (const said of document.querySelectorAll(".spot-said")) said.textContent = "";
    if (key) document.getElementById(`said-${key}`).textContent = reason;
  }

  // Which spot breaks a limit, and why; `whole` is asked when the bets are to be placed.
  function fault(whole) {
    for (const key of keys()) {
      const { room, floor, large, small, at, money } = spotOf(key).dataset;
      if (pending(key) > Number(room)) return [key, large];
      if (whole && pending(key) < Number(floor)) return [key, small];
      if (money === "bonus" && !pending(at) && !number(at, "standing")) return [key, bar().dataset.needs];
    }
    const last = keys().at(-1);
    return total() > Number(bar().dataset.free) ? [last, bar().dataset.dear] : null;
  }

  function put(step) {
    steps.push(step);
    const wrong = step.length ? fault(false) : null;
    if (wrong || !step.length) steps.pop();
    paint();
    say(...(wrong || []));
  }

  const verbs = {
    undo: () => steps.pop(),
    clear: () => (steps = []),
    rebet: () => put(JSON.parse(bar().dataset.last).filter(([key]) => spotOf(key))),
    double: () => {
      const all = [...document.querySelectorAll("[data-spot]")].map((spot) => spot.dataset.spot);
      put(all.map((key) => [key, number(key, "standing") + pending(key)]).filter(([key, sum]) => sum && !isBlind(key)));
    },
    place,
  };

  // One move for each box: its bet and its bonus go together.
  function moves() {
    const found = {};
    for (const key of keys()) {
      const spot = spotOf(key);
      const { at, money } = spot.dataset;
      const move = (found[at] ??= { keys: [], values: { do: spot.dataset.do, [spot.name]: spot.value, amount: "0" } });
      move.keys.push(key);
      move.values[money] = written(pending(key));
      if (isBlind(key)) move.values.blind = "yes";
    }
    return Object.values(found);
  }

  async function place() {
    const wrong = fault(true);
    if (wrong) return say(...wrong);
    const held = hand;
    for (const move of moves()) {
      // What was put since, or taken away by a new round, is not sent.
      if (!bar() || hand !== held) return;
      for (const key of move.keys) sent[key] = number(key, "standing") + pending(key);
      const form = bar();
      await htmx.ajax("POST", form.action, { source: form, target: "#board", swap: "morph:innerHTML", values: move.values }).catch(() => {});
      const refused = document.getElementById("refused");
      if (!refused) continue;
      for (const key of move.keys) delete sent[key];
      paint();
      if (spotOf(move.keys[0])) {
        say(move.keys[0], refused.textContent.trim());
        refused.remove();
      }
      return;
    }
  }

  // What stands on the table now, or belongs to a round that is over, is not pending any more.
  function forget() {
    const fresh = bar().dataset.hand !== hand;
    hand = bar().dataset.hand;
    const gone = (key) => !spotOf(key) || (key in sent && (fresh || number(key, "standing") >= sent[key]));
    const placed = keys().filter(gone);
    steps = steps.map((step) => step.filter(([key]) => !placed.includes(key))).filter((step) => step.length);
    for (const key of placed) delete sent[key];
  }

  function paint() {
    const form = bar();
    if (!form) return;
    forget();
    for (const pile of document.querySelectorAll(".pile.pending")) {
      const sum = pending(pile.id.slice(8));
      pile.hidden = !sum;
      pile.firstElementChild.textContent = shown(sum);
    }
    const sum = total();
    const lies = document.querySelector("[data-standing]:not([data-standing='0'])");
    form.classList.toggle("pending", sum > 0);
    form.querySelector("[data-total]").textContent = sum ? shown(sum) : "";
    const can = { undo: sum, clear: sum, rebet: !sum && !lies && form.dataset.last !== "[]", double: sum || lies, place: sum };
    for (const [name, may] of Object.entries(can)) form.querySelector(`[data-bet=${name}]`).disabled = !may;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-bet], [data-spot]");
    if (!button || !bar()) return;
    event.preventDefault();
    say();
    if (button.dataset.bet) verbs[button.dataset.bet]();
    else put([[button.dataset.spot, Number(bar().querySelector("[name=chip]:checked").value)]]);
    paint();
  });
  document.addEventListener("htmx:afterSwap", paint);
  document.addEventListener("DOMContentLoaded", paint);
}
