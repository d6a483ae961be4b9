// Steps through a hand without loading pages: each is a link, too.

"use strict";

const replay = document.getElementById("replay");
const last = Number(replay.dataset.last);
const part = (id) => document.getElementById(id);
const texts = new Map();
const PACE = 1200;
let at = Number(replay.dataset.step);
let playing = 0;

// What was fetched is kept while the page is open, and nowhere else.
function text(number) {
  if (!texts.has(number)) {
    const asked = fetch(`${replay.dataset.steps}${number}/`, { headers: { "HX-Request": "true" } });
    texts.set(number, asked.then((answer) => (answer.ok ? answer.text() : Promise.reject(answer))));
    texts.get(number).catch(() => texts.delete(number));
  }
  return texts.get(number);
}

async function go(number) {
  const asked = (at = Math.min(Math.max(number, 0), last));
  let shown;
  try {
    shown = await text(asked);
  } catch {
    location.search = `?step=${asked}`;
    return;
  }
  if (asked !== at) return;
  Idiomorph.morph(replay, shown, { morphStyle: "innerHTML" });
  part("timeline").value = asked;
  history.replaceState(null, "", `?step=${asked}`);
  for (const link of document.querySelectorAll(".moves-told .at")) {
    link.ariaCurrent = Number(link.dataset.step) === asked ? "step" : null;
  }
  if (asked < last) text(asked + 1).catch(() => {});
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (at < last ? go(at + 1) : play(false)), PACE) : 0;
  if (on) go(at < last ? at + 1 : 0);
  part("play").textContent = part("play").dataset[on ? "pause" : "play"];
}

part("play").hidden = false;
document.addEventListener("click", (event) => {
  if (event.target.closest("#play")) play(!playing);
  const link = event.target.closest("[data-step]");
  if (!link || !link.href || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  play(false);
  go(Number(link.dataset.step));
});
document.addEventListener("input", (event) => {
  if (event.target.id !== "timeline") return;
  play(false);
  go(Number(event.target.value));
});
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not(#timeline), select")) return;
  const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  if (key === " " && !target.closest("button, summary")) play(!playing);
  else if (key in steps && target.id !== "timeline") {
    play(false);
    go(steps[key]);
  } else return;
  event.preventDefault();
});
