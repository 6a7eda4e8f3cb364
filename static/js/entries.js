// Entering a player: while a name is typed, known players are suggested, to choose by mouse, finger or arrow keys.
"use strict";

(() => {
  const form = document.querySelector("[data-entry-form]");
  if (!form) return;
  const { name, club, country, player_id: playerId } = form.elements;
  const list = document.getElementById("suggestions");
  const known = form.querySelector("[data-known]");
  // Focus the name where there is a keyboard, or right after a player was entered
  const isFree = document.activeElement === document.body; // a slow page does not take the focus from a field in use
  if (isFree && (matchMedia("(pointer: fine)").matches || document.referrer === location.href)) name.focus();

  const options = () => [...list.querySelectorAll("[role=option]")];

  function close() {
    list.replaceChildren();
    name.setAttribute("aria-expanded", "false");
    name.removeAttribute("aria-activedescendant");
  }

  function mark(option) {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    name.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function choose(option) {
    name.value = option.dataset.name;
    club.value = option.dataset.club;
    country.value = option.dataset.country;
    playerId.value = option.dataset.player;
    known.hidden = false;
    close();
    name.focus();
  }

  function forget() {
    playerId.value = "";
    known.hidden = true;
  }

  for (const field of [name, club, country]) field.addEventListener("input", forget);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) choose(option);
  });
  name.addEventListener("keydown", (event) => {
    const all = options();
    if (!all.length) return;
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      mark(all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length]);
      event.preventDefault();
    } else if (event.key === "Enter" && at >= 0) {
      choose(all[at]);
      event.preventDefault();
    } else if (event.key === "Escape") {
      close();
      event.preventDefault();
    }
  });
  name.addEventListener("blur", () => setTimeout(close, 150));
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target === list && (document.activeElement !== name || playerId.value)) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target === list) name.setAttribute("aria-expanded", String(options().length > 0));
  });
})();
