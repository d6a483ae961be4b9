// Buttons that copy a link from the field beside them, or hand it to the system's own list of ways to
// share. Without this script people copy it by hand.

import { byId, every } from "../casino/dom.js";

for (const button of every("[data-copies]")) {
  const field = byId(button.dataset.copies);
  field.addEventListener("focus", () => field.select());
  // Browsers let pages copy over HTTPS only.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    button.textContent = byId("messages").textContent = button.dataset.copied;
  });
}

for (const button of every("[data-shares]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    // Closing the list is no error.
    navigator
      .share({ title: document.title, url: byId(button.dataset.shares).value })
      .catch(() => {});
  });
}
