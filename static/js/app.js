// A player's pages as an app: the service worker keeps them for a time without a network. At plain http there is none,
// and the pages work as long as they stay open.
"use strict";

(async () => {
  const { worker, pages, showsKept } = document.currentScript.dataset;

  if (showsKept !== undefined) {
    addEventListener("online", () => location.reload());
    if (!self.caches) return;
    const kept = await (await caches.open("pages")).keys();
    const own = kept.map((request) => new URL(request.url).pathname);
    const list = document.querySelector("#kept-pages ul");
    for (const path of own) {
      const page = new DOMParser().parseFromString(await (await caches.match(path)).text(), "text/html");
      const link = Object.assign(document.createElement("a"), { href: path, textContent: page.title });
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
    document.getElementById("kept-pages").hidden = own.length === 0;
    return;
  }

  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  const { lang } = document.documentElement;
  active.postMessage({ keep: [location.pathname, ...JSON.parse(pages)], lang });
})();
