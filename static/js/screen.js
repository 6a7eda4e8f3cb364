// A projector shows one part of a draw, or of a hall that does not fit on the screen, and moves on after a while. Without
// this script, and on a small screen, the parts stand below each other. For visitors who prefer reduced motion the
// screen changes only by link or key.
"use strict";

(() => {
  const SECONDS = 15;
  const wide = matchMedia("(min-width: 60rem)");
  let number = Number(location.hash.slice("#part-".length)) || 1;
  let paused = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let timer = 0;

  function show() {
    const parts = document.querySelectorAll(".part");
    for (const part of parts) part.hidden = false;
    const page = document.documentElement;
    const isLong = !document.querySelector("[data-parts-if-long]") || page.scrollHeight > page.clientHeight;
    const one = wide.matches && parts.length > 1 && isLong;
    // The last part may be gone: when a round is over, fewer matches are left.
    number = parts.length ? ((number - 1 + parts.length) % parts.length) + 1 : 1;
    parts.forEach((part, index) => {
      part.hidden = one && index + 1 !== number;
      part.classList.remove("is-turned");
    });
    document.querySelectorAll(".parts a").forEach((link, index) => {
      if (one && index + 1 === number) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    const links = document.querySelector(".parts");
    if (links) links.hidden = !isLong;
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
    // Animate only the change to another part, not a refresh of the same one.
    if (wide.matches) document.querySelector(`#part-${number}`)?.classList.add("is-turned");
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
