// Asks the server about one match, and takes nothing else for its answer.
"use strict";

const Server = (() => {
  const ANSWER_MS = 15_000;

  /* Return {status, body}. Throws if no answer comes, or one that is not about this match: half of one, or the page of a
     network at which somebody has to sign in first. */
  async function ask(method, address, match, body) {
    const answer = await fetch(address, {
      method,
      credentials: "omit",
      cache: "no-store",
      headers: { Accept: "application/json", "Accept-Language": document.documentElement.lang, ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const told = await answer.json();
    if (answer.ok ? told?.match !== match : typeof told?.code !== "string") throw new Error("no answer of the server");
    return { status: answer.status, body: told };
  }

  return { ask };
})();
