// Chips: a spot takes the chosen amount each time it is tapped, and what lies there is placed together.
// A spot is a button with `data-spot` that would send its bet by itself, as it does without a script.

"use strict";

(() => {
  const memory = `bets ${location.pathname}`;
  // What was laid out, step by step, each a spot's amounts; and what one had on the spots before.
  let steps = [];
  let { hand = "", bets = {}, last = {} } = JSON.parse(sessionStorage.getItem(memory) || "{}");
  let placing = false;

  const tray = () => document.getElementById("tray");
  const spot = (key) => document.querySelector(`[data-spot="${key}"]`);
  // Decimals are added as a person would: without a seventeenth digit.
  const add = (one, other) => Number((one + other).toFixed(6));
  const shown = (amount) => amount.toLocaleString(document.documentElement.lang);

  function laid() {
    const sums = {};
    for (const step of steps) {
      for (const [key, amount] of Object.entries(step)) sums[key] = add(sums[key] || 0, amount);
    }
    return sums;
  }

  function tell(words) {
    tray().querySelector(".tray-said").textContent = words;
  }

  function lay(step) {
    const sums = laid();
    for (const [key, amount] of Object.entries(step)) {
      const button = spot(key);
      const most = Number(button?.dataset.most || 0);
      if (!(amount > 0)) return;
      if (add(sums[key] || 0, amount) > most) return tell(`${tray().dataset.above} ${shown(most)}`);
    }
    tell("");
    steps.push(step);
    show();
  }

  async function place() {
    for (const [key, amount] of Object.entries(laid())) {
      const least = Number(spot(key).dataset.least);
      if (amount < least) return tell(`${tray().dataset.below} ${shown(least)}`);
    }
    placing = true;
    for (const [key, amount] of Object.entries(laid())) {
      const form = tray()?.closest("form");
      if (!form) break;
      await htmx.ajax("POST", form.action, {
        source: form, target: "#board", swap: "morph:innerHTML", values: { on: key, amount: String(amount) },
      });
      if (document.getElementById("refused")) break;
      steps = steps.map(({ [key]: _placed, ...rest }) => rest).filter((step) => Object.keys(step).length);
    }
    placing = false;
    show();
  }

  function remember() {
    const now = document.getElementById("shoe")?.dataset.hand || "";
    if (now !== hand) {
      if (Object.keys(bets).length) last = bets;
      [hand, bets] = [now, {}];
    }
    for (const { dataset } of document.querySelectorAll("[data-bet]")) bets[dataset.on] = Number(dataset.bet);
    sessionStorage.setItem(memory, JSON.stringify({ hand, bets, last }));
  }

  function doubled() {
    const all = { ...bets };
    for (const [key, amount] of Object.entries(laid())) all[key] = add(all[key] || 0, amount);
    return all;
  }

  const deeds = {
    place,
    undo: () => steps.pop(),
    clear: () => (steps = []),
    again: () => lay(last),
    double: () => lay(doubled()),
  };

  function show() {
    const sums = laid();
    for (const place of document.querySelectorAll(".pending")) {
      const key = place.parentElement.querySelector("[data-spot]")?.dataset.spot;
      place.textContent = sums[key] ? `+${shown(sums[key])}` : "";
    }
    if (!tray()) return;
    const sum = Object.values(sums).reduce(add, 0);
    tray().querySelector(".sum").textContent = sum ? shown(sum) : "";
    const can = {
      place: sum, undo: sum, clear: sum,
      again: !sum && !Object.keys(bets).length && Object.keys(last).length,
      double: sum || Object.keys(bets).length,
    };
    for (const button of tray().querySelectorAll("[data-tray]")) {
      button.setAttribute("aria-disabled", String(!can[button.dataset.tray] || placing));
    }
    const chosen = tray().closest("form").querySelector(".stake input").value;
    for (const chip of document.querySelectorAll(".chip")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.amount === chosen));
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-spot]");
    const deed = event.target.closest("[data-tray]");
    if (button && tray()) {
      event.preventDefault();
      const typed = tray().closest("form").querySelector(".stake input").value;
      lay({ [button.dataset.spot]: Number(typed.replace(",", ".")) });
    } else if (deed && deed.getAttribute("aria-disabled") !== "true") {
      deeds[deed.dataset.tray]();
    }
    if (tray()) show();
  });

  let unsent = "";
  document.addEventListener("table", () => {
    const changed = document.getElementById("shoe")?.dataset.hand !== hand;
    unsent = tray()?.dataset.unsent || unsent;
    if (steps.length && (changed || !tray()) && !placing) {
      steps = [];
      say(unsent);
    }
    remember();
    show();
  });
})();
