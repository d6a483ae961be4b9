// Lists of tournaments: the times until they start.

import { byId, on } from "../casino/dom.js";
import { setClock } from "../games/clock.js";
import { count } from "./counting.js";

function settle() {
  const { now } = byId("house-time")?.dataset ?? {};
  if (now) setClock(now);
  count();
}

on("DOMContentLoaded htmx:afterSettle", settle);
