// The desk by keyboard: j and k move between matches, a letter presses its button, and refusals are shown. As minutes
// pass without an event, the live part refreshes once a minute. Everything also works without this script.
"use strict";

(() => {
  const live = document.querySelector("#live[data-minutely]");
  if (!live) return;

  const rows = () => [...live.querySelectorAll("[data-row]")];
  const isField = (element) => element.matches("input, select, textarea");
  let current = "";

  function go(row) {
    if (!row) return;
    current = row.id;
    (row.querySelector("[data-first]") || row.querySelector("a, button, summary")).focus();
    row.scrollIntoView({ block: "nearest" });
  }

  function here() {
    const focused = document.activeElement?.closest("[data-row]");
    return focused || document.getElementById(current) || rows()[0];
  }

  function step(by) {
    const all = rows();
    const place = all.findIndex((row) => row.id === current);
    go(all[Math.min(all.length - 1, Math.max(0, place < 0 ? 0 : place + by))]);
  }

  function press(key) {
    const button = key === "a" ? live.querySelector("[data-key=a]") : here()?.querySelector(`[data-key="${key}"]`);
    if (!button) return;
    current = button.closest("[data-row]")?.id || current;
    button.click();
    if (!button.matches("summary")) return;
    // Found by its ID, as the live part may have been replaced meanwhile.
    const { id } = button.closest("details");
    setTimeout(() => document.querySelector(`#${CSS.escape(id)}[open] :is(input:not([type=hidden]), button)`)?.focus());
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isField(document.activeElement)) {
      const row = document.activeElement.closest("[data-row]");
      const details = document.activeElement.closest("details");
      if (details) details.open = false;
      document.activeElement.blur();
      if (row) go(row);
      return;
    }
    if (isField(document.activeElement)) return;
    if (event.key === "/") document.getElementById("q")?.focus();
    else if (event.key === "j" || event.key === "ArrowDown") step(1);
    else if (event.key === "k" || event.key === "ArrowUp") step(-1);
    else if ("csemrfaw".includes(event.key)) press(event.key);
    else return;
    event.preventDefault();
  });

  // Enter in the search box goes to the first match found
  document.querySelector(".desk-search")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const box = event.target.querySelector("input");
    await htmx.ajax("GET", `${box.getAttribute("hx-get")}?q=${encodeURIComponent(box.value)}`, "#found");
    const way = document.querySelector("#found .to-row");
    const row = way && document.querySelector(way.hash);
    // A match of an event that is filtered out stands on the whole desk
    if (way && !row) location.assign(way.href);
    row?.closest("details:not([open])")?.setAttribute("open", "");
    go(row);
  });

  live.addEventListener("focusin", (event) => {
    current = event.target.closest("[data-row]")?.id || current;
  });

  // Show refusals too: htmx ignores answers with an error status
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (event.target.id !== "said") return;
    if (!xhr.responseText.includes("desk-said")) {
      // Signed out, or answered by something else: reload to show what is there now
      if (xhr.status === 200) location.reload();
      event.detail.shouldSwap = false;
    } else if ([400, 403, 409].includes(xhr.status)) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
  });

  // After an act, focus returns to the same match, or to the one that took its place, unless the user has moved on
  // meanwhile
  let place = 0;
  let acted = false;
  for (const sign of ["keydown", "pointerdown"]) document.addEventListener(sign, () => (acted = false), true);
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, target, xhr } = event.detail;
    if (target.id !== "said") return;
    place = Math.max(0, rows().findIndex((row) => row.id === current));
    // Not htmx:afterRequest, which does not bubble from a removed form: the live part may have been replaced meanwhile.
    xhr.addEventListener("loadend", () => {
      if (!xhr.responseText.includes("desk-said")) return;
      answered(elt.closest(".choose")?.id, xhr.status);
      if (!elt.isConnected && xhr.status !== 400) htmx.trigger(document.body, "event-changed", { topics: [] });
    });
  });
  function answered(id, status) {
    const details = document.getElementById(id);
    acted = status !== 400;
    if (status === 200) {
      details?.querySelector("form").reset();
      details?.removeAttribute("open");
    } else {
      // Return to the field so that a refused value can be corrected there
      const field = details?.querySelector("input:not([type=hidden])");
      field?.focus();
      field?.select();
    }
  }
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target !== live || !acted) return;
    acted = false;
    if (isField(document.activeElement)) return;
    go(document.getElementById(current) || rows()[Math.min(place, rows().length - 1)]);
  });

  setInterval(() => {
    if (!document.hidden && !(live.contains(document.activeElement) && isField(document.activeElement))) {
      htmx.trigger(document.body, "event-changed", { topics: [] });
    }
  }, 60000);
})();
