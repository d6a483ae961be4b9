// A button beside a field that copies what stands in it. Without this script one copies it by hand.

"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  field.addEventListener("focus", () => field.select());
  // Browsers let pages copy only where the connection is safe.
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
    document.getElementById("messages").textContent = button.dataset.copied;
  });
}
