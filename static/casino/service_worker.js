// Shows the offline page where the house cannot be reached. It keeps that page and its files, and
// nothing else: no table, and no page with anybody's data. The server writes SHELL, whose first
// address is the page, and VERSION, the hash of their contents, above this.

const CACHE = `shell-${VERSION}`;

// Whoever is signed in, the page is fetched as for a stranger.
const anew = (address) => new Request(address, { credentials: "omit", cache: "reload" });

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(SHELL.map(anew));
  await skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await clients.claim();
}

async function open(url) {
  const windows = await clients.matchAll({ type: "window" });
  const found = windows.find((one) => one.url === url);
  await (found ? found.focus() : clients.openWindow(url));
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  // A form that did not arrive is the browser's to repeat.
  if (method !== "GET") return;
  const page = mode === "navigate";
  const kept = page ? SHELL[0] : SHELL.find((one) => new URL(one, location).href === url);
  if (kept) event.respondWith(fetch(event.request).catch(() => caches.match(kept)));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
