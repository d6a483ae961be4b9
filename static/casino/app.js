// The page as an app: a worker, and notifications.

import { every } from "./dom.js";
import { offerPush } from "./push.js";

// A browser or a house without push still notifies while a page of the table is open.
function offerNotes() {
  const asks = globalThis.Notification?.permission === "default";
  const buttons = every("[data-notify]");
  for (const button of buttons) {
    button.parentElement.hidden = !asks;
    button.onclick = async () => {
      await Notification.requestPermission();
      for (const one of buttons) one.parentElement.hidden = true;
    };
  }
}

if ("serviceWorker" in navigator) {
  // A browser may forbid it, as in a private window; the page then works as without.
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
  if (every("[data-push]").length && globalThis.PushManager) offerPush();
  else offerNotes();
}
