// A player's pages as an app: the service worker keeps them for a time without a network. At plain http there is none,
// nor at https under a certificate that the phone does not trust, and the pages work as long as they stay open.
"use strict";

(async () => {
  const { worker, pages, showsKept } = document.currentScript.dataset;

  if (showsKept !== undefined) {
    addEventListener("online", () => location.reload());
    if (!self.caches) return;
    const shelf = await caches.open("pages");
    const list = document.querySelector("#kept-pages ul");
    for (const request of await shelf.keys()) {
      const answer = await shelf.match(request);
      if (!answer) continue; // its link has ended meanwhile
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const link = Object.assign(document.createElement("a"), { href: request.url, textContent: page.title });
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
      document.getElementById("kept-pages").hidden = false;
    }
    return;
  }

  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(worker, { scope: "/", updateViaCache: "none" });
  } catch {
    if (navigator.serviceWorker.controller) return; // without a network the one that is there goes on
    document.documentElement.dataset.app = "refused";
    document.dispatchEvent(new Event("app-refused"));
    return;
  }
  const { active } = await navigator.serviceWorker.ready;
  const { lang } = document.documentElement;
  active.postMessage({ keep: [location.pathname, ...JSON.parse(pages)], lang });

  /* The score keeper of each open match, also of one that is drawn while the page is open. */
  const told = new Set();
  function keepMatches() {
    const keep = [...document.querySelectorAll("[data-keeps]")].map((one) => one.dataset.keeps).filter((path) => !told.has(path));
    if (keep.length) active.postMessage({ keep, lang });
    keep.forEach((path) => told.add(path));
  }
  document.addEventListener("htmx:afterSettle", keepMatches);
  keepMatches();
})();
