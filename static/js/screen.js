// A draw on a beamer: one part fills the screen, and after a while the next one does. Without it the parts stand below
// each other. On a small screen they do too, and for who wants nothing to move they wait for a link or an arrow key.
"use strict";

(() => {
  const SECONDS = 15;
  const wide = matchMedia("(min-width: 60rem)");
  let number = Number(location.hash.slice("#part-".length)) || 1;
  let paused = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0;

  function show() {
    const parts = document.querySelectorAll(".part");
    const one = wide.matches && parts.length > 1;
    // The last part may be gone: a round is over, and fewer matches are left.
    number = parts.length ? ((number - 1 + parts.length) % parts.length) + 1 : 1;
    parts.forEach((part, index) => { part.hidden = one && index + 1 !== number; });
    document.querySelectorAll(".parts a").forEach((link, index) => {
      if (one && index + 1 === number) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    const button = document.querySelector("[data-turning]");
    if (button) {
      button.hidden = !one;
      button.setAttribute("aria-pressed", String(paused));
    }
    return one;
  }

  function wait() {
    clearTimeout(timer);
    if (show() && !paused) timer = setTimeout(() => turnTo(number + 1), SECONDS * 1000);
  }

  function turnTo(next) {
    number = next;
    wait();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-turning]")) {
      paused = !paused;
      wait();
    }
    const link = event.target.closest(".parts a");
    if (link && wide.matches) {
      event.preventDefault();
      turnTo(Number(link.textContent));
    }
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    turnTo(number + step);
  });
  document.addEventListener("htmx:afterSwap", (event) => event.target.id === "live" && show());
  wide.addEventListener("change", wait);
  wait();
})();
