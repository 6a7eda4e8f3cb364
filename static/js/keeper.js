// The score keeper of one match: taps become games in the outbox, the outbox is sent, and what the others have is shown.
"use strict";

(async () => {
  const root = document.getElementById("keeper");
  const facts = JSON.parse(root.dataset.facts);
  const { sheetUrl, token } = root.dataset;
  const LOOK_MS = 15_000;
  const RETRY_MS = 4_000;

  const store = await Store.opened();
  const id = `${token}/${facts.match}`;
  await Store.tidy(store, Date.now());
  const kept = await store.get("sheets", id);
  const record = { ...kept, id, token, match: facts.match, side: facts.side, names: facts.names, facts };
  const view = new KeeperView(root, facts, JSON.parse(root.dataset.words));
  const ask = (method, act, body) => Server.ask(method, sheetUrl + act, facts.match, body);
  const outbox = new Outbox(record, {
    ask: (claim) => ask("PUT", "", claim),
    tell: ({ act, number, reason }) => ask("POST", `${act}/`, { number, ...(reason && { reason }) }),
    keep,
    newKey: Codes.newKey,
    now: Date.now,
    changed: draw,
    mayGo,
  });
  let isEntering = facts.phones || outbox.record.games.length > 0;
  let isObjecting = false;
  let retry = 0;

  /* Whether the page can be closed and opened again without a network. */
  const isSafe = () => store.isSafe && document.documentElement.dataset.app !== "refused";

  function draw() {
    view.draw(outbox, { isSafe: isSafe(), isEntering, isObjecting });
  }

  /* Two pages of one phone have one score. */
  const pages = self.BroadcastChannel ? new BroadcastChannel(id) : null;
  pages?.addEventListener("message", ({ data }) => {
    outbox.resume(data);
    draw();
  });

  /* A phone that can store nothing keeps the score as long as the page stays open. */
  async function keep(changed) {
    pages?.postMessage(changed);
    try {
      await store.put("sheets", changed);
    } catch {
      store.isSafe = false;
    }
  }

  /* The end of the match is sent once the player has said so; with phones out of play, so is all of it. */
  function mayGo({ games, agree, sheet }) {
    const { winner } = Score.of(Score.termsOf(facts, sheet?.rules), games);
    return agree || ((sheet ?? facts).phones && !winner);
  }

  async function send() {
    clearTimeout(retry);
    if (!outbox.holds) return;
    const answered = await outbox.send();
    if (!answered) retry = setTimeout(send, RETRY_MS);
    draw();
  }

  async function look() {
    if (document.hidden) return;
    outbox.resume(await store.get("sheets", id).catch(() => null));
    const since = outbox.answers;
    try {
      const { status, body } = await ask("GET", "");
      if (status === 200) await outbox.learn(body, since);
      else if (status < 500) outbox.record.refusal = { code: body.code, detail: body.detail };
    } catch {
      // The network is away: the page says so by what it has not sent.
    }
    draw();
    send();
    Handover.deliver(store, Date.now());
  }

  const ACTS = {
    undo: () => outbox.undo(),
    agree: () => outbox.agree(),
    again: () => outbox.take(outbox.record.games),
    insist: () => outbox.insist(),
    sure: () => outbox.confirm(),
    "keep-own": () => outbox.settle(true),
    "take-other": () => outbox.settle(false),
    "take-theirs": () => outbox.take(outbox.record.sheet.theirs.games),
    confirm: () => outbox.reply("confirm"),
    wrong: () => object(true),
    "not-wrong": () => object(false),
    "show-qr": showQr,
    "close-qr": () => view.part("qr").close(),
    "report-now": () => {
      isEntering = true;
      draw();
    },
  };

  function object(begins) {
    isObjecting = begins;
    draw();
    if (begins) view.part("reason").focus();
  }

  root.querySelector("[data-objection]").addEventListener("submit", async (event) => {
    event.preventDefault();
    isObjecting = false;
    await outbox.reply("dispute", view.part("reason").value.trim());
    view.part("reason").value = "";
    send();
  });

  async function showQr() {
    const sheet = Handover.sheetOf(outbox.record, await outbox.keyOfNewest(), Date.now());
    const code = Qr.svg(Handover.addressOf(sheet), view.say("qr"));
    view.part("qr").querySelector("[data-code]").replaceChildren(code);
    view.part("qr").showModal();
  }

  root.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    const { win, ending, cube, owner, act } = button.dataset;
    if (win) {
      const at = new Date().toISOString();
      await outbox.enter({ winner: win, ending, cube: outbox.record.cube, at });
    } else if (cube) await outbox.turn(Number(cube), owner);
    else if (ACTS[act]) await ACTS[act]();
    else return;
    send();
  });

  /* The screen stays on while the score is kept, where the phone can do that. */
  let lock = null;
  async function stayAwake() {
    if (document.hidden || !navigator.wakeLock || !view.isInPlay) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  }
  document.addEventListener("app-refused", draw);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    look();
    if (lock === null || lock.released) stayAwake();
  });

  addEventListener("online", look);
  document.body.addEventListener("event-changed", look);
  setInterval(look, LOOK_MS);
  addEventListener("beforeunload", (event) => {
    if (outbox.holds && !isSafe()) event.preventDefault();
  });

  await outbox.begin();
  draw();
  await look();
  stayAwake();
})();
