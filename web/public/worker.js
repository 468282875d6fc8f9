// Shows what the server pushes, also while no page is open, and a page that says what is safe where the server cannot be
// reached. It keeps that page and nothing else: whatever is decided on must come from the server at that moment.
const KEPT = "offline-1";
const PARTS = ["/offline.html", "/offline.css", "/offline.js", "/theme.js", "/icon.svg"];

self.addEventListener("install", (event) => {
  // only addresses of pages need this worker; where a browser can be told so, nothing else waits for it
  event.addRoutes?.([{ condition: { urlPattern: "/api/*" }, source: "network" }, { condition: { urlPattern: "/assets/*" }, source: "network" }]).catch(() => undefined);
  const fresh = PARTS.map((part) => new Request(part, { cache: "reload" }));
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(begun()));

async function begun() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  // asked for while this worker starts, so that a page is not later for having one
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(opening(event));
  else if (PARTS.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

async function opening(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match("/offline.html")) ?? Response.error();
  }
}

self.addEventListener("push", (event) => {
  const note = event.data.json();
  const shown = {
    body: note.body,
    // of one hold the newest takes the place of the one before: what is decided no longer asks
    tag: note.tag,
    renotify: !note.silent,
    silent: note.silent,
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    data: { path: note.path, asks: note.asks },
  };
  event.waitUntil(self.registration.showNotification(note.title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, self.location.origin);
  if (address.origin === self.location.origin) event.waitUntil(opened(address.href));
});

async function opened(address) {
  const pages = await self.clients.matchAll({ type: "window" });
  const there = pages.find((page) => page.url === address);
  return there ? there.focus() : self.clients.openWindow(address);
}
