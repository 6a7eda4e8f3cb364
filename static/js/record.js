// A match record: the arrow keys step through it, the list scrolls along, and the next step is prefetched.
"use strict";

(() => {
  const said = document.querySelector("[data-said]");
  if (!said) return;
  const MOST_WAITING = 10;
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
  }

  // Queue keys that are pressed while a step is loading.
  let waiting = [], busy = false;
  function step() {
    if (busy || waiting.length === 0) return;
    const link = document.querySelector(ways[waiting.shift()]);
    if (link) link.click();
    else waiting = [];
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.key in ways)) return;
    event.preventDefault();
    if (waiting.length < MOST_WAITING) waiting.push(event.key);
    step();
  });
  document.addEventListener("htmx:beforeRequest", () => { busy = true; });
  document.addEventListener("htmx:load", (event) => {
    if (event.detail.elt.id !== "playback") return;
    said.textContent = document.querySelector("[data-sentence]").textContent;
    follow();
    busy = false;
    step();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) return;
    busy = false;
    waiting = [];
  });
  document.addEventListener("htmx:historyRestore", follow);
  follow();
})();
