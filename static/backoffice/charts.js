// The values of a chart's slots: below the chart for the slot that is pointed at or has the focus.

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

const slotOf = (event) => event.target.closest?.(".plot .slot");

function read(event) {
  const slot = slotOf(event);
  if (slot) {
    const words = slot.querySelector("title").textContent;
    slot.closest(".plotted").querySelector(".reading").textContent = words;
  }
}

// One slot of a chart is in the order of the tab key; arrow keys go on from there.
function move(event) {
  const slot = slotOf(event);
  if (!slot || !(event.key in KEYS)) {
    return;
  }
  const slots = [...slot.closest(".plot").querySelectorAll(".slot")];
  const at = slots.indexOf(slot) + KEYS[event.key];
  const next = slots[Math.min(Math.max(at, 0), slots.length - 1)];
  slot.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  event.preventDefault();
}

document.addEventListener("pointerover", read);
document.addEventListener("focusin", read);
document.addEventListener("keydown", move);
