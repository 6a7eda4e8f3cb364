// The private pages of this phone: remembered until they end, listed as "My events", and found from a table's code.
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
    const { myLink: url, entry, name, event } = mine.dataset;
    write([{ url, entry, name, event }, ...read().filter((one) => one.url !== url && one.entry !== entry)]);
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
})();
