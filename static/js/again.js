// A form that met another writer is sent again by itself, a few times, with growing pauses. Nothing of it was stored,
// and its base version refuses it if somebody else was faster.
"use strict";

(() => {
  const MOST = 4;
  const TRY = "Sixprime-Try";
  // Not all who waited come back at the same moment
  const pauseOf = (seconds) => seconds * 1000 * (0.75 + Math.random() / 2);

  // On the page that says so
  const form = document.querySelector("form[data-again]");
  if (form) {
    const line = document.querySelector("[data-code]");
    line.textContent = form.dataset.busy;
    const timer = setTimeout(() => form.requestSubmit(), pauseOf(Number(form.dataset.again)));
    form.addEventListener("submit", (event) => {
      clearTimeout(timer);
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "1";
    });
  }

  // On a page that sends its forms beside what is shown
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, elt, target, requestConfig } = event.detail;
    if (xhr.status !== 409 || !xhr.getResponseHeader("Retry-After") || requestConfig.verb !== "post") return;
    event.stopImmediatePropagation();
    event.detail.shouldSwap = false;
    event.detail.isError = false;
    const tries = Number(requestConfig.headers[TRY] ?? 0);
    const said = new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector("[data-code]");
    const line = document.createElement("p");
    line.className = "note";
    line.setAttribute("role", "status");
    line.textContent = tries < MOST ? (target.dataset.busy ?? "") : (said?.textContent ?? "");
    target.replaceChildren(line);
    if (tries >= MOST) return;
    setTimeout(() => {
      htmx.ajax("POST", requestConfig.path, {
        source: elt.isConnected && !elt.hasAttribute("hx-confirm") ? elt : document.body,
        target,
        values: requestConfig.formData,
        headers: { [TRY]: String(tries + 1) },
      });
    }, pauseOf(2 ** tries));
  });
})();
