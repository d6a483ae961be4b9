// A message at the table is shown for some seconds at its author's seat.

import { byId, every, root } from "../casino/dom.js";

const GAP = 8;
// A bubble that would cover a control does not show.
const KEPT_CLEAR = "#board :is(button, a, input, label, summary), #moves, #my-cards, .bar";

const overlap = (one, other) =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

function boxes(plate, { width, height }) {
  const middle = plate.left + plate.width / 2 - width / 2;
  const left = Math.max(GAP, Math.min(middle, root.clientWidth - width - GAP));
  return [
    [left, plate.top - height - GAP, "above"],
    [left, plate.bottom + GAP, "below"],
    [plate.right + GAP, plate.top, "right"],
    [plate.left - width - GAP, plate.top, "left"],
  ].map(([x, y, side]) => ({ left: x, top: y, right: x + width, bottom: y + height, side }));
}

function place(bubble, plate) {
  const taken = every(KEPT_CLEAR)
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.width && box.height);
  const fits = (box) =>
    box.left >= 0 &&
    box.top >= 0 &&
    box.right <= root.clientWidth &&
    box.bottom <= innerHeight &&
    !taken.some((one) => overlap(box, one));
  const box = boxes(plate, bubble.getBoundingClientRect()).find(fits);
  if (!box) return bubble.remove();
  bubble.dataset.side = box.side;
  bubble.style.left = `${box.left + scrollX}px`;
  bubble.style.top = `${box.top + scrollY}px`;
}

// Shows a line of the chat, which a screen reader has heard there already.
export function showBubble(line) {
  const { seat } = line.dataset;
  const plate = byId(`seat-${seat}`)?.querySelector(".plate");
  if (!plate?.checkVisibility()) return;
  byId(`bubble-${seat}`)?.remove();
  const bubble = document.createElement("p");
  bubble.id = `bubble-${seat}`;
  bubble.className = "bubble";
  bubble.ariaHidden = "true";
  bubble.append(line.querySelector(".emote, b + span").cloneNode(true));
  // Where nothing moves, no animation ends.
  setTimeout(() => bubble.remove(), 5000);
  document.body.append(bubble);
  place(bubble, plate.getBoundingClientRect());
}
