// The page of a tournament: it counts, and goes to the table as soon as the player is seated.

import { byId, on } from "../casino/dom.js";
import { setClock } from "../games/clock.js";
import { count } from "./counting.js";
import { goTo } from "./moving.js";

const RENEW_MILLISECONDS = 700;
let seated = null;

function settle() {
  const { now, table, words } = byId("event-state").dataset;
  setClock(now);
  count();
  // A player who comes here from the table wants to stay.
  if (seated === "" && table) goTo(table, words);
  seated = table ?? "";
}

const renew = () => htmx.trigger("#event", "renew");

// A large event has news many times a second.
let due;
function renewSoon() {
  due ??= setTimeout(() => {
    due = null;
    renew();
  }, RENEW_MILLISECONDS);
}

on("htmx:afterSettle", ({ target }) => target.id === "event" && settle());
// A level or a countdown is over: the house has had a moment to notice.
on("news counted", renewSoon);
for (const back of ["pageshow", "online", "visibilitychange"]) window.addEventListener(back, renew);
on("DOMContentLoaded", settle);
