// A bracket that is larger than the screen opens at the match that the address names, or else where play is.
// Without this script, the address of a match still leads to it.
"use strict";

(() => {
  const boxes = [...document.querySelectorAll("figure.bracket")];
  const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const own = named && boxes.some((box) => box.contains(named)) ? named : null;

  function first(states) {
    for (const state of states) {
      for (const box of boxes) {
        const match = box.querySelector(`.match.is-${state}`);
        if (match) return match;
      }
    }
    return null;
  }

  // Each box begins with the column of its first match in play, or else of its first that waits; the page itself moves only if it opens at its top
  const EDGE = 12;
  const place = (match) => match.querySelector(".box").getBoundingClientRect();
  for (const box of boxes) {
    if (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight) continue;
    const match = own && box.contains(own) ? own : ["live", "ready", "busy", "waiting"].map((state) => box.querySelector(`.match.is-${state}`)).find(Boolean);
    const last = match || [...box.querySelectorAll(".match")].pop();
    if (!last) continue;
    const shown = place(last);
    const frame = box.getBoundingClientRect();
    box.scrollLeft += shown.left - frame.left - EDGE;
    box.scrollTop += shown.top + shown.height / 2 - frame.top - frame.height / 2;
  }

  const target = own || first(["live", "ready", "busy"]);
  if (!target || (scrollY > 0 && !own)) return;
  const shown = place(target);
  if (shown.top < 0 || shown.bottom > innerHeight) scrollBy(0, shown.top + shown.height / 2 - innerHeight / 2);
})();
