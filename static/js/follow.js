// Players whom this phone follows: their matches come first on the pairings, where they are chosen, and their names are
// marked on brackets, crosstables, ladders and standings. Kept in this browser alone, so that pages stay the same for all.
"use strict";

(() => {
  const KEY = "sixprime.follows";
  const MOST = 20;
  // Where a name stands, and what is marked because of it
  const NAMES = [
    [".seat > title", ".seat"],
    [".standings .who", "tr"],
    [".crosstable th[scope=row]", "tr"],
    [".ladder .who > strong", "li"],
  ];
  const box = document.querySelector("[data-follow]");
  const filter = document.querySelector("[data-filter]");

  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

  function read() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
    } catch {
      return [];
    }
  }

  function write(names) {
    try {
      localStorage.setItem(KEY, JSON.stringify(names.slice(0, MOST)));
    } catch {
      // A private window keeps nothing
    }
    show();
  }

  function mark(names) {
    for (const [where, what] of NAMES) {
      for (const place of document.querySelectorAll(`#live ${where}`)) {
        const name = (place.querySelector("a") ?? place).textContent.trim();
        place.closest(what).classList.toggle("is-followed", names.includes(name));
      }
    }
  }

  // The one full name that is meant by what was typed, or else nothing
  function meant() {
    const wanted = plain(filter.value);
    if (!wanted) return "";
    const names = [...document.querySelectorAll(filter.dataset.filter)].flatMap((item) => item.dataset.names.split("|"));
    const found = [...new Set(names.filter((name) => plain(name).includes(wanted)))];
    return found.length === 1 ? found[0] : "";
  }

  function choose(names) {
    const add = box.querySelector("[data-follow-add]");
    const list = box.querySelector("[data-follow-list]");
    for (const item of document.querySelectorAll(filter.dataset.filter)) {
      const isFollowed = item.dataset.names.split("|").some((name) => names.includes(name));
      item.classList.toggle("is-followed", isFollowed);
    }
    for (const rows of document.querySelectorAll("#live ul.pairings")) {
      rows.prepend(...rows.querySelectorAll(":scope > .is-followed"));
    }
    list.replaceChildren(
      ...names.map((name) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "small quiet";
        button.textContent = `${name} ×`;
        button.setAttribute("aria-label", `${name} ×: ${list.dataset.label}`);
        button.addEventListener("click", () => write(read().filter((other) => other !== name)));
        return button;
      }),
    );
    const name = meant();
    const me = box.querySelector("[data-this-is-me]");
    if (me) {
      me.search = `?name=${encodeURIComponent(name)}`;
      me.hidden = name === "";
    }
    add.hidden = name === "" || names.includes(name);
    add.querySelector("strong").textContent = name;
    box.hidden = add.hidden && (me?.hidden ?? true) && names.length === 0;
  }

  function show() {
    const names = read();
    mark(names);
    if (box && filter) choose(names);
  }

  if (box && filter) {
    box.querySelector("[data-follow-add]").addEventListener("click", () => write([meant(), ...read()].filter(Boolean)));
    filter.addEventListener("input", show);
  }
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
