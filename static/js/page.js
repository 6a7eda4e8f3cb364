// What the script adds to every page: a live page keeps what is open, scrolled and filtered; dangerous actions ask for
// confirmation; the filter finds a name. Everything also works without this script.
"use strict";

(() => {
  // Folds a name as the server does (players.services.fold_name), by the letters that it hands to this script
  const LETTERS = JSON.parse(document.currentScript.dataset.letters);
  const plain = (letter) => LETTERS[letter] ?? letter;
  const fold = (text) =>
    [...text.normalize("NFKD")].map((letter) => plain(letter.toLowerCase())).join("")
      .normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim();

  // The filter over the pairings
  const WORTH_FILTERING = 4;
  const filter = document.querySelector("[data-filter]");
  function applyFilter() {
    if (!filter) return;
    const wanted = fold(filter.value);
    let shown = 0;
    const items = document.querySelectorAll(filter.dataset.filter);
    filter.closest("[data-filter-box]").hidden = items.length < WORTH_FILTERING && wanted === "";
    for (const item of items) {
      item.hidden = wanted !== "" && !fold(item.dataset.names).includes(wanted);
      if (!item.hidden) shown += 1;
    }
    for (const group of document.querySelectorAll("[data-group]")) {
      group.hidden = !group.querySelector("[data-names]:not([hidden])");
    }
    document.querySelector("[data-filter-none]").hidden = shown > 0 || wanted === "";
  }
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
  filter?.addEventListener("input", applyFilter);
  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
  applyFilter();

  // When a live part is replaced, keep what is open, scrolled, focused or half typed
  let kept = null;
  const CONTROLS = "a[href], button, summary, input, select, textarea";
  function placeOf(element) {
    const inside = element.closest("[id]");
    return inside && [inside.id, [...inside.querySelectorAll(CONTROLS)].indexOf(element)];
  }
  function controlAt(place) {
    const inside = place && document.getElementById(place[0]);
    return place && (place[1] < 0 ? inside : inside?.querySelectorAll(CONTROLS)[place[1]]);
  }
  function typed(live) {
    return [...live.querySelectorAll("input[id]:not([type=hidden], [type=checkbox], [type=radio]), textarea[id]")]
      .filter((field) => field.value !== field.defaultValue)
      .map((field) => [field.id, field.value]);
  }
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target.id !== "live") return;
    kept = {
      typed: typed(event.target),
      checked: [...event.target.querySelectorAll("[type=checkbox][id]:checked")].map((box) => box.id),
      open: [...event.target.querySelectorAll("details[id][open]")].map((element) => element.id),
      scrolled: [...event.target.querySelectorAll("[data-keep-scroll]")].map((element) => [element.id, element.scrollLeft, element.scrollTop]),
      texts: new Map([...event.target.querySelectorAll("[data-watch]")].map((element) => [element.id, element.textContent.replace(/\s+/g, " ")])),
      focused: event.target.contains(document.activeElement) ? placeOf(document.activeElement) : null,
      link: document.activeElement?.getAttribute("href"),
    };
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "live" || !kept) return;
    for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
    for (const [id, left, top] of kept.scrolled) document.getElementById(id)?.scrollTo(left, top);
    let changes = 0;
    for (const element of event.target.querySelectorAll("[data-watch]")) {
      if (kept.texts.has(element.id) && kept.texts.get(element.id) !== element.textContent.replace(/\s+/g, " ")) {
        element.classList.add("changed");
        changes += 1;
      }
    }
    for (const id of kept.checked) {
      const box = document.getElementById(id);
      if (box) box.checked = true;
    }
    for (const [id, value] of kept.typed) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    // A focus that has moved on meanwhile stays where it is
    if (kept.focused && document.activeElement === document.body) {
      const link = kept.link && [...event.target.querySelectorAll("a[href]")].find((one) => one.getAttribute("href") === kept.link);
      (link || controlAt(kept.focused))?.focus({ preventScroll: true });
    }
    applyFilter();
    const note = document.getElementById("live-note");
    if (note && changes) note.textContent = event.target.dataset.changedText;
    noteOutdatedForm();
    kept = null;
  });

  // Show a note on a form that belongs to an older score sheet
  function noteOutdatedForm() {
    const form = document.querySelector("[data-sheet]");
    const match = document.querySelector("[data-match-sheet]");
    if (form && match) form.querySelector("[data-outdated]").hidden = form.dataset.sheet === match.dataset.matchSheet;
  }

  // Scroll the current tab into view on a narrow screen
  const tab = document.querySelector(".tabs [aria-current]");
  if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;

  // A phone that has private pages is led to them: to that of the event or the tournament shown, or else to the newest
  function readMine() {
    try {
      const found = JSON.parse(localStorage.getItem("sixprime.links") ?? "[]");
      return Array.isArray(found) ? found.filter((one) => typeof one?.url === "string" && one.url.startsWith("/e/")) : [];
    } catch {
      return [];
    }
  }
  const mine = readMine();
  const ownOf = (place) => mine.find((one) => typeof one.at === "string" && one.at.startsWith(place));
  for (const link of document.querySelectorAll("[data-find-me]")) {
    const own = ownOf(link.dataset.findMe);
    if (!own) continue;
    link.href = own.url;
    link.textContent = link.dataset.mine;
    document.querySelector("[data-this-is-me]")?.remove();
  }
  const toMine = document.querySelector("[data-my-page]");
  if (toMine && mine.length && !location.pathname.startsWith("/e/")) {
    const shown = location.pathname.match(/^\/t\/[^/]+\//)?.[0];
    const event = document.querySelector("[data-find-me]")?.dataset.findMe;
    toMine.href = ((event && ownOf(event)) || (shown && ownOf(shown)) || mine[0]).url;
    toMine.hidden = false;
  }

  // A page that comes back from the memory of the browser is shown only to the reader for whom it was made
  const READER = "sixprime.reader";
  const reader = document.querySelector(".sign-out .who")?.textContent ?? "";
  const cameBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  function showTo(isOld) {
    try {
      if (isOld && (localStorage.getItem(READER) ?? reader) !== reader) {
        document.body.hidden = true;
        location.reload();
      } else {
        localStorage.setItem(READER, reader);
      }
    } catch {
      // A private window remembers nobody
    }
  }
  showTo(cameBack);
  window.addEventListener("pageshow", (event) => event.persisted && showTo(true));

  // A time that was still to come when the page was made goes once it has passed
  function hidePassed() {
    for (const element of document.querySelectorAll("[data-passes]")) {
      if (Date.parse(element.dataset.passes) < Date.now()) element.hidden = true;
    }
  }
  hidePassed();
  setInterval(hidePassed, 30_000);

  // Ask for confirmation of dangerous actions
  document.addEventListener("submit", (event) => {
    const question = event.target.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  });

  // Send a form only once, however often its button is pressed
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "post") return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  // Go back to the form with its fields still filled in
  document.querySelector("[data-back]")?.addEventListener("click", (event) => {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
  });

  // Close menus on a click elsewhere or on Escape
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
