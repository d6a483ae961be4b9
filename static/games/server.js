// The server's answer to a request; null if it refuses, nothing if it does not answer.

import { every } from "../casino/dom.js";
import { during } from "../casino/settled.js";

const token = () => every("[name=csrfmiddlewaretoken]")[0].value;

async function request(address, fields) {
  const headers = { "X-CSRFToken": token(), "HX-Request": "true" };
  const body = new URLSearchParams(fields);
  // On a bad line a request may hang for ever.
  const signal = AbortSignal.timeout(10000);
  try {
    const answer = await fetch(address, { method: "POST", body, headers, keepalive: true, signal });
    if (answer.ok) return await answer.json();
    if (answer.status < 500) return null;
  } catch {
    return undefined;
  }
}

async function repeat(address, fields, tries) {
  const answer = await request(address, fields);
  if (answer !== undefined || !tries) return answer;
  await new Promise((resume) => setTimeout(resume, 2000));
  return repeat(address, fields, tries - 1);
}

// What the server does once, however often it comes, may be sent again.
export const ask = (address, fields, tries = 0) => during(repeat(address, fields, tries));
export const askAgain = (address, fields) => ask(address, fields, 15);

// What a page sends as it is left, without an answer.
export const tell = (address, fields) =>
  navigator.sendBeacon(address, new URLSearchParams({ csrfmiddlewaretoken: token(), ...fields }));
