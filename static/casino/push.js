// Push notifications: the browser asks for its permission only when the button is pressed.

import { byId, every } from "./dom.js";
import { during } from "./settled.js";

const forms = every("[data-push]");
let pushManager;
let kept;
let isOn;

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
  const { action, elements } = forms[0];
  const token = elements.csrfmiddlewaretoken.value;
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, ...fields });
  const answer = await fetch(action, { method: "POST", body });
  if (answer.status === 409) return (await answer.json()).sentence;
  if (!answer.ok) throw new Error(answer.statusText);
  return "";
}

async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return "";
  // One for an earlier key of the house, or for another player, is of no use here.
  await kept?.unsubscribe();
  const { push: applicationServerKey } = forms[0].dataset;
  kept = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
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

async function change(event) {
  event.preventDefault();
  const wanted = "notify" in event.submitter.dataset ? switchOn : switchOff;
  // A browser may have no service to subscribe to, or no connection now.
  show(await during(wanted()).catch(() => byId("messages").dataset.away));
}

export async function offerPush() {
  ({ pushManager } = await navigator.serviceWorker.ready);
  kept = await pushManager.getSubscription();
  isOn = "on" in forms[0].dataset && kept !== null;
  for (const form of forms) form.onsubmit = change;
  show();
}
