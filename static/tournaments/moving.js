// To the player's table, by itself: said in the title and by a sound, then gone to. The title goes on
// saying it at the new table until somebody looks.

import { dispatch } from "../casino/dom.js";

const KEY = "moved";
const HEARD_MILLISECONDS = 1200;
let goes = false;

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
