// A beamer shows one part of a draw, or of a hall that does not fit, and after a while the next one. Without it the parts
// stand below each other. On a small screen they do too, and for who wants nothing to move they wait for a link or a key.
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
    // The last part may be gone: a round is over, and fewer matches are left.
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
    // Only a turn is seen as one: what comes anew meanwhile does not move.
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
