// The score of one match on this phone, and its way to the server. Whole claims are sent, one at a time. If an answer is
// lost, the same claim goes again under the same key before a newer one; so nothing is counted twice, and nothing is
// swallowed: what the server has otherwise is shown beside what the phone has, and a person chooses.
"use strict";

const NEW_RECORD = {
  games: [], // as the phone has them
  agree: false, // the match is over, and this side says so
  cube: 1, // of the game in play, and who owns it: "a", "b" or ""
  owner: "",
  number: 0, // of this side's last report that is known
  sent: { games: [], agree: false }, // what that report says
  sure: false, // somebody has said that games which are legal but unlikely are correct
  flight: null, // the one claim of which no answer has come: {key, base, games, agree, confirmed}
  reply: null, // the yes or no to the opponent's report of which no answer has come: {act, number, reason}
  edited: false, // somebody has entered or undone a game here
  reserved: "", // the key of the newest claim, if it has been shown as a QR code
  refusal: null, // the server refused, or asks about unlikely games: {code, detail, questions}
  conflict: null, // the sheet, if this side has another report there
  sheet: null, // the sheet as the server last gave it
  changed: 0,
};

/* Whether the side has reported that the match is over: such a sheet is only sent once a person has said so. */
const isOver = ({ games, rules, final }) => Boolean(final) || Score.of(Score.termsOf({}, rules), games).winner !== "";

class Outbox {
  /* ``ask(claim)`` sends a claim, ``tell(reply)`` a yes or no: they return {status, body}, or throw without an answer.
     ``keep(record)`` stores the record; ``mayGo(record)`` says whether the newest claim may be sent already. */
  constructor(record, { ask, tell, keep, newKey, now, changed, mayGo }) {
    this.record = { ...NEW_RECORD, ...record };
    Object.assign(this, { ask, tell, keep, newKey, now, changed, mayGo });
    this.answers = 0;
    this.state = ""; // "", "sending" or "waiting" for the network
    this.sending = null;
  }

  get isDirty() {
    const { games, agree, sent } = this.record;
    return !Score.same(games, sent.games) || (agree && !sent.agree);
  }

  get holds() {
    return this.record.flight !== null || this.record.reply !== null || this.isDirty;
  }

  /* A phone that has opened the page can sign the opponent's sheet, though the network goes before it has learned. */
  async begin() {
    if (!this.record.changed) await this.#stored();
  }

