// Passkeys: the browser asks the device, and the form sends what the device has signed.

import { byId, every } from "./dom.js";

const { PublicKeyCredential: keys } = window;

async function use({ currentTarget: { form, dataset } }) {
  const { credential, csrfmiddlewaretoken } = form.elements;
  const body = new URLSearchParams({
    csrfmiddlewaretoken: csrfmiddlewaretoken.value,
    for: dataset.for,
  });
  try {
    const answer = await fetch(dataset.passkey, { method: "POST", body });
    const { publicKey } = await answer.json();
    const signed = await (dataset.for === "add"
      ? navigator.credentials.create({ publicKey: keys.parseCreationOptionsFromJSON(publicKey) })
      : navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(publicKey) }));
    credential.value = JSON.stringify(signed);
    if (dataset.to) form.action = dataset.to;
    form.submit();
  } catch (problem) {
    // Who has changed their mind knows it.
    if (problem.name !== "NotAllowedError")
      form.querySelector("[role=status]").textContent = byId("messages").dataset.fault;
  }
}

if (keys?.parseRequestOptionsFromJSON) {
  for (const button of every("[data-passkey]")) {
    button.hidden = button.form.hidden = false;
    button.onclick = use;
  }
  every("[data-no-passkey]").forEach((words) => words.remove());
}
