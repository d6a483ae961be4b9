// Steps through a hand without loading pages: each is a link, too.

import { byId, every, isCommand, on } from "../casino/dom.js";

const STEP_MS = 1200;
const replay = byId("replay");
const last = Number(replay.dataset.last);
let at = Number(replay.dataset.step);
let playing = 0;

function go(number) {
  at = Math.min(Math.max(number, 0), last);
  // The page says itself what goes wrong.
  htmx
    .ajax("GET", `${replay.dataset.steps}${at}/`, { source: replay, swap: "morph:innerHTML" })
    .catch(() => {});
  byId("timeline").value = at;
  history.replaceState(0, "", `?step=${at}`);
  for (const link of every(".moves-list .at"))
    link.ariaCurrent = Number(link.dataset.step) === at ? "step" : null;
}

function play(goesOn) {
  clearInterval(playing);
  playing = goesOn ? setInterval(() => (at < last ? go(at + 1) : play(false)), STEP_MS) : 0;
  if (goesOn) go(at < last ? at + 1 : 0);
  byId("play").textContent = byId("play").dataset[goesOn ? "pause" : "play"];
}

function stopAt(number) {
  play(false);
  go(number);
}

byId("play").hidden = false;
on("click", (event) => {
  if (event.target.closest("#play")) play(!playing);
  const link = event.target.closest("a[data-step]");
  if (!link || isCommand(event) || event.shiftKey) return;
  event.preventDefault();
  stopAt(link.dataset.step);
  if (link.closest("#coach")) replay.focus();
});
on("input", ({ target }) => target.id === "timeline" && stopAt(target.value));
on("keydown", (event) => {
  const { key, target } = event;
  if (isCommand(event) || target.closest("input:not(#timeline), select")) return;
  const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  if (key === " " && !target.closest("button, summary")) play(!playing);
  else if (key in steps && target.id !== "timeline") stopAt(steps[key]);
  else return;
  event.preventDefault();
});
