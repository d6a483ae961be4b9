// The panel that checks an event's shoe in the browser, on request: it needs no note.

import { byId, every } from "../casino/dom.js";
import { during } from "../casino/settled.js";
import { checkShoe, isClean } from "./shoe_check.js";

const panel = byId("shoe-proof");
const said = byId("proof-said");

function say(what) {
  said.className = what;
  said.textContent = panel.dataset[what];
}

function show(steps) {
  for (const row of every("[data-step]", panel)) {
    const wrong = steps[row.dataset.step];
    row.className = wrong ? (wrong.length ? "broken" : "holds") : "";
    row.querySelector(".why").textContent = wrong?.slice(0, 5).join(", ") ?? "";
  }
}

async function judge() {
  if (!crypto.subtle) return say("subtle");
  say("checking");
  const answer = await fetch(panel.dataset.published, { cache: "no-cache" }).catch(() => null);
  if (!answer?.ok) return say("lost");
  const shown = await answer.json();
  const steps = await checkShoe(shown).catch(() => ({ seal: [shown.id] }));
  show(steps);
  if (!isClean(steps)) return say("broken");
  return say("seats" in steps ? "holds" : "partly");
}

const button = byId("check-shoe");
button.addEventListener("click", () => during(judge()));
// Until then a click would do nothing.
button.disabled = false;
