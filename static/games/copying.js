// A button that copies the content of the field beside it. Without this script people copy it by hand.

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
