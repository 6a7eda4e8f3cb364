// Entering a game: a drop is always a single game, so the levels step aside when it is chosen.
"use strict";

(() => {
  const form = document.querySelector("[data-game-form]");
  if (!form) return;
  const levels = form.querySelector("[data-levels]");
  function fit() {
    const dropped = form.querySelector("[name=ending]:checked")?.value === "drop";
    for (const level of levels.querySelectorAll("[name=level]")) {
      if (dropped) level.checked = level.value === "1";
      level.disabled = dropped && level.value !== "1";
    }
    levels.querySelector("[data-drop-note]").hidden = !dropped;
  }
  form.addEventListener("change", fit);
  fit();
})();
