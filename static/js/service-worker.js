// Keeps the files and pages that a player needs without a network: /sw.js says which (self.app), and changes with them.
// A private page is kept under its own address and answers for no other. Pages come from the network as long as it
// answers; files have their content in their names, so the phone need not ask.
"use strict";

(() => {
  const { version, files, pages, offline } = self.app;
  const SHELL = `shell-${version}`;
  const PAGES = "pages";
  const PATIENCE_MS = 5_000;
  const SIGNED_IN = 'class="sign-out"'; // only on the pages of somebody with an account
  const SAID_ONCE = 'class="messages"'; // what was done just now, which is no longer news when the page is opened again
  const FRESH_MS = 10 * 60 * 1000;
  const PRIVATE = /^\/e\/[^/]+\//;

  self.addEventListener("install", (event) => {
    event.waitUntil(kept().then(() => self.skipWaiting()));
  });

  async function kept() {
    const shell = await caches.open(SHELL);
    await shell.addAll([...files, ...pages].map((path) => new Request(path, { cache: "reload" })));
  }

  self.addEventListener("activate", (event) => {
    event.waitUntil(renewed().then(() => self.clients.claim()));
  });

  /* The pages that are kept name the files of the version before. */
  async function renewed() {
    const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
    const shelf = await caches.open(PAGES);
    const keep = old.length ? await shelf.keys() : [];
    await Promise.allSettled(keep.map(async (request) => fetched(new URL(request.url).pathname, languageOf(await shelf.match(request)))));
    await Promise.all(old.map((name) => caches.delete(name)));
  }

  self.addEventListener("message", (event) => {
    const { keep, lang } = event.data ?? {};
    if (!keep) return;
    event.waitUntil(Promise.allSettled(keep.map((path) => renewedIfOld(path, lang))));
  });

  async function renewedIfOld(path, lang) {
    const before = await (await caches.open(PAGES)).match(path);
    const isRecent = before && Date.now() - Date.parse(before.headers.get("Date")) < FRESH_MS;
    if (!isRecent || languageOf(before) !== lang) await fetched(path, lang);
  }

  function languageOf(answer) {
    return answer.headers.get("Content-Language") ?? "";
  }

  /* Fetch a page as a visitor who is not signed in: nothing of a director's page stays on a phone. */
  async function fetched(path, lang) {
    const headers = lang ? { "Accept-Language": lang } : {};
    await shelve(path, await fetch(path, { credentials: "omit", headers, cache: "no-store" }));
  }

  async function shelveUnlessSignedIn(path, answer) {
    const text = await answer.clone().text();
    if (text.includes(SIGNED_IN)) return;
    await (text.includes(SAID_ONCE) ? fetched(path, languageOf(answer)) : shelve(path, answer));
  }

  async function shelve(path, answer) {
    const shelf = await caches.open(PAGES);
    if (answer.status === 200 && !answer.redirected) await shelf.put(path, answer);
    else if ([403, 404, 410].includes(answer.status)) await shelf.delete(path);
  }

  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== self.location.origin) return;
    if (files.includes(pathname)) event.respondWith(file(request, pathname));
    else if (request.mode === "navigate") event.respondWith(page(event, pathname));
  });

  async function file(request, pathname) {
    return (await (await caches.open(SHELL)).match(pathname)) ?? fetch(request);
  }

  async function page(event, pathname) {
    const known = await keptPage(pathname);
    const asked = fetch(event.request);
    if (PRIVATE.test(pathname)) {
      event.waitUntil(asked.then((answer) => shelveUnlessSignedIn(pathname, answer.clone())).catch(() => {}));
    }
    try {
      const answer = await (known ? inTime(asked) : asked);
      return known && answer.status >= 500 ? known : answer; // the network is there, but not the server behind it
    } catch {
      return known ?? (await caches.match(offline)) ?? Response.error();
    }
  }

  async function keptPage(pathname) {
    return (await (await caches.open(PAGES)).match(pathname)) ?? (await caches.open(SHELL)).match(pathname);
  }

  function inTime(answer) {
    return new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("too slow")), PATIENCE_MS);
      answer.then(resolve, reject);
    });
  }
})();
