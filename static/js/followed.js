// On a player's own page: the present matches of those whom this phone follows, taken from the public pairings. Who is
// followed is kept in this browser alone, and chosen on the pairings.
"use strict";

(() => {
  const KEY = "sixprime.follows";
  const part = document.querySelector("[data-followed]");
  if (!part) return;
  const list = part.querySelector("ul");
  let asked = 0;

  function read() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
    } catch {
      return [];
    }
  }

  // The pairings stand in the order in which they matter: the first of each player is the one of now
  function present(page, names) {
    const lines = [...page.querySelectorAll("li[data-names]")];
    const found = names.map((name) => lines.find((line) => line.dataset.names.split("|").includes(name)));
    return [...new Set(found.filter(Boolean))];
  }

  function shown(line) {
    const copy = document.adoptNode(line);
    for (const below of copy.querySelectorAll(".below, .boards")) below.remove();
    for (const one of [copy, ...copy.querySelectorAll("[id]")]) one.removeAttribute("id");
    copy.removeAttribute("data-watch");
    return copy;
  }

  async function refresh() {
    const names = read();
    part.hidden = false;
    if (!names.length) return list.replaceChildren();
    const mine = ++asked;
    try {
      const answer = await fetch(`${part.dataset.followed}?fragment`, { credentials: "omit", headers: { "Accept-Language": document.documentElement.lang } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine === asked) list.replaceChildren(...present(page, names).map(shown));
    } catch {
      // Without a network the matches stay as they were
    }
  }

  document.body.addEventListener("event-changed", refresh);
  refresh();
})();
