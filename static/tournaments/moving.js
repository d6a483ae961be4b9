// Go to the player's table: the title and a sound announce it, and the title keeps it until the page is seen.

import { dispatch } from "../casino/dom.js";
import { settlesAfter } from "../casino/settled.js";

const KEY = "moved";
const HEARD_MILLISECONDS = 1200;
let goes = false;
settlesAfter(() => goes);

export function goTo(address, words) {
  if (goes) return;
  goes = true;
  document.title = words;
  sessionStorage.setItem(KEY, words);
  dispatch("sound", "turn");
  setTimeout(() => location.assign(address), HEARD_MILLISECONDS);
}

export function arrive() {
  const words = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!words || !document.hidden) return;
  const title = document.title;
  document.title = words;
  document.addEventListener("visibilitychange", () => (document.title = title), { once: true });
}
