// Shows what the server sends to this phone, and opens the page that it is about. Part of the service worker.
"use strict";

(() => {
  self.addEventListener("push", (event) => {
    let told;
    try {
      told = event.data.json();
    } catch {
      return;
    }
    const { title, body, url, tag } = told;
    const shown = { body, tag, data: { url }, requireInteraction: true };
    event.waitUntil(self.registration.showNotification(String(title), shown));
  });

  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const asked = new URL(event.notification.data?.url ?? "/", self.location.origin);
    if (asked.origin !== self.location.origin) return;
    event.waitUntil(show(asked));
  });

  async function show(asked) {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find((one) => new URL(one.url).pathname === asked.pathname);
    if (there) return there.focus();
    return self.clients.openWindow(asked.href);
  }
})();