  async #stored() {
    this.record.changed = this.now();
    await this.keep(this.record);
    this.changed();
  }

  async #edited(changes) {
    Object.assign(this.record, { reserved: "", refusal: null, sure: false, reply: null, edited: true, ...changes });
    await this.#stored();
  }

  enter(game) {
    return this.#edited({ games: [...this.record.games, game], agree: false, cube: 1, owner: "" });
  }

  undo() {
    const last = this.record.games.at(-1);
    return this.#edited({ games: this.record.games.slice(0, -1), agree: false, cube: last?.cube ?? 1, owner: "" });
  }

  /* Go on from these games, another's or an earlier state of this sheet. */
  take(games) {
    return this.#edited({ games: [...games], agree: false, cube: 1, owner: "" });
  }

  agree() {
    return this.#edited({ agree: true });
  }

  /* Say once more what was said before an objection. */
  insist() {
    this.record.sent = { ...this.record.sent, agree: false };
    return this.agree();
  }

  /* Say yes to the question about games that are legal but unlikely. */
  async confirm() {
    Object.assign(this.record, { sure: true, refusal: null });
    await this.#stored();
  }

  /* Say yes or no to the opponent's report, a no with or without a reason. */
  reply(act, reason = "") {
    return this.#edited({ reply: { act, number: this.record.sheet.theirs.number, reason } });
  }

  /* Go on from what another page of this phone has kept meanwhile. */
  resume(kept) {
    if (kept && kept.changed > this.record.changed) Object.assign(this.record, kept);
  }

  async turn(cube, owner) {
    Object.assign(this.record, { cube, owner });
    await this.#stored();
  }

  /* The key under which the newest claim goes, also as a QR code. */
  async keyOfNewest() {
    const { flight, games, agree } = this.record;
    if (flight && Score.same(flight.games, games) && flight.agree === agree) return flight.key;
    if (!this.record.reserved) {
      this.record.reserved = this.newKey();
      await this.#stored();
    }
    return this.record.reserved;
  }

  /* What the server says without having been sent anything. ``since`` is ``answers`` from before it was asked. */
  async learn(sheet, since) {
    const { record } = this;
    if (since !== this.answers || record.conflict) return; // it has said something newer meanwhile
    record.sheet = sheet;
    if (!record.flight) this.#compare(sheet);
    await this.#stored();
  }

  #compare(sheet) {
    const { record } = this;
    const isOpen = sheet.status === "open" || sheet.status === "disputed";
    if (sheet.number > record.number) {
      const untouched = !this.isDirty;
      if (untouched || Score.continues(sheet.games, record.games)) this.#follow(sheet);
      else if (Score.continues(record.games, sheet.games)) this.#known(sheet);
      else record.conflict = sheet;
    } else if (isOpen && !sheet.number && record.sent.agree) {
      // The result was taken back: only a person says again that the match is over.
      Object.assign(record, { number: 0, agree: false, sent: { games: [], agree: false } });
    } else if (!record.edited && !record.number && !record.games.length && sheet.desk?.games.length) {
      record.games = [...sheet.desk.games];
      record.sent = { games: record.games, agree: false };
    }
  }

  #known(sheet) {
    this.record.number = sheet.number;
    this.record.sent = { games: sheet.games, agree: isOver(sheet) };
  }

  #follow(sheet) {
    this.#known(sheet);
    Object.assign(this.record, { games: [...sheet.games], agree: isOver(sheet), cube: 1, owner: "", reserved: "" });
  }

  /* Send what is to be sent; return when all has been answered, or the network is away. */
  send() {
    this.sending ??= this.#sent().finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  async #sent() {
    const { record } = this;
    while (!record.conflict && !record.refusal) {
      if (!record.flight && this.isDirty && this.mayGo(record)) {
        const { games, agree, number, sure } = record;
        record.flight = { key: record.reserved || this.newKey(), base: number, games: [...games], agree, confirmed: sure };
        await this.#stored();
      }
      const { flight, reply } = record;
      if (!flight && !reply) break;
      this.#shows("sending");
      const answer = await (flight ? this.ask(flight) : this.tell(reply)).catch(() => null);
      if (!answer || answer.status >= 500 || answer.status === 429 || answer.body.code === "busy") {
        this.#shows("waiting");
        return false;
      }
      this.answers += 1;
      await (flight ? this.#answered(answer, flight) : this.#replied(answer, reply));
    }
    this.#shows("");
    return true;
  }

  #shows(state) {
    if (this.state === state) return;
    this.state = state;
    this.changed();
  }

  async #answered({ status, body }, flight) {
    const { record } = this;
    if (record.flight?.key === flight.key) record.flight = null;
    if (status === 200) {
      Object.assign(record, { number: body.number, sent: { games: flight.games, agree: flight.agree }, sheet: body });
      if (record.reserved === flight.key) record.reserved = "";
    } else if (body.code === "report_changed" && body.sheet) {
      record.sheet = body.sheet;
      if (Score.continues(flight.games, body.sheet.games)) this.#known(body.sheet);
      else record.conflict = body.sheet;
    } else this.#refused(body);
    await this.#stored();
  }

  async #replied({ status, body }, reply) {
    if (this.record.reply === reply) this.record.reply = null;
    if (status === 200) await this.learn(body, this.answers);
    else {
      this.#refused(body);
      await this.#stored();
    }
  }

  #refused({ code, detail, findings = [], sheet }) {
    this.record.refusal = { code, detail, questions: findings.map(({ message }) => message) };
    if (sheet) this.record.sheet = sheet;
  }

  /* Both versions have been seen: this phone's goes on, or the server's. */
  async settle(keepsOwn) {
    const { conflict } = this.record;
    if (keepsOwn) this.#known(conflict);
    else this.#follow(conflict);
    this.record.conflict = null;
    await this.#edited({});
  }
}
