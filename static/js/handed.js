// A score sheet handed over as a QR code: read it, say whether it is right, show both signatures, deliver it.
"use strict";

(async () => {
  const root = document.getElementById("handed");
  const words = JSON.parse(root.dataset.words);
  const store = await Store.opened();
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  const say = (name, values = {}) => words[name].replaceAll(/%\((\w+)\)s/g, (_, key) => values[key]);
  const MOST_WIDTH = 1280; // of a picture in which codes are looked for
  const BETWEEN_MS = 100;
  const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia); // over https alone
  let read = null;
  let own = null; // the record of this phone for the match, if it has one
  let retry = 0;

  function line(tag, text) {
    return Object.assign(document.createElement(tag), { textContent: text });
  }

  async function start() {
    clearTimeout(retry);
    read = Handover.read(location.hash);
    for (const name of ["scan", "sheet", "question", "both", "unclear", "mine", "desk", "home"]) part(name).hidden = true;
    part("state").textContent = "";
    if (!read) [part("unclear").hidden, part("scan").hidden] = [!location.hash, false];
    else await shown();
  }

  /* What this phone knows of the match: its records, or else the score keepers that it has kept and never opened. */
  async function knownOf(match) {
    const records = (await store.all("sheets")).filter((record) => record.match === match);
    if (records.length || !self.caches) return records;
    const shelf = await caches.open("pages");
    const addresses = (await shelf.keys()).map(({ url }) => new URL(url).pathname);
    const found = addresses.filter((path) => path.startsWith("/e/") && path.endsWith(`/${match}/`));
    const answers = await Promise.all(found.map((path) => shelf.match(path)));
    const pages = await Promise.all(answers.filter(Boolean).map((answer) => answer.text()));
    const keepers = pages.map((text) => new DOMParser().parseFromString(text, "text/html").getElementById("keeper"));
    return keepers.filter(Boolean).map(({ dataset }) => {
      const facts = JSON.parse(dataset.facts);
      return { match, side: facts.side, names: facts.names, token: dataset.token, facts };
    });
  }

  async function shown() {
    const known = await knownOf(read.told.m);
    own = known.find((record) => record.side !== read.told.s) ?? known[0] ?? null;
    drawSheet();
    part("home").hidden = own === null;
    if (own) part("home").querySelector("a").href = `/e/${own.token}/`;
    const isTheirs = own !== null && own.side !== read.told.s;
    if (read.yes || !isTheirs) {
      await Handover.kept(store, read, Date.now());
      deliver();
    } else part("question").hidden = false;
  }

  /* A phone of neither player knows the names once the server has taken the sheet. */
  function drawSheet(handed = null) {
    const names = own?.names ?? handed?.names ?? { a: say("side", { side: "A" }), b: say("side", { side: "B" }) };
    const rules = own?.sheet?.rules ?? handed?.rules;
    const terms = Score.termsOf(own?.facts ?? { length: 0, crawford: false }, rules);
    const scores = Score.through(terms, read.told.games);
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
    [part("both").hidden, part("to-scan").hidden] = [false, false];
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
    part("to-scan").hidden = Boolean(handed?.delivered || handed?.refusal);
    if (handed && !handed.delivered && !handed.refusal) retry = setTimeout(deliver, 5_000);
    if (own || !handed?.delivered) return;
    drawSheet(handed);
    const link = part("desk").querySelector("a");
    link.href = link.dataset.match.replace("0", handed.match);
    part("desk").hidden = false;
  }

  /* Texts of QR codes in a video, by the browser itself or, where it reads none, by our own reader. */
  async function reader(video) {
    const formats = "BarcodeDetector" in self ? await BarcodeDetector.getSupportedFormats().catch(() => []) : [];
    if (formats.includes("qr_code")) {
      const detector = new BarcodeDetector({ formats: ["qr_code"] });
      return () => detector.detect(video).then((found) => found.map((one) => one.rawValue)).catch(() => []);
    }
    const canvas = document.createElement("canvas");
    const drawing = canvas.getContext("2d", { willReadFrequently: true });
    return () => {
      const share = Math.min(1, MOST_WIDTH / video.videoWidth);
      [canvas.width, canvas.height] = [video.videoWidth * share, video.videoHeight * share].map(Math.round);
      if (!canvas.width) return [];
      drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
      const text = Scan.read(drawing.getImageData(0, 0, canvas.width, canvas.height));
      return text === null ? [] : [text];
    };
  }

  async function scan() {
    const video = part("camera");
    part("open-camera").hidden = true;
    part("unclear").hidden = true;
    try {
      const facing = { facingMode: "environment", width: { ideal: MOST_WIDTH } };
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: facing });
      await video.play();
    } catch (error) {
      stop();
      part("state").textContent = say(error.name === "NotAllowedError" ? "camera_refused" : "camera_missing");
      return;
    }
    [video.hidden, part("close-camera").hidden] = [false, false];
    part("state").textContent = say("aim");
    const look = await reader(video);
    while (video.srcObject) {
      const texts = await look();
      const sheet = texts.find((text) => Handover.read(text));
      if (sheet) {
        stop();
        location.hash = sheet.slice(sheet.indexOf("#"));
        return;
      }
      if (texts.length) part("unclear").hidden = false;
      await new Promise((done) => { setTimeout(done, BETWEEN_MS); });
    }
  }

  function stop() {
    const video = part("camera");
    video.srcObject?.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
    [video.hidden, part("close-camera").hidden, part("open-camera").hidden] = [true, true, !hasCamera];
    part("state").textContent = "";
  }

  root.addEventListener("click", (event) => {
    const acts = { right: agree, wrong: disagree, scan, stop };
    acts[event.target.closest("button")?.dataset.act]?.();
  });
  addEventListener("hashchange", start);
  addEventListener("online", () => read && deliver());
  document.addEventListener("visibilitychange", () => document.hidden && part("camera").srcObject && stop());
  part("open-camera").hidden = !hasCamera;
  root.hidden = false;
  await start();
})();
