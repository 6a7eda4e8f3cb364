// An overlay is placed and sized by its address: ?position=top-right&size=120. As a table may be called while no event
// of this page changes, it asks again once a minute.
"use strict";

(() => {
  const PLACES = ["top-left", "top", "top-right", "middle-left", "middle", "middle-right", "bottom-left", "bottom", "bottom-right"];
  const SMALLEST = 30;
  const LARGEST = 300;
  const query = new URLSearchParams(location.search);
  const overlay = document.querySelector("main.overlay");
  const position = query.get("position");
  const size = Number(query.get("size"));
  if (PLACES.includes(position)) overlay.dataset.at = position;
  if (size) overlay.style.setProperty("--size", String(Math.min(Math.max(size, SMALLEST), LARGEST) / 100));
  setInterval(() => htmx.trigger(document.body, "event-changed", { events: [] }), 60000);
})();
