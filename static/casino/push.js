// Push notifications: the browser asks for its permission only when the button is pressed.

import { byId, every } from "./dom.js";
import { during } from "./settled.js";

const forms = every("[data-push]");
const [{ action }] = forms;
const { push: key } = forms[0].dataset;
const token = forms[0].elements.csrfmiddlewaretoken.value;
const { pushManager } = await navigator.serviceWorker.ready;
let kept = await pushManager.getSubscription();
let isOn = "on" in forms[0].dataset && kept !== null;

function show(words = "") {
  for (const form of forms) {
    form.hidden = Notification.permission === "denied";
    form.querySelector("[data-notify]").hidden = isOn;
    form.querySelector("[data-quiet]").hidden = !isOn;
    form.querySelector("[role=status]").textContent = words;
  }
}

// The sentence of a refusal, or nothing.
async function send(fields) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, ...fields });
  const answer = await fetch(action, { method: "POST", body });
  if (answer.status === 409) return (await answer.json()).sentence;
  if (!answer.ok) throw new Error(answer.statusText);
  return "";
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return "";
  // One for an earlier key of the house, or for somebody else, is worth nothing here.
  await kept?.unsubscribe();
  kept = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = kept.toJSON();
  const refused = await send({ endpoint, ...keys });
  isOn = !refused;
  return refused;
}

async function switchOff() {
  await kept?.unsubscribe();
  kept = null;
  isOn = false;
  return send({ do: "off" });
}

for (const form of forms)
  form.onsubmit = async (event) => {
    event.preventDefault();
    const change = "notify" in event.submitter.dataset ? switchOn : switchOff;
    // A browser may have no service to subscribe to, or no connection now.
    show(await during(change()).catch(() => byId("messages").dataset.away));
  };
show();
