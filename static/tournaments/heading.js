// Above a table of a tournament: it counts, and goes along when the player is moved.

import { byId, on } from "../casino/dom.js";
import { count } from "./counting.js";
import { arrive, goTo } from "./moving.js";

const RENEW_MILLISECONDS = 700;
let sat = false;

function look() {
  count();
  const { sits, goesTo, words } = byId("event-heading")?.dataset ?? {};
  // Whoever looks on at another table of theirs stays there.
  if (sits) sat = true;
  else if (sat && goesTo) goTo(goesTo, words);
}

on("table", look);
on("htmx:afterSettle", ({ target }) => target.id === "event-heading" && look());
on("counted", () => setTimeout(() => htmx.trigger("#event-heading", "renew"), RENEW_MILLISECONDS));
on("DOMContentLoaded", () => {
  arrive();
  look();
});
