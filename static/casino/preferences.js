// What a browser remembers for its player: how pages look and sound, and what a game's page lets one
// switch.

import { dispatch, every, on, root } from "./dom.js";

export function remember(name, value) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Max-Age=31536000; Path=/; SameSite=Lax${secure}`;
}

export const recall = (name) =>
  document.cookie
    .split("; ")
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);

// A look is changed in place; without this script the form does it and loads the page again.
on("submit", (event) => {
  const chosen = event.submitter;
  if (!event.target.classList.contains("preference") || !chosen) return;
  event.preventDefault();
  const { name, value } = chosen;
  root.dataset[name] = value;
  remember(name, value);
  for (const button of every(`.preference [name="${name}"]`))
    button.ariaPressed = button.value === value;
  if (["sounds", "volume"].includes(name)) dispatch("sound", "turn");
});
