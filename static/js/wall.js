// A wall is read from the door, and nobody touches it: it shows as many blocks as there is room for and turns to the
// next ones by itself, tells the time, and says when it has heard nothing. Without this script, and on a small screen,
// the blocks stand below each other. The address may say what is shown, in which order, and for how long:
// ?show=called,names&seconds=20. For visitors who prefer reduced motion and have not named the seconds, it changes
// only by button or key.
"use strict";

(() => {
  const SECONDS = 15;
  const FEWEST = 5;
  const MOST = 600;
  const BETWEEN = 2; // other pages between two of the calls
  const SIZES = ["", "5.6vh", "5vh"]; // of names: as large as there are lines, and down to a twentieth of the height
  const MISSED_MS = 20000; // asked for every five seconds while the stream is away
  const query = new URLSearchParams(location.search);
  const wall = document.querySelector("main.wall");
  const seconds = Math.min(Math.max(Number(query.get("seconds")) || SECONDS, FEWEST), MOST);
  const wanted = (query.get("show") || "").split(",").filter(Boolean);
  const isScreen = matchMedia("(min-width: 60rem)");
  const isTall = matchMedia("(max-aspect-ratio: 1/1)");
  const language = document.documentElement.lang;
  let number = 1;
  let paused = matchMedia("(prefers-reduced-motion: reduce)").matches && !query.has("seconds");
  let timer = 0;
  let late = 0; // by how much the clock of this computer is behind that of the server, in milliseconds
  let newsAt = Date.now();

  // The blocks and the pages that they make

  function isShown(block) {
    if (wanted.length) return wanted.includes(block.dataset.kind);
    return !block.dataset.only || block.dataset.only === (isTall.matches ? "tall" : "wide");
  }

  function pages() {
    const room = isTall.matches ? 1 : 2;
    const shown = [...wall.querySelectorAll(".block")].filter(isShown);
    if (wanted.length) shown.sort((a, b) => wanted.indexOf(a.dataset.kind) - wanted.indexOf(b.dataset.kind));
    const found = [];
    for (const block of shown) {
      const width = Math.min(Number(block.dataset.width || 1), room);
      const last = found.at(-1);
      if (last && last.width + width <= room) {
        last.blocks.push(block);
        last.width += width;
      } else found.push({ width, blocks: [block] });
    }
    return wanted.length ? found : withCalls(found);
  }

  // While matches are called, their pages come again between the others.
  function withCalls(found) {
    const isCall = (page) => page.blocks.some((block) => block.dataset.kind === "called");
    const calls = found.filter(isCall);
    const others = found.filter((page) => !isCall(page));
    const gaps = Math.ceil(others.length / BETWEEN);
    if (!calls.length || !gaps) return found;
    const order = [];
    for (let gap = 0, next = 0; gap < gaps; gap++) {
      for (let more = Math.ceil(calls.length / gaps); more > 0; more--) order.push(calls[next++ % calls.length]);
      order.push(...others.slice(gap * BETWEEN, (gap + 1) * BETWEEN));
    }
    return order;
  }

  function show() {
    const found = pages();
    // The last page may be gone: when a round is over, fewer matches are left.
    number = found.length ? ((number - 1 + found.length) % found.length) + 1 : 1;
    const now = found[number - 1];
    const all = new Set(found.flatMap((page) => page.blocks));
    for (const block of wall.querySelectorAll(".block")) {
      block.hidden = isScreen.matches ? !now?.blocks.includes(block) : !all.has(block);
      block.classList.remove("is-turned");
    }
    // Where few names stand below each other, they are larger.
    const lines = now?.blocks.map((block) => block.querySelectorAll("[data-name], h3").length) ?? [];
    wall.style.setProperty("--blocks", String(lines.length || 1));
    wall.style.setProperty("--lines", String(Math.max(1, ...lines)));
    wall.querySelector("[data-nothing]").hidden = found.length > 0;
    wall.querySelector("[data-page]").textContent = `${number} / ${found.length}`;
    wall.querySelector("[data-turn]").hidden = !isScreen.matches || found.length < 2;
    wall.querySelector("[data-turning]").setAttribute("aria-pressed", String(paused));
    fit();
    return isScreen.matches && found.length > 1;
  }

  function wait() {
    clearTimeout(timer);
    if (show() && !paused) timer = setTimeout(() => turnTo(number + 1), seconds * 1000);
  }

  function turnTo(next) {
    number = next;
    wait();
    // Animate only the change to another page, not a refresh of the same one.
    for (const block of wall.querySelectorAll(".block:not([hidden])")) block.classList.add("is-turned");
  }

  // If a name is too long for its place, all names of its block are smaller, or else shortened in the same way: those of
  // pairs first, to initials and family names or to family names alone. Words that are no names stay as they are.
  function fit() {
    for (const block of wall.querySelectorAll(".block:not([hidden])")) {
      const names = [...block.querySelectorAll(":is([data-name], tbody .name)")];
      for (const name of names) name.dataset.name ||= name.textContent;
      const isFitting = (player, pair, size) => {
        block.style.setProperty("--fit", size);
        for (const name of names.filter((one) => one.dataset.whole === undefined)) {
          const people = name.dataset.name.split(" & ");
          name.textContent = people.map(people.length > 1 ? pair : player).join(" & ");
        }
        return names.every((name) => name.scrollWidth <= name.clientWidth);
      };
      WAYS.some(([player, pair]) => SIZES.some((size) => isFitting(player, pair, size)));
    }
  }

  const whole = (name) => name;
  const onlyFamily = (name) => parts(name).family;

  function withInitial(name) {
    const { first, family } = parts(name);
    return first ? `${[...first][0]}. ${family}` : family;
  }

  // The family name is the last word, with the small words before it and a number behind it: de la Cruz, Ravn (2).
  function parts(name) {
    const words = name.split(" ");
    let start = words.length - 1;
    if (start > 1 && /^\(\d+\)$/.test(words[start])) start--;
    while (start > 1 && /^\p{Ll}/u.test(words[start - 1])) start--;
    return { first: start > 0 ? words[0] : "", family: words.slice(start).join(" ") };
  }

  // How a player alone and each of a pair are written, the longest first.
  const WAYS = [[whole, whole], [whole, withInitial], [whole, onlyFamily], [withInitial, withInitial], [withInitial, onlyFamily]];

  wall.addEventListener("click", (event) => {
    if (event.target.closest("[data-turning]")) {
      paused = !paused;
      wait();
    }
    const step = event.target.closest("[data-step]");
    if (step) turnTo(number + Number(step.dataset.step));
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    turnTo(number + step);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "live") return;
    show();
    tick();
  });
  for (const media of [isScreen, isTall]) media.addEventListener("change", wait);
  addEventListener("resize", fit);

  // The time

  const zone = wall.dataset.zone;
  const written = (at) => new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(at);
  const ahead = new Intl.RelativeTimeFormat(language, { numeric: "always" });

  function tick() {
    const now = Date.now() + late;
    for (const clock of wall.querySelectorAll("[data-clock]")) {
      const text = written(now);
      if (clock.textContent !== text) clock.textContent = text;
    }
    for (const until of wall.querySelectorAll("[data-until]")) {
      const minutes = Math.ceil((Date.parse(until.dataset.until) - now) / 60000);
      until.textContent = minutes > 0 && minutes <= 90 ? ahead.format(minutes, "minute") : "";
      until.closest("li").hidden = minutes <= 0;
    }
    const lost = wall.querySelector("[data-lost]");
    const state = wall.querySelector("[data-live-state]")?.dataset.liveState;
    if (state === "live") newsAt = Date.now();
    lost.hidden = !state || state === "live" || (state === "reconnecting" && Date.now() - newsAt < MISSED_MS);
    if (!lost.hidden) lost.querySelector("time").textContent = written(newsAt + late);
  }

  // The script of live pages notes each answer there, whether the stream brings news or they are asked for.
  const state = wall.querySelector("[data-live-state]");
  const observer = new MutationObserver(() => {
    if (state.dataset.liveState === "live") newsAt = Date.now();
    tick();
  });
  if (state) observer.observe(state, { attributes: true, attributeFilter: ["data-live-state"] });
  document.addEventListener("htmx:afterRequest", (event) => {
    const at = Date.parse(event.detail.xhr?.getResponseHeader("Date") ?? "");
    if (Number.isNaN(at)) return;
    newsAt = Date.now();
    late = Math.abs(at - newsAt) > 2000 ? at - newsAt : 0;
  });
  setInterval(tick, 1000);
  // What a hall shows depends on the minute too.
  if (wall.dataset.minutely !== undefined) {
    setInterval(() => htmx.trigger(document.body, "event-changed", { events: [] }), 60000);
  }

  tick();
  wait();
})();
