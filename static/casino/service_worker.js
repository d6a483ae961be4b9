// Shows the offline page and notifications. It keeps that page and its files, and no page with a
// player's data.
// The server writes SHELL, whose first address is the page, VERSION, the hash of their contents, and
// PUSH, where a browser subscribes, above this.

const CACHE = `shell-${VERSION}`;

// The page is fetched anew, as for a stranger; its files the browser has from the page that it shows.
const wanted = (address, at) =>
  new Request(address, { credentials: "omit", cache: at ? "default" : "reload" });

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(SHELL.map(wanted));
  await skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await clients.claim();
}

const pathOf = (address) => new URL(address, location).pathname;

async function windowsOf(page) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url }) => pathOf(url) === pathOf(page));
}

async function open(page) {
  const [found] = await windowsOf(page);
  await (found ? found.focus() : clients.openWindow(page));
}

// A page's own notification has the same tag, so one replaces the other.
async function call({ words, page }) {
  const seen = (await windowsOf(page)).some((one) => one.visibilityState === "visible");
  if (!seen) await registration.showNotification(words, { tag: page, renotify: true, data: page });
}

// The browser has a new address. Whether its player wants to be called there, the house knows.
async function renew(subscription) {
  const { key, token } = await (await fetch(PUSH)).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const fresh = subscription ?? (await registration.pushManager.subscribe(options));
  const { endpoint, keys } = fresh.toJSON();
  const body = new URLSearchParams({ do: "renew", endpoint, ...keys });
  await fetch(PUSH, { method: "POST", body, headers: { "X-CSRFToken": token } });
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
addEventListener("push", (event) => event.waitUntil(call(event.data.json())));
addEventListener("pushsubscriptionchange", (event) => {
  // A browser that has no connection now asks the next time that its player presses the button.
  event.waitUntil(renew(event.newSubscription).catch(() => {}));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
