// The form of a new table shows the options of the game that is chosen, in the money that is chosen.
"use strict";

document.addEventListener("change", async (event) => {
  const form = event.target.form;
  if (!form || !["game", "currency"].includes(event.target.name)) return;
  const [game, currency] = ["game", "currency"].map((name) => form.elements[name]?.value ?? "");
  const there = form.querySelector("[data-options]");
  if (!there) return;
  const answer = await fetch(`?${new URLSearchParams({ game, currency })}`);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector("[data-options]");
  if (found) there.replaceWith(found);
});
