// A match record: the arrow keys and a swipe over the board step through it, it plays by itself at a chosen speed, the
// list scrolls along, and the next step is prefetched.
"use strict";

(() => {
  const said = document.querySelector("[data-said]");
  if (!said) return;
  const MOST_WAITING = 10;
  const MOVE_MS = 2000;
  const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]];
  const SWIPE = 40; // pixels; a swipe is also at least twice as wide as it is high
  const ways = { ArrowLeft: "#step-back", ArrowRight: "#step-on" };
  // Without a script the links need their anchor; htmx, which starts later, would scroll to it.
  for (const link of document.querySelectorAll("#playback a[href$='#playback']")) link.href = link.href.split("#")[0];

  function follow() {
    const list = document.querySelector("[data-moves]");
    const shown = list.querySelector("[aria-current]");
    if (shown && list.scrollHeight > list.clientHeight) {
      list.scrollTop += shown.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    }
    const next = document.querySelector(ways.ArrowRight);
    if (next) fetch(next.href, { headers: { "HX-Request": "true" }, priority: "low" }).catch(() => {});
    document.querySelector("[data-autoplay]").disabled = !next;
  }

  // Queue keys that are pressed while a step is loading.
  let waiting = [], busy = false;
  function step() {
    if (busy || waiting.length === 0) return;
    const link = document.querySelector(ways[waiting.shift()]);
    if (link) link.click();
    else waiting = [];
  }
  function go(way) {
    if (waiting.length < MOST_WAITING) waiting.push(way);
    step();
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.key in ways)) return;
    event.preventDefault();
    stop();
    go(event.key);
  });

  // By itself: the next move follows when the last one has been seen for its time, so a slow network only makes it
  // slower. It begins slowly for visitors who prefer reduced motion, and stops as soon as anything else is chosen.
  let timer = 0, speed = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1;
  const isPlaying = () => timer !== 0;
  function tell() {
    const button = document.querySelector("[data-autoplay]");
    button.classList.toggle("is-playing", isPlaying());
    button.querySelector("[data-label]").textContent = isPlaying() ? button.dataset.pause : button.dataset.play;
    document.querySelector("[data-speed] [data-times]").textContent = SPEEDS[speed][1];
  }
  function stop() {
    clearTimeout(timer);
    timer = 0;
    tell();
  }
  function wait() {
    clearTimeout(timer);
    timer = setTimeout(playOn, MOVE_MS / SPEEDS[speed][0]);
  }
  function playOn() {
    const link = document.querySelector(ways.ArrowRight);
    if (!link) return stop();
    link.setAttribute("hx-replace-url", "true"); // the way back leads out of the record, not through every move
    go("ArrowRight");
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-autoplay]")) {
      if (isPlaying()) return stop();
      wait();
      tell();
      playOn();
    } else if (event.target.closest("[data-speed]")) {
      speed = (speed + 1) % SPEEDS.length;
      if (isPlaying()) wait();
      tell();
    } else if (event.isTrusted && event.target.closest("#playback a")) stop();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); });

  // A swipe to the left turns to the next move, as a page is turned.
  let finger = null;
  document.addEventListener("pointerdown", (event) => {
    const isSwipe = event.pointerType === "touch" && event.isPrimary && event.target.closest(".board-figure");
    finger = isSwipe ? { x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!finger || !event.isPrimary) return;
    const right = event.clientX - finger.x, down = event.clientY - finger.y;
    finger = null;
    if (Math.abs(right) < SWIPE || Math.abs(right) < 2 * Math.abs(down)) return;
    stop();
    go(right < 0 ? "ArrowRight" : "ArrowLeft");
  });
  document.addEventListener("pointercancel", () => { finger = null; });

  document.addEventListener("htmx:beforeRequest", () => { busy = true; });
  document.addEventListener("htmx:load", (event) => {
    if (event.detail.elt.id !== "playback") return;
    said.textContent = document.querySelector("[data-sentence]").textContent;
    follow();
    busy = false;
    if (isPlaying()) wait();
    if (isPlaying() && !document.querySelector(ways.ArrowRight)) stop();
    step();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) return;
    busy = false;
    waiting = [];
    stop();
  });
  document.addEventListener("htmx:historyRestore", () => { stop(); follow(); });
  tell();
  follow();
})();
