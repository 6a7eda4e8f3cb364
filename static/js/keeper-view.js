// What the score keeper shows: everything is drawn from the record of the match, after each change of it.
"use strict";

/* Times as all pages write them, in the zone of the tournament; in the phone's own where a browser does not know that. */
function clockOf(timeZone) {
  const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  try {
    return new Intl.DateTimeFormat("en-GB", { ...form, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", form);
  }
}

class KeeperView {
  constructor(root, facts, words) {
    Object.assign(this, { root, facts, words });
    this.opponent = Score.other(facts.side);
    this.cubes = null;
    this.clock = clockOf(facts.zone);
  }

  say(name, values = {}) {
    return this.words[name].replaceAll(/%\((\w+)\)s/g, (_, key) => values[key]);
  }

  part(id) {
    return document.getElementById(`keeper-${id}`);
  }

  nameOf(side) {
    return this.facts.names[side];
  }

  scoreOf({ games, final }) {
    if (!final) return Score.of(this.terms, games);
    return { ...final, winner: final.a > final.b ? "a" : "b" };
  }

  /* In the order of the columns of the page. */
  inColumns(score) {
    return `${score.a}–${score.b}`;
  }

  winnersFirst(score) {
    return `${score[score.winner]}–${score[Score.other(score.winner)]}`;
  }

  ended(score) {
    return this.say("wins", { name: this.nameOf(score.winner), score: this.winnersFirst(score) });
  }

  draw(outbox, { isSafe, isEntering, isObjecting }) {
    const { record } = outbox;
    this.terms = Score.termsOf(this.facts, record.sheet?.rules);
    const status = record.sheet?.status ?? "open";
    const settled = status === "confirmed" || status === "closed";
    const result = settled ? record.sheet.result : null;
    const score = result ? this.scoreOf({ final: result }) : Score.of(this.terms, record.games);
    this.root.hidden = false;
    this.#drawScore(score, record);
    this.part("open").hidden = isSafe;
    this.part("phones").hidden = isEntering;
    this.isInPlay = !settled && score.winner === "";
    this.part("game").hidden = !isEntering || settled || score.winner !== "" || record.conflict !== null;
    if (!this.part("game").hidden) this.#drawGame(score, record);
    this.#drawNotes(record, settled);
    this.#drawTheirs(record, settled, isObjecting);
    this.#drawEnd(outbox, score, status);
    this.#drawGames(record);
    this.#drawUndo(record, settled || !isEntering, isSafe);
    this.part("net").textContent = this.#network(outbox, isSafe);
    this.part("net").dataset.state = outbox.state || (outbox.holds ? "kept" : status);
  }

  #network(outbox, isSafe) {
    if (outbox.state === "waiting") return this.say(isSafe ? "waiting" : "waiting_open");
    if (outbox.state === "sending") return this.say("sending");
    if (outbox.holds) return this.say(isSafe ? "kept" : "waiting_open");
    if (outbox.record.sheet?.status === "disputed") return this.say("in_dispute");
    return this.say(outbox.record.number ? "sent" : "ready");
  }

  #drawScore(score, record) {
    for (const side of ["a", "b"]) {
      const half = this.root.querySelector(`.half[data-side=${side}]`);
      half.querySelector("[data-points]").textContent = score[side];
      half.querySelector("[data-away]").textContent = score.winner
        ? "" : this.say("away", { points: Score.away(score, side) });
      half.classList.toggle("has-won", score.winner === side);
    }
    const next = this.say("game", { game: record.games.length + 1 });
    const rule = score.phase ? this.say(score.phase) : "";
    this.part("phase").textContent = score.winner ? "" : [next, rule].filter(Boolean).join(" · ");
    this.part("phase").className = `keeper-phase is-${score.phase || "plain"}`;
  }

  #drawGame(score, record) {
    const { cubes, drops, endings } = Score.allowed(record.sheet?.rules, score);
    const values = [...new Set([...cubes, ...drops])].filter((cube) => cube > 1).sort((one, other) => one - other);
    const shown = `${values}`;
    if (this.cubes !== shown) {
      this.cubes = shown;
      for (const holder of this.root.querySelectorAll("[data-cubes]")) {
        const owner = holder.dataset.cubes;
        const offered = owner === "" ? [1] : values;
        holder.replaceChildren(...offered.map((cube) => this.#cube(cube, owner)));
      }
    }
    for (const button of this.root.querySelectorAll("[data-cube]")) {
      const isIt = Number(button.dataset.cube) === record.cube && button.dataset.owner === record.owner;
      button.setAttribute("aria-pressed", String(isIt));
      button.disabled = values.length === 0;
    }
    document.getElementById("cube-line").textContent = record.owner
      ? this.say("cube_owned", { cube: record.cube, name: this.nameOf(record.owner) })
      : this.say("cube_centred");
    for (const button of this.root.querySelectorAll("[data-win]")) this.#drawWin(button, record, endings, button.dataset.ending === "drop" ? drops : cubes);
  }

  #cube(cube, owner) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "cube", textContent: cube });
    Object.assign(button.dataset, { cube, owner });
    const label = owner ? this.say("cube_of", { cube, name: this.nameOf(owner) }) : this.say("cube_middle");
    button.setAttribute("aria-label", label);
    return button;
  }

  #drawWin(button, record, endings, values) {
    const { win: side, ending } = button.dataset;
    const points = Score.points({ cube: record.cube, ending });
    const said = { name: this.nameOf(side), other: this.nameOf(Score.other(side)), points };
    const words = ending === "drop" ? this.say("drops", { name: said.other }) : this.say(ending);
    if (button.textContent !== `${words} +${points}`) { // what is under a finger stays there
      button.replaceChildren(this.#line("span", words), " ", this.#line("b", `+${points}`));
    }
    button.setAttribute("aria-label", this.say(`${ending}_of`, said));
    // The side that wins by a drop has doubled, which it may not while the cube is the other's.
    const mayDouble = ending !== "drop" || record.owner !== Score.other(side);
    button.hidden = !endings.includes(ending);
    button.disabled = !mayDouble || !values.includes(record.cube);
  }

  #drawNotes(record, settled) {
    const isQuestion = record.refusal?.code === "confirm_warnings";
    this.part("refused").hidden = record.refusal === null || isQuestion || settled;
    this.part("refused").querySelector("[data-detail]").textContent = record.refusal?.detail ?? "";
    this.#drawQuestion(isQuestion && !settled ? record.refusal.questions : []);
    const final = record.games.length ? null : record.sheet?.final;
    this.part("final").hidden = !final || settled;
    if (final) this.part("final").textContent = this.say("final_only", { score: this.ended(this.scoreOf({ final })) });
    this.part("conflict").hidden = record.conflict === null;
    if (record.conflict) {
      const versions = [[this.say("this_phone"), record.games], [this.say("server"), record.conflict.games]];
      this.part("conflict").querySelector("[data-both]").replaceChildren(this.#sideBySide(versions));
    }
  }

  /* What was entered at the foot of the page may be asked about above what is seen of it. */
  #drawQuestion(unlikely) {
    const part = this.part("asked");
    const isNew = part.hidden && unlikely.length > 0;
    part.hidden = unlikely.length === 0;
    part.querySelector("ul").replaceChildren(...unlikely.map((sentence) => this.#line("li", sentence)));
    if (isNew) part.scrollIntoView({ block: "nearest" });
  }

  #drawTheirs(record, settled, isObjecting) {
    const part = this.part("theirs");
    const { theirs, desk } = record.sheet ?? {};
    part.hidden = settled || !record.sheet || record.conflict !== null;
    if (part.hidden) return;
    const name = this.nameOf(this.opponent);
    const games = theirs?.games ?? [];
    const agreed = Score.agreed(record.games, games);
    const differs = agreed < Math.min(record.games.length, games.length);
    const claimed = theirs ? this.scoreOf(theirs) : null;
    const score = claimed ? this.inColumns(claimed) : "";
    part.classList.toggle("differs", differs);
    this.#tell(part.querySelector("[data-line]"), this.#theirLine({ name, score, games, agreed, differs }));
    this.#drawDesk(part.querySelector("[data-desk]"), record.games, desk);
    const versions = [[this.nameOf(this.facts.side), record.games], [name, games]];
    part.querySelector("[data-compare]").hidden = !differs;
    part.querySelector("[data-both]").replaceChildren(this.#sideBySide(versions, agreed, theirs));
    const over = Boolean(claimed?.winner);
    const isAhead = !differs && (games.length > record.games.length || (over && Boolean(theirs.final)));
    const replied = record.reply?.act;
    const hasObjected = record.sheet.objection === this.facts.side;
    this.#offer(part, "confirm", over && isAhead && replied !== "confirm" && !isObjecting, () =>
      this.say(hasObjected ? "agree_after_all" : "agree_with", { score: this.ended(claimed) }));
    this.#offer(part, "take-theirs", (isAhead && !over) || differs, () =>
      this.say("go_on", { score: this.inColumns(claimed) }));
    const mayObject = over && !hasObjected && replied !== "dispute";
    this.#offer(part, "wrong", mayObject && !isObjecting, null);
    part.querySelector("[data-objection]").hidden = !mayObject || !isObjecting;
    part.querySelector("[data-told]").hidden = !hasObjected;
    this.#tell(part.querySelector("[data-told]"), hasObjected ? this.say("wrong_sent") : "");
  }

  #theirLine({ name, score, games, agreed, differs }) {
    if (!score) return this.say("they_none", { name });
    if (differs) return this.say("they_differ", { name, score, game: agreed + 1 });
    return this.say(agreed ? "they_have" : "they_have_first", { name, score, game: agreed });
  }

  #drawDesk(line, games, desk) {
    const agreed = desk ? Score.agreed(games, desk.games) : 0;
    line.hidden = !desk || agreed === Math.min(games.length, desk.games.length);
    line.textContent = line.hidden ? "" : this.say("desk_differs", { game: agreed + 1 });
  }

  #offer(part, act, isOffered, words) {
    const button = part.querySelector(`[data-act=${act}]`);
    button.hidden = !isOffered;
    if (isOffered && words) this.#tell(button, words());
  }

  #drawEnd(outbox, score, status) {
    const { record } = outbox;
    const part = this.part("end");
    const settled = status === "confirmed" || status === "closed";
    part.hidden = (!score.winner && !settled) || record.conflict !== null;
    if (part.hidden) return;
    const name = this.nameOf(this.opponent);
    const result = record.sheet?.result;
    const objection = record.sheet?.objection;
    const words = settled && result
      ? `${this.nameOf("a")} ${result.a}–${result.b} ${this.nameOf("b")}` : score.winner ? this.ended(score) : "";
    this.#tell(part.querySelector("[data-result]"), words);
    const said = record.sent.agree && !outbox.isDirty;
    const after = [];
    if (status === "confirmed") after.push(this.say("confirmed", { score: words }));
    else if (status === "closed") after.push(this.say("closed"));
    else if (status === "disputed" && objection === this.opponent) after.push(this.say("objected", { name }));
    else if (status === "disputed" && objection !== this.facts.side) after.push(this.say("disputed"));
    else if (said && status === "open") {
      after.push(this.say("reported", { score: words, name }));
      const by = record.sheet?.confirm_by;
      if (by) after.push(this.say("confirm_by", { time: this.time(by), name }));
    }
    this.#tell(part.querySelector("[data-after]"), after.join(" "));
    const button = part.querySelector("button");
    const insists = status === "disputed" && objection === this.facts.side && said;
    button.hidden = settled || (record.agree && !insists) || record.refusal !== null;
    button.dataset.act = insists ? "insist" : "agree";
    const theirs = record.sheet?.theirs?.games ?? [];
    if (button.hidden) return;
    this.#tell(button, this.say(Score.same(theirs, record.games) ? "agree" : "over", { score: this.winnersFirst(score) }));
  }

  #drawGames(record) {
    const part = this.part("games");
    part.hidden = record.games.length === 0;
    const scores = Score.through(this.terms, record.games);
    const lines = record.games.map((game, index) => {
      const line = this.#line("li", this.#inWords(game));
      const reached = this.#line("b", `${scores[index + 1].a}–${scores[index + 1].b}`);
      line.append(reached);
      line.className = `is-${game.winner}`;
      return line;
    });
    part.querySelector("ol").replaceChildren(...lines);
  }

  #drawUndo(record, isClosed, isSafe) {
    const button = this.part("undo");
    const last = record.games.at(-1);
    this.part("show-qr").hidden = isClosed || !last || record.conflict !== null || !isSafe;
    this.part("scan").hidden = isClosed || !isSafe;
    button.hidden = isClosed || !last || record.conflict !== null;
    if (button.hidden) return;
    const game = record.games.length;
    button.textContent = this.say("undo", { game });
    const values = { game, name: this.nameOf(last.winner), points: Score.points(last) };
    button.setAttribute("aria-label", this.say("undo_of", values));
  }

  #inWords(game) {
    const won = this.say("won_game", { name: this.nameOf(game.winner), points: Score.points(game) });
    const kind = Score.kindOf(game);
    const how = [kind === "single" ? "" : this.say(kind)];
    if (game.cube > 1) how.push(this.say("of_cube", { cube: game.cube }));
    return [won, ...how].filter(Boolean).join(" · ");
  }

  /* A table of two sheets, from the first game in which they differ. */
  #sideBySide([[one, games], [other, others]], from = Score.agreed(games, others), theirs = null) {
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const words of ["", one, other]) head.append(this.#line("th", words));
    const body = table.createTBody();
    for (let index = from; index < Math.max(games.length, others.length); index += 1) {
      const row = body.insertRow();
      row.append(this.#line("th", this.say("game", { game: index + 1 })));
      for (const [game, by] of [[games[index], one], [others[index], theirs?.by || other]]) {
        const cell = this.#line("td", game ? this.#inWords(game) : this.say("no_game"));
        if (game?.at) cell.append(this.#line("small", this.say("by_at", { name: by, time: this.time(game.at) })));
        row.append(cell);
      }
    }
    return table;
  }

  time(iso) {
    return this.clock.format(new Date(iso));
  }

  /* A sentence in which no score is broken at the end of a line. */
  #tell(element, text) {
    if (element.textContent === text) return;
    const parts = text.split(/(\d+–\d+)/).map((part, index) => {
      return index % 2 ? Object.assign(this.#line("span", part), { className: "unbroken" }) : part;
    });
    const sentence = document.createElement("span"); // in a button, which lays out each of its children by itself
    sentence.append(...parts);
    element.replaceChildren(sentence);
  }

  #line(tag, text) {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  }
}
