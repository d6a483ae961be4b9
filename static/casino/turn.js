// The player's turn: title and badge show it, the screen stays on, and a hidden page notifies.

import { byId, on } from "./dom.js";

const { title } = document;
const words = byId("messages").dataset.turn;
let turn = "";
let lock;

async function stayAwake() {
  lock?.release();
  lock = null;
  if (!turn || document.hidden) return;
  const got = await navigator.wakeLock?.request("screen").catch(() => null);
  // The turn may have passed, or another lock is held.
  if (turn && !lock) lock = got;
  else got?.release();
}

async function notify() {
  if (globalThis.Notification?.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.ready;
  const tag = location.pathname;
  for (const one of (await worker?.getNotifications({ tag })) ?? []) one.close();
  if (turn && document.hidden)
    worker?.showNotification(words, { tag, body: title, data: location.href });
}

function look() {
  const now = byId("shoe").dataset.turn;
  if (now === turn) return;
  turn = now;
  document.title = turn ? `● ${words} · ${title}` : title;
  if (turn) navigator.setAppBadge?.(1);
  else navigator.clearAppBadge?.();
  stayAwake();
  notify();
}

on("table", look);
// The system releases the lock when the page is hidden; a returning player has seen it.
on("visibilitychange", () => {
  stayAwake();
  if (!document.hidden) notify();
});
addEventListener("pagehide", () => navigator.clearAppBadge?.());
look();
// What called the player back has done its work.
notify();
