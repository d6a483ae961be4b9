// Parts that a board has moved glide to new places.

import { every, root, still } from "../casino/dom.js";

const MILLISECONDS = 200;
// Less is rounding.
const PIXELS_MIN = 1;

let before = new Map();

// A place in the layout, without the offset of a running motion.
function placeOf(part) {
  const place = { x: -scrollX, y: -scrollY };
  for (let at = part; at; at = at.offsetParent) {
    place.x += at.offsetLeft;
    place.y += at.offsetTop;
  }
  return place;
}

const parts = () =>
  every("#board :not(input, svg, svg *, [popover], [popover] *, [role=log] *)").filter(
    (part) => part.offsetWidth,
  );

// Before the page changes. A part is known by its id, or as the element that morphing has kept.
export function look() {
  if (still()) return;
  /** @type {any[]} */
  const places = parts().map((part) => [part, placeOf(part)]);
  before = new Map([...places, ...places.map(([part, place]) => [part.id, place])]);
  before.delete("");
}

function carriedBy(part, gone) {
  for (let at = part.parentElement; at; at = at.parentElement)
    if (gone.has(at)) return gone.get(at);
  return { x: 0, y: 0 };
}

// After it has changed. A part is carried by the one that it stands in, and glides the rest of its way;
// glides add up, so a second change within the time of the first does not break its motion.
export function land() {
  const gone = new Map();
  for (const part of before.size ? parts() : []) {
    const was = before.get(part.id) ?? before.get(part);
    if (!was) continue;
    const { x, y } = placeOf(part);
    const carried = carriedBy(part, gone);
    // It starts within the window's right edge: beyond it, the page would widen while it glides.
    const room = Math.max(0, root.clientWidth - x - carried.x - part.offsetWidth);
    const way = { x: Math.min(was.x - x - carried.x, room), y: was.y - y - carried.y };
    // Words within a line cannot move by themselves.
    if (Math.hypot(way.x, way.y) < PIXELS_MIN || getComputedStyle(part).display === "inline")
      continue;
    gone.set(part, { x: way.x + carried.x, y: way.y + carried.y });
    part.animate([{ transform: `translate(${way.x}px, ${way.y}px)` }, { transform: "none" }], {
      id: "glide",
      duration: MILLISECONDS,
      easing: "ease-out",
      composite: "add",
    });
  }
  before = new Map();
}
