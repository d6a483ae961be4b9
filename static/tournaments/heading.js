// Above a table of a tournament: it counts, and goes along when the player is moved. Other tables have no
// heading.

import { byId, on } from "../casino/dom.js";
import { state } from "../games/board.js";
import { count } from "./counting.js";
import { arrive, goTo } from "./moving.js";

const RENEW_MILLISECONDS = 700;
let sat = false;
const renew = () => byId("event-heading") && htmx.trigger("#event-heading", "renew");

function look() {
  count();
  const { sits, goesTo, words } = byId("event-heading")?.dataset ?? {};
  // A player who watches another table of the event stays there.
  if (sits) sat = true;
  else if (sat && goesTo) goTo(goesTo, words);
}

// A player who has lost the seat may have another one: the heading says where.
let seat;
on("table", () => {
  const { mine } = state();
  if (seat && !mine) renew();
  seat = mine;
  look();
});
on("htmx:afterSettle", ({ target }) => target.id === "event-heading" && look());
on("counted", () => setTimeout(renew, RENEW_MILLISECONDS));
on("DOMContentLoaded", () => {
  arrive();
  look();
});
