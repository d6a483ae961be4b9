// What the server says to what it is sent; null where nobody answers.

import { every } from "../casino/dom.js";
import { during } from "../casino/settled.js";

async function request(address, fields) {
  const headers = {
    "X-CSRFToken": every("[name=csrfmiddlewaretoken]")[0].value,
    "HX-Request": "true",
  };
  const body = new URLSearchParams(fields);
  const answer = await fetch(address, { method: "POST", body, headers, keepalive: true }).catch(
    () => null,
  );
  return answer?.ok ? answer.json() : null;
}

export const ask = (...what) => during(request(...what));
