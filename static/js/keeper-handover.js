// A score sheet that goes from phone to phone as a QR code: signed by the link of the player who kept it, and, with the
// opponent's yes, by both. Whichever phone has a network first delivers it.
"use strict";

const Handover = (() => {
  const ADDRESS = "/handed/";
  const DELIVERY = "/api/v1/handed-over/";

  function signed(told, token) {
    const payload = Codes.toBase64url(Codes.bytes(JSON.stringify(told)));
    return `${payload}.${Codes.toBase64url(Codes.hmac(Codes.bytes(token), Codes.bytes(payload)))}`;
  }

  /* The sheet of a record of this phone, signed by its link. */
  function sheetOf(record, key, now) {
    const games = record.games.map(({ winner, ending, cube }) => [winner, ending, cube]);
    const told = { m: record.match, s: record.side, k: key, b: record.number, g: games, t: new Date(now).toISOString() };
    return signed(told, record.token);
  }

  /* The yes to a sheet of the opponent, signed by the link of the record. */
  function yesTo(sheet, record) {
    const hash = Codes.toBase64url(Codes.sha256(Codes.bytes(sheet.split(".")[0])));
    return signed({ m: record.match, s: record.side, h: hash }, record.token);
  }

  const addressOf = (sheet, yes = "") => `${location.origin}${ADDRESS}#${yes ? `${sheet}.${yes}` : sheet}`;

  /* What stands behind the # of such an address: {sheet, yes, told}, or null if it is nothing of the kind. */
  function read(text) {
    const parts = text.replace(/^.*#/, "").split(".");
    if (![2, 4].includes(parts.length) || parts.some((part) => !/^[\w-]+$/.test(part))) return null;
    try {
      const told = JSON.parse(new TextDecoder().decode(Codes.fromBase64url(parts[0])));
      if (!Number.isInteger(told.m) || !["a", "b"].includes(told.s) || !Array.isArray(told.g)) return null;
      const games = told.g.map(([winner, ending, cube]) => ({ winner, ending, cube }));
      return { sheet: parts.slice(0, 2).join("."), yes: parts.slice(2).join("."), told: { ...told, games } };
    } catch {
      return null;
    }
  }

  /* Keep a sheet to be delivered; with a yes it replaces the one without. */
  async function kept(store, { sheet, yes, told }, now) {
    const before = await store.get("handed", told.k);
    if (before && (before.yes || !yes)) return before;
    const handed = { id: told.k, match: told.m, sheet, yes, delivered: false, refusal: null, changed: now };
    await store.put("handed", handed);
    return handed;
  }

  /* Deliver what waits; return what was answered last: {status, body}, or null without a network. */
  async function deliver(store, now) {
    let last = null;
    for (const handed of await store.all("handed")) {
      if (handed.delivered || handed.refusal) continue;
      try {
        last = await Server.ask("POST", DELIVERY, handed.match, { sheet: handed.sheet, yes: handed.yes });
      } catch {
        return null;
      }
      if (last.status >= 500 || last.status === 429 || last.body.code === "busy") return null;
      handed.delivered = last.status === 200;
      if (handed.delivered) [handed.names, handed.rules] = [last.body.players, last.body.rules];
      handed.refusal = handed.delivered ? null : last.body.detail;
      await store.put("handed", { ...handed, changed: now });
    }
    return last;
  }

  return { sheetOf, yesTo, addressOf, read, kept, deliver };
})();
