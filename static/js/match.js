// Entering a game: a drop is always a single game, so the other levels are disabled when it is chosen. A score sheet
// gets another row when it needs one.
"use strict";

(() => {
  const sheet = document.querySelector("[data-sheet-form]");
  sheet?.querySelector("[data-add-game]").addEventListener("click", () => {
    const total = sheet.elements["games-TOTAL_FORMS"];
    const rows = sheet.querySelectorAll(".game-row");
    const row = rows[rows.length - 1].cloneNode(true);
    const number = Number(total.value);
    row.querySelector(".number").textContent = number + 1;
    for (const select of row.querySelectorAll("select")) {
      select.name = select.name.replace(/-\d+-/, `-${number}-`);
      select.setAttribute("aria-label", select.getAttribute("aria-label").replace(/\d+/, number + 1));
      select.selectedIndex = 0;
      for (const mark of ["aria-invalid", "aria-describedby", "autofocus"]) select.removeAttribute(mark);
    }
    for (const error of row.querySelectorAll(".error")) error.remove();
    total.value = number + 1;
    rows[rows.length - 1].after(row);
    row.querySelector("select").focus();
  });

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
