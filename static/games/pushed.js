// The stream brings pieces of the board, by the ids of their elements. Those that differ are put in place.

import { byId, on } from "../casino/dom.js";
import { settlesAfter } from "../casino/settled.js";
import { isOpen } from "../casino/stream.js";
import { renew, state } from "./board.js";
import { isPressed } from "./press.js";

// Stands in a piece, or in the frame, for another piece.
const INNER = /<(\w+) id="([^"]+)" data-same><\/\1>/g;
// An act is answered before its board comes. If it doesn't, the page fetches it, later from a slow house.
const LATE_MS = 1000;

// Both parts as they came, the version that they have, and what the page shows of them.
let parts;
let newest;
let shown = {};
// The version that an act of this page has made.
let awaited = 0;
let late;

const version = () => Number(state().version);
const isBehind = () => newest > version();
const isAwaited = () => awaited > version();
settlesAfter(() => isAwaited() || isBehind());

// A stream begins with all pieces.
function forget() {
  parts = { public: {}, own: {} };
  newest = 0;
}
forget();
on("stream-open stream-lost", forget);

function take({ version: came, removed = {}, ...changed }) {
  for (const name of Object.keys(parts)) {
    Object.assign(parts[name], changed[name]);
    for (const id of removed[name] ?? []) delete parts[name][id];
  }
  newest = came;
}

// What differs each time is no part of a piece: the token of a form, and the key of a top-up.
const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
const key = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
const filled = (markup) =>
  markup
    .replaceAll('name="csrfmiddlewaretoken" value="', (found) => found + token())
    .replaceAll('name="key" value="', (found) => found + key());

// The frame with the pieces that the page does not show yet, and those around them.
function differing(pieces) {
  const innerOf = (id) => [...pieces[id].matchAll(INNER)].map(([, , inner]) => inner);
  const isFresh = (id) =>
    id in pieces && (pieces[id] !== shown[id] || !byId(id) || innerOf(id).some(isFresh));
  const put = (place, _tag, id) => (isFresh(id) ? pieces[id].replace(INNER, put) : place);
  return pieces.board.replace(INNER, put);
}

// A board that was fetched may say what no piece says, such as a refusal, or be of another version.
export function noteFetched(status, fetched) {
  if (status >= 400 || fetched !== newest) shown = {};
}

export function showPushed(put) {
  if (!newest || isPressed()) return;
  const pieces = { ...parts.public, ...parts.own };
  if (isBehind()) put(filled(differing(pieces)));
  if (newest === version()) shown = pieces;
}

export function onPushed(put) {
  on("parts", ({ detail }) => {
    take(JSON.parse(detail));
    showPushed(put);
    clearTimeout(late);
  });
  on("released", () => isBehind() && showPushed(put));
}

// An act says which version its page shows, if the stream brings the next as its answer.
on("htmx:configRequest", ({ detail }) => {
  detail.began = Date.now();
  if (detail.target.id === "board" && detail.verb === "post" && newest && isOpen())
    detail.headers["Stream-Version"] = version();
});
on("htmx:afterRequest", ({ detail: { xhr, requestConfig } }) => {
  const made = Number(xhr.getResponseHeader("Stream-Version"));
  if (made <= awaited) return;
  awaited = made;
  clearTimeout(late);
  const took = Date.now() - requestConfig.began;
  late = setTimeout(() => isAwaited() && renew(), Math.max(LATE_MS, 4 * took));
});
