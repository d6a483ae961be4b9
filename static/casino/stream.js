// The one event stream of a page. What it says is an event of the body: `news` is a new version, `parts`
// what changed.
// While it is open, nothing on the page asks by the clock.

import { cancel, every, on } from "./dom.js";

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
// The house sends a beat every 20 seconds; a dead line brings none.
const SILENT_MAX_MS = 50_000;

const place = document.querySelector("[data-stream]");
const names = ["version", "parts", "chat", "strip", "heading", "presence"];
let source;
let heard = 0;
let retry = FIRST_RETRY_MS;

const tell = (name, detail) =>
  document.body.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));

export const isOpen = () =>
  source?.readyState === EventSource.OPEN && Date.now() - heard < SILENT_MAX_MS;

function hear() {
  heard = Date.now();
  retry = FIRST_RETRY_MS;
}

function showPools({ data }) {
  hear();
  for (const [pool, amount] of Object.entries(JSON.parse(data)))
    for (const shown of every(`[data-pool="${pool}"]`)) shown.textContent = amount;
}

// Tickets are good for a minute. The header says that no reader asks.
async function renew() {
  const table = place.dataset.stream.match(/\/tables\/\d+\//);
  const answer = table && (await fetch(`${table}stream/`, { headers: { "HX-Request": "true" } }));
  if (answer?.ok) place.dataset.stream = (await answer.json()).stream;
}

function open() {
  source?.close();
  const { stream, form } = place.dataset;
  source = new EventSource(form ? `${stream}&as=${form}` : stream);
  source.onopen = () => {
    hear();
    tell("stream-open");
  };
  source.onerror = () => {
    tell("stream-lost");
    // A browser connects again by itself, but not after a refusal.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => renew().then(open, open), retry);
    retry = Math.min(retry * 2, LONGEST_RETRY_MS);
  };
  source.addEventListener("beat", hear);
  source.addEventListener("pools", showPools);
  for (const event of names)
    source.addEventListener(event, ({ data }) => {
      hear();
      tell(event === "version" ? "news" : event, data);
    });
}

// The lobby's stream tells of no rounds.
const failed = new WeakSet();
const asksByClock = ({ elt, requestConfig }) =>
  !requestConfig.triggeringEvent &&
  !failed.has(elt) &&
  elt.getAttribute("hx-trigger")?.includes("every") &&
  !("rounds" in elt.dataset);
on("htmx:beforeRequest", (event) => {
  if (asksByClock(event.detail) && isOpen()) cancel(event);
});

// What could not be fetched is asked for by the clock, as there may be no further news.
on("htmx:afterRequest", ({ detail: { elt, failed: fails } }) =>
  fails ? failed.add(elt) : failed.delete(elt),
);

// Other scripts hear it from the beginning.
if (place) on("DOMContentLoaded", open);
