// Remembers the anchors and lots that this browser saw first, and says so if they are ever others.
"use strict";

(() => {
  const compare = (key, now, warning) => {
    try {
      const first = localStorage.getItem(key);
      if (first === null) localStorage.setItem(key, now);
      else if (first !== now) for (const text of document.querySelectorAll(warning)) text.hidden = false;
    } catch {
      // A browser that stores nothing remembers nothing.
    }
  };
  for (const shown of document.querySelectorAll("[data-anchor]")) {
    compare(`anchor.${shown.dataset.anchorOf}`, shown.dataset.anchor, "[data-anchor-differs]");
  }
  for (const shown of document.querySelectorAll("[data-kept]")) {
    compare(`lots.${shown.dataset.kept}`, shown.dataset.is, "[data-kept-differs]");
  }
})();
