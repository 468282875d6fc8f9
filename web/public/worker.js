// Shows what the server pushes, also while no page is open. It stores nothing and answers no requests of pages.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

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
