// Remembers the anchor of a chain that this browser saw first, and says so if it is ever another one.
"use strict";

(() => {
  for (const shown of document.querySelectorAll("[data-anchor]")) {
    const key = `anchor.${shown.dataset.anchorOf}`;
    try {
      const first = localStorage.getItem(key);
      if (first === null) localStorage.setItem(key, shown.dataset.anchor);
      else if (first !== shown.dataset.anchor) {
        for (const warning of document.querySelectorAll("[data-anchor-differs]")) warning.hidden = false;
      }
    } catch {
      // A browser that stores nothing remembers nothing.
    }
  }
})();
