// A score sheet handed over as a QR code: read it, say whether it is right, show both signatures, deliver it.
"use strict";

(async () => {
  const root = document.getElementById("handed");
  const words = JSON.parse(root.dataset.words);
  const store = await Store.opened();
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  const say = (name, values = {}) => words[name].replaceAll(/%\((\w+)\)s/g, (_, key) => values[key]);
  let read = null;
  let own = null; // the record of this phone for the match, if it has one
  let retry = 0;

  function line(tag, text) {
    return Object.assign(document.createElement(tag), { textContent: text });
  }

  async function start() {
    clearTimeout(retry);
    read = Handover.read(location.hash);
    for (const name of ["scan", "sheet", "question", "both", "unclear", "mine"]) part(name).hidden = true;
    part("state").textContent = "";
    if (!location.hash) part("scan").hidden = false;
    else if (!read) [part("unclear").hidden, part("scan").hidden] = [false, false];
    else await shown();
  }

  async function shown() {
    const known = (await store.all("sheets")).filter((record) => record.match === read.told.m);
    own = known.find((record) => record.side !== read.told.s) ?? known[0] ?? null;
    drawSheet();
    const isTheirs = own !== null && own.side !== read.told.s;
    if (read.yes || !isTheirs) {
      await Handover.kept(store, read, Date.now());
      deliver();
    } else part("question").hidden = false;
  }

  function drawSheet() {
    const names = own?.names ?? { a: say("side", { side: "A" }), b: say("side", { side: "B" }) };
    const facts = own?.sheet?.rules ? Score.termsOf({}, own.sheet.rules) : { length: 0, crawford: false };
    const scores = Score.through(facts, read.told.games);
    const score = scores.at(-1);
    part("names").textContent = `${names.a} – ${names.b}`;
    part("score").textContent = `${score.a}–${score.b}`;
    part("games").replaceChildren(...read.told.games.map((game, index) => {
      const kind = Score.kindOf(game);
      const how = kind === "single" ? [] : [say(kind)];
      if (game.cube > 1) how.push(say("of_cube", { cube: game.cube }));
      const won = say("won_game", { name: names[game.winner], points: Score.points(game) });
      const item = line("li", [won, ...how].join(" · "));
      item.append(line("b", `${scores[index + 1].a}–${scores[index + 1].b}`));
      return item;
    }));
    part("sheet").hidden = false;
  }

  /* The page with both signatures is also the address of this page, so that closing it loses nothing. */
  async function agree() {
    read.yes = Handover.yesTo(read.sheet, own);
    await Handover.kept(store, read, Date.now());
    history.replaceState(null, "", Handover.addressOf(read.sheet, read.yes));
    part("question").hidden = true;
    part("code").replaceChildren(Qr.svg(Handover.addressOf(read.sheet, read.yes), say("code")));
    part("both").hidden = false;
    deliver();
  }

  function disagree() {
    part("question").hidden = true;
    part("mine").hidden = false;
    part("mine").querySelector("a").href = `/e/${own.token}/${own.match}/`;
  }

  async function deliver() {
    clearTimeout(retry);
    part("state").textContent = say("delivering");
    await Handover.deliver(store, Date.now());
    const handed = await store.get("handed", read.told.k);
    const state = handed?.delivered ? say("delivered") : (handed?.refusal ?? say("waiting"));
    part("state").textContent = state;
    if (handed && !handed.delivered && !handed.refusal) retry = setTimeout(deliver, 5_000);
  }

  /* The camera, where the browser itself reads QR codes. */
  async function scan() {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    const video = part("camera");
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    video.hidden = false;
    await video.play();
    const stop = () => video.srcObject.getTracks().forEach((track) => track.stop());
    const look = async () => {
      const found = await detector.detect(video).catch(() => []);
      const sheet = found.map((one) => one.rawValue).find((value) => Handover.read(value));
      if (!sheet) return requestAnimationFrame(look);
      stop();
      video.hidden = true;
      location.hash = new URL(sheet).hash;
    };
    look();
  }

  root.addEventListener("click", (event) => {
    const acts = { right: agree, wrong: disagree, scan };
    acts[event.target.closest("button")?.dataset.act]?.();
  });
  addEventListener("hashchange", start);
  addEventListener("online", () => read && deliver());
  part("open-camera").hidden = !("BarcodeDetector" in self && navigator.mediaDevices);
  root.hidden = false;
  await start();
})();
