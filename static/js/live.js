"use strict";
/* The page follows its event without a reload.

   <body data-live-url="{{ live_url }}">
   <section data-follows="{{ event.id }}" data-version="{{ event.version }}.{{ stage.standings_version }}"
            hx-get="?fragment" hx-trigger="event-changed">
   <span data-live-state data-label-live="..." data-label-reconnecting="..." data-label-offline="...">

   Each element that follows hears "event-changed" when its event has a version newer than what it shows. While the
   stream is out of reach the element's own address is asked every few seconds, by its ETag. */

(() => {
  const POLL_MS = 5000;
  const RETRY_MS = 10000;
  const SILENCE_MS = 40000; // the stream says something every 15 seconds
  const HIDDEN_MS = 30000;

  const base = document.body.dataset.liveUrl;
  const latest = new Map(); // event id -> its newest message
  const asked = new Map(); // address -> the version it was last asked for
  const etags = new Map(); // address -> ETag of the last answer
  let source = null;
  let following = "";
  let state = "";
  let heardAt = 0;
  let pollTimer = 0;
  let retryTimer = 0;
  let hiddenTimer = 0;

  const followers = () => [...document.querySelectorAll("[data-follows]")];
  const followed = () => [...new Set(followers().map((element) => element.dataset.follows))].sort().join(",");

  function show(name) {
    state = name;
    for (const element of document.querySelectorAll("[data-live-state]")) {
      const label = element.dataset[`label${name[0].toUpperCase()}${name.slice(1)}`] ?? name;
      element.dataset.liveState = name;
      if (element.textContent !== label) element.textContent = label;
    }
  }

  function shows(element, news) {
    const [version, standings] = (element.dataset.version ?? "0.0").split(".").map(Number);
    return news.version <= version && news.standings <= standings;
  }

  function refresh(element, news) {
    const address = element.getAttribute("hx-get");
    const version = `${news.version}.${news.standings}`;
    if (asked.get(address) === version) return;
    const typing = document.activeElement;
    if (element.contains(typing) && typing.matches("input, select, textarea")) {
      element.addEventListener("focusout", () => setTimeout(catchUp), { once: true });
      return;
    }
    asked.set(address, version);
    htmx.trigger(element, "event-changed", news);
  }

  function catchUp() {
    for (const element of followers()) {
      const news = latest.get(element.dataset.follows);
      if (news && !shows(element, news)) refresh(element, news);
    }
  }

  function connect() {
    disconnect();
    following = followed();
    if (!following || !base) return;
    source = new EventSource(`${base}/events/${following}`);
    source.addEventListener("open", () => {
      heardAt = Date.now();
      stopPolling();
      show("live");
    });
    source.addEventListener("version", (message) => {
      heardAt = Date.now();
      const news = JSON.parse(message.data);
      latest.set(String(news.event), news);
      catchUp();
    });
    source.addEventListener("alive", () => {
      heardAt = Date.now();
    });
    source.addEventListener("error", () => {
      const refused = source.readyState === EventSource.CLOSED;
      startPolling();
      if (refused) retryTimer = setTimeout(connect, RETRY_MS);
    });
  }

  function disconnect() {
    clearTimeout(retryTimer);
    source?.close();
    source = null;
  }

  function startPolling() {
    if (pollTimer) return;
    show(navigator.onLine ? "reconnecting" : "offline");
    poll();
    pollTimer = setInterval(poll, POLL_MS);
  }

  function stopPolling() {
    clearInterval(pollTimer);
    pollTimer = 0;
  }

  async function poll() {
    for (const element of followers()) {
      const address = element.getAttribute("hx-get");
      if (!address) continue;
      const headers = { "HX-Request": "true" };
      if (etags.has(address)) headers["If-None-Match"] = etags.get(address);
      try {
        const answer = await fetch(address, { headers, cache: "no-store" });
        if (!pollTimer) return;
        show("reconnecting");
        if (answer.status !== 200) continue;
        etags.set(address, answer.headers.get("ETag"));
        htmx.trigger(element, "event-changed", {});
      } catch {
        if (pollTimer) show("offline");
      }
    }
  }

  function askAgain(event) {
    const element = event.target.closest?.("[data-follows]");
    if (element && asked.delete(element.getAttribute("hx-get"))) setTimeout(catchUp, POLL_MS);
  }

  setInterval(() => {
    if (state === "live" && source && Date.now() - heardAt > SILENCE_MS) {
      startPolling();
      connect();
    }
  }, POLL_MS);

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      hiddenTimer = setTimeout(() => {
        disconnect();
        stopPolling();
      }, HIDDEN_MS);
    } else if (!source) {
      connect();
    }
  });
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("pagehide", disconnect);
  addEventListener("online", connect);
  addEventListener("offline", () => show("offline"));
  document.addEventListener("htmx:sendError", askAgain);
  document.addEventListener("htmx:responseError", askAgain);
  document.addEventListener("htmx:timeout", askAgain);
  document.addEventListener("htmx:afterSettle", () => {
    if (state) show(state);
    if (followed() !== following) connect();
    else catchUp();
  });

  connect();
})();
