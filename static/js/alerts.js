// Subscribes this browser to notifications about the entry of the page. Without them the form sends e-mails alone.
"use strict";

(() => {
  const part = document.querySelector("[data-push]");
  if (!part || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const said = document.querySelector("[data-push-said]");
  const form = part.closest("form");
  part.hidden = false;

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");

  /* Null under a certificate that the phone does not trust, whatever its owner has said to a warning. */
  const registration = () =>
    navigator.serviceWorker.register(part.dataset.worker, { scope: "/", updateViaCache: "none" }).catch(() => null);

  async function subscription(registered) {
    await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(part.dataset.push) };
    try {
      return await registered.pushManager.subscribe(options);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
      // Subscribed under another key of this site, which is no longer in use
      await (await registered.pushManager.getSubscription())?.unsubscribe();
      return registered.pushManager.subscribe(options);
    }
  }

  part.querySelector("button").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      const registered = await registration();
      if (!registered) {
        said.textContent = part.dataset.untrusted;
        return;
      }
      const found = await subscription(registered);
      const sent = new FormData(form);
      sent.set("address", found.endpoint);
      sent.set("public_key", text(found.getKey("p256dh")));
      sent.set("secret", text(found.getKey("auth")));
      const answer = await fetch(part.dataset.to, { method: "POST", body: sent });
      said.textContent = (await answer.json()).detail;
    } catch {
      said.textContent = part.dataset.refused;
    } finally {
      button.disabled = false;
    }
  });
})();
