"use strict";
/* The page follows what it shows without a reload.

   <body data-live-url="{{ live_url }}" data-live-events="3,t5" data-live-versions="17.16.4,20.16.4.91">
     the topics, separated by commas: events (3), a tournament (t5), all tournaments (all), the ranking lists (ratings);
     and for each the versions that the page shows, separated by dots, of which the first that differs only grows;
     without versions, the page refreshes its live parts once when the stream opens
   <div hx-get="?fragment" hx-trigger="event-changed from:body">
     a live part, which fetches itself again
   <span data-live-state data-label-live="..." data-label-reconnecting="..." data-label-offline="...">
     shows whether the page is up to date

   While the stream is out of reach, each live part is polled every few seconds, by its ETag. */

(() => {
  const POLL_MS = 5000;
  const RETRY_MS = 10000;
  const SILENCE_MS = 40000; // the stream sends something every 15 seconds
  const OPEN_MS = 10000; // if the port is blocked, a browser tries for minutes before it reports an error
  const HIDDEN_MS = 30000;
  const GONE = [404, 410];

  const { liveUrl, liveEvents = "", liveVersions = "" } = document.body.dataset;
  if (!liveUrl || !liveEvents) return;

  const topics = liveEvents.split(",");
  const shown = new Map(topics.map((topic, index) => [topic, liveVersions.split(",")[index] ?? ""]));
  const latest = new Map(); // topic -> the newest versions announced by the stream
  const etags = new Map(); // address -> ETag of its last response
  let source = null;
  let heard = ""; // while the live parts ask again after news: the versions that the answer has to show
  let state = "";
  let heardAt = 0;
  let pollTimer = 0;
  let retryTimer = 0;
  let hiddenTimer = 0;

  const liveParts = () => [...document.querySelectorAll('[hx-trigger*="event-changed"]')];

  function show(name) {
    state = name;
    for (const element of document.querySelectorAll("[data-live-state]")) {
      const label = element.dataset[`label${name[0].toUpperCase()}${name.slice(1)}`] ?? name;
      element.dataset.liveState = name;
      if (element.textContent !== label) element.textContent = label;
    }
  }

  function isNewer(version, other) {
    const [a, b] = [version, other].map((text) => text.split(".").map(Number));
    const first = a.findIndex((part, index) => part !== b[index]);
    return other === "" || (first >= 0 && a[first] > b[first]);
  }

  /* Typing into a live part is not interrupted: the part changes once the field is left. */
  function someoneTypes() {
    const field = document.activeElement;
    if (!field.matches("input, select, textarea") || !liveParts().some((part) => part.contains(field))) return false;
    field.addEventListener("focusout", () => setTimeout(catchUp), { once: true });
    return true;
  }

  function catchUp() {
    const changed = topics.filter((topic) => latest.has(topic) && isNewer(latest.get(topic), shown.get(topic)));
    if (!changed.length || someoneTypes()) return;
    for (const topic of changed) shown.set(topic, latest.get(topic));
    heard = topics.filter((topic) => latest.has(topic)).map((topic) => `${topic}=${latest.get(topic)}`).join();
    htmx.trigger(document.body, "event-changed", { topics: changed });
    heard = "";
  }

  function connect() {
    disconnect();
    heardAt = Date.now();
    source = new EventSource(`${liveUrl}/events/${liveEvents}`);
    source.addEventListener("open", () => {
      heardAt = Date.now();
      stopPolling();
      show("live");
    });
    source.addEventListener("version", (message) => {
      heardAt = Date.now();
      const { topic, versions } = JSON.parse(message.data);
      latest.set(topic, versions);
      catchUp();
    });
    source.addEventListener("gone", () => {
      heardAt = Date.now();
      htmx.trigger(document.body, "event-changed", { topics });
    });
    source.addEventListener("alive", () => {
      heardAt = Date.now();
    });
    source.addEventListener("error", () => {
      startPolling();
      if (source?.readyState === EventSource.CLOSED) retryTimer = setTimeout(connect, RETRY_MS);
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
    pollTimer = setInterval(poll, POLL_MS);
    poll();
  }

  function stopPolling() {
    clearInterval(pollTimer);
    pollTimer = 0;
  }

  async function poll() {
    for (const part of liveParts()) {
      const address = part.getAttribute("hx-get");
      const headers = { "HX-Request": "true" };
      if (etags.has(address)) headers["If-None-Match"] = etags.get(address);
      try {
        const answer = await fetch(address, { headers, cache: "no-store" });
        if (!pollTimer) return;
        show("reconnecting");
        if (GONE.includes(answer.status)) return openAnew(address);
        if (answer.status !== 200 || someoneTypes()) continue;
        etags.set(address, answer.headers.get("ETag"));
        htmx.trigger(document.body, "event-changed", { topics });
      } catch {
        if (pollTimer) show("offline");
      }
    }
  }

  /* What the page shows is there no more: the whole page says so. */
  function openAnew(address) {
    const page = new URL(address, location.href);
    page.searchParams.delete("fragment");
    location.replace(page);
  }

  function askAgain(event) {
    if (!liveParts().includes(event.target)) return;
    if (GONE.includes(event.detail.xhr?.status)) return openAnew(event.target.getAttribute("hx-get"));
    for (const topic of topics) shown.set(topic, "");
    setTimeout(catchUp, POLL_MS);
  }

  setInterval(() => {
    const silence = Date.now() - heardAt;
    if (state === "live" && source && silence > SILENCE_MS) {
      startPolling();
      connect();
    } else if (source?.readyState === EventSource.CONNECTING && silence > OPEN_MS) {
      startPolling();
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
  document.addEventListener("htmx:configRequest", (event) => {
    if (heard && liveParts().includes(event.target)) event.detail.headers.Live = heard;
  });
  document.addEventListener("htmx:sendError", askAgain);
  document.addEventListener("htmx:responseError", askAgain);
  document.addEventListener("htmx:timeout", askAgain);
  document.addEventListener("htmx:afterSettle", () => state && show(state));

  connect();
})();
