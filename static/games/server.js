// What the server says to what it is sent; null where it refuses, or nobody answers.

import { every } from "../casino/dom.js";
import { during } from "../casino/settled.js";

// On a bad line a request may hang for ever; its answer may be lost, or a proxy answers instead.
const PATIENCE = 10_000;
const LOST = Symbol("lost");
const TRIES = 15;
const PAUSE = 500;
const PAUSE_MAX = 5_000;

async function request(address, fields) {
  const headers = {
    "X-CSRFToken": every("[name=csrfmiddlewaretoken]")[0].value,
    "HX-Request": "true",
  };
  const answer = await fetch(address, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers,
    keepalive: true,
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => LOST);
  if (answer === LOST || answer.status >= 500) return LOST;
  return answer.ok ? answer.json().catch(() => LOST) : null;
}

async function requestAgain(address, fields, tries, pause) {
  const answer = await request(address, fields);
  if (answer !== LOST) return answer;
  if (tries < 2) return null;
  await new Promise((resume) => setTimeout(resume, pause));
  return requestAgain(address, fields, tries - 1, Math.min(2 * pause, PAUSE_MAX));
}

export const ask = (address, fields) => during(requestAgain(address, fields, 1, 0));

// For what the server does once, however often it is asked: ask until it answers.
export const askAgain = (address, fields) => during(requestAgain(address, fields, TRIES, PAUSE));
