// What the stream brings of the table: pieces of the board, by the ids of their elements. Those that
// differ from what the page shows are put in place.

import { byId, on } from "../casino/dom.js";
import { settlesAfter } from "../casino/settled.js";
import { isOpen } from "../casino/stream.js";
import { renew, state } from "./board.js";
import { isPressed } from "./press.js";

// Stands in a piece, or in the frame, for another piece.
const INNER = /<(\w+) id="([^"]+)" data-same><\/\1>/g;
// An act is answered before its board comes. If the stream brings nothing, the page fetches the board. A busy
// house answers the act slowly, and then its stream gets more time.
const LATE_MS = 1000;
const LATE_ANSWERS = 4;

// Both parts as they came, the version that they have, and what the page shows of them.
let parts;
let newest;
let shown = {};
// The version that an act of this page has made, and how long the page waits for it.
let awaited = 0;
let patience;
let late;

const version = () => Number(state().version);
const isBehind = () => newest > version();
const isAwaited = () => awaited > Math.max(newest, version());
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

// Under a pressed pointer the board keeps still.
export function showPushed(put) {
  if (!newest || isPressed()) return;
  const pieces = { ...parts.public, ...parts.own };
  if (isBehind()) put(filled(differing(pieces)));
  if (newest === version()) shown = pieces;
}

// A stream that still brings earlier versions is only slow.
function lookIfLate() {
  clearTimeout(late);
  if (isAwaited()) late = setTimeout(() => isAwaited() && renew(), patience);
}

export function onPushed(put) {
  on("parts", ({ detail }) => {
    take(JSON.parse(detail));
    showPushed(put);
    lookIfLate();
  });
  on("released", () => isBehind() && showPushed(put));
}

// An act says which version its page shows, if the stream brings the next: then that is its answer.
on("htmx:configRequest", ({ detail }) => {
  const { headers, target, verb } = detail;
  if (target.id !== "board" || verb !== "post" || !newest || !isOpen()) return;
  headers["Stream-Version"] = version();
  detail.began = performance.now();
});
on("htmx:afterRequest", ({ detail: { xhr, requestConfig } }) => {
  const made = Number(xhr.getResponseHeader("Stream-Version"));
  if (!made) return;
  awaited = Math.max(awaited, made);
  patience = Math.max(LATE_MS, LATE_ANSWERS * (performance.now() - requestConfig.began));
  lookIfLate();
});
