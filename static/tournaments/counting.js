// Counts down to what is about to happen at tournaments, by the clock of the house.

import { dispatch, every } from "../casino/dom.js";
import { secondsTo } from "../games/clock.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const two = (number) => String(number).padStart(2, "0");

// As tournaments/templatetags/tournaments.py shows it.
function clock(seconds) {
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor(seconds / MINUTE) % MINUTE;
  const rest = two(Math.floor(seconds) % MINUTE);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

// What lies further ahead than an hour is named by its time, which stands there already.
let due = new Set();

export function count() {
  const ended = new Set();
  for (const one of every("[data-until]")) {
    const { until, words } = one.dataset;
    const left = secondsTo(until);
    if (words && left > HOUR) continue;
    const text = (words || "{time}").replace("{time}", clock(left));
    if (one.textContent !== text) one.textContent = text;
    if (!left) ended.add(until);
  }
  for (const ring of every("[data-ring-until]")) {
    const share = Math.min(1, secondsTo(ring.dataset.ringUntil) / ring.dataset.whole);
    ring.setAttribute("stroke-dasharray", `${(100 * share).toFixed(1)} 100`);
  }
  // Each moment is over once.
  if ([...ended].some((moment) => !due.has(moment))) dispatch("counted");
  due = ended;
}

setInterval(count, 500);
