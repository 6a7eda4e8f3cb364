/* Passkeys: the scripts of allauth speak to the browser; a form says by data-passkey which of its ways it needs. */
"use strict";

(() => {
  // A passkey belongs to a name: browsers make none for a host that is a bare number.
  const NAMED = !/^[\d.]+$|:/.test(location.hostname);
  const SUPPORTED = Boolean(NAMED && window.PublicKeyCredential && navigator.credentials);

  function prepare(form) {
    const way = form.dataset.passkey;
    const button = form.querySelector("[data-passkey-button]");
    const ids = { [way]: button.id, credential: form.elements.credential.id, data: "js_data" };
    if (form.elements.passwordless) ids.passwordless = form.elements.passwordless.id;
    button.hidden = !SUPPORTED;
    if (SUPPORTED) window.allauth.webauthn.forms[`${way}Form`]({ ids });
  }

  function start() {
    for (const form of document.querySelectorAll("form[data-passkey]")) prepare(form);
    for (const said of document.querySelectorAll("[data-passkey-missing]")) said.hidden = SUPPORTED;
    document.addEventListener("allauth.error", (event) => {
      event.preventDefault();
      for (const said of document.querySelectorAll("[data-passkey-failed]")) said.hidden = false;
    });
  }

  document.addEventListener("DOMContentLoaded", start);
})();
