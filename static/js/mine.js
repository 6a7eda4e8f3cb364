// The private pages of this phone: remembered until they end, listed as "My events", and found from a table's code.
// Without a network a private page says since when; what was said after an act goes once the page has changed.
"use strict";

(() => {
  const KEY = "sixprime.links";

  function read() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(found) ? found.filter((one) => typeof one?.url === "string" && one.url.startsWith("/e/")) : [];
    } catch {
      return [];
    }
  }

  function write(links) {
    try {
      localStorage.setItem(KEY, JSON.stringify(links.slice(0, 30)));
    } catch {
      // A private window keeps nothing: the link itself still works
    }
  }

  const mine = document.querySelector("[data-my-link]");
  if (mine) {
    const { myLink: url, entry, name, event, at } = mine.dataset;
    write([{ url, entry, name, event, at }, ...read().filter((one) => one.url !== url && one.entry !== entry)]);
  }

  const ended = document.querySelector("[data-ended-link]");
  if (ended) write(read().filter((one) => one.url !== ended.dataset.endedLink));

  const list = document.querySelector("[data-my-links]");
  const links = read();
  if (list && links.length) {
    for (const one of links) {
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = one.url;
      link.textContent = `${one.event}: ${one.name}`;
      line.append(link);
      list.querySelector("ul").append(line);
    }
    list.hidden = false;
  }

  // At a table: a phone that has the page of one of its players opens it
  const sides = [...document.querySelectorAll("[data-go-to-mine] [data-entry]")].map((one) => one.dataset.entry);
  const own = links.find((one) => sides.includes(one.entry));
  if (own) location.replace(own.url);

  // What was said after an act, such as "Your report has been sent", is read once, not above the next match
  const READ_MS = 5_000;
  const shownAt = performance.now();
  function takeMessagesAway() {
    setTimeout(() => document.querySelector("main > .messages")?.remove(), Math.max(0, READ_MS - (performance.now() - shownAt)));
  }

  const stale = document.querySelector("[data-stale]");
  const live = document.querySelector("[data-live-state]");
  if (!stale || !live) return;
  const DAY_MS = 24 * 60 * 60 * 1000;
  let rightAt = Date.parse(stale.dataset.at);
  let before = "";

  function written(at) {
    const day = Date.now() - at < DAY_MS ? {} : { day: "numeric", month: "long" };
    const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: stale.dataset.zone };
    return new Intl.DateTimeFormat(document.documentElement.lang, { ...day, ...time }).format(at);
  }

  // The script of live pages notes there whether news come
  function followState() {
    const state = live.dataset.liveState;
    if (before === "live") rightAt = Date.now();
    before = state;
    stale.hidden = state !== "offline";
    if (stale.hidden) return;
    stale.querySelector("time").textContent = written(rightAt);
    takeMessagesAway();
    leadToKeeper();
  }

  // The score keeper of the match that this phone has opened last
  async function leadToKeeper() {
    const kept = self.caches ? await (await caches.open("pages")).keys() : [];
    const keepers = kept.map(({ url }) => new URL(url).pathname).filter((path) =>
      path.startsWith(mine.dataset.myLink) && /^\d+\/$/.test(path.slice(mine.dataset.myLink.length)));
    const link = stale.querySelector("[data-keeper]");
    link.hidden = keepers.length === 0;
    if (keepers.length) link.href = keepers.at(-1);
  }
  new MutationObserver(followState).observe(live, { attributes: true, attributeFilter: ["data-live-state"] });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "live") return;
    rightAt = Date.now();
    takeMessagesAway();
  });
})();
