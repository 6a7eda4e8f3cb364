// The score of a match, game by game, and what the rules allow in the next game. The server's rules engine decides; the
// table that it sends with each sheet lets this page offer nothing that it would refuse.
"use strict";

const Score = (() => {
  const LEVELS = { single: 1, drop: 1, gammon: 2, backgammon: 3 };
  const MOST_DOUBLES = 6;

  /* "resigned-gammon", as the desk may have entered it, counts as a gammon. */
  const kindOf = (game) => game.ending.split("-").at(-1);
  const points = (game) => game.cube * LEVELS[kindOf(game)];
  const other = (side) => (side === "a" ? "b" : "a");

  /* The terms of the match: as the server sent them with the sheet, or as the page has them. */
  function termsOf(facts, rules) {
    if (!rules) return facts;
    const { length, crawford, start, crawford_done: done, penalties } = rules;
    const given = penalties.map(({ after, a, b }) => [after, a, b]);
    return { length, crawford, start: { a: start[0], b: start[1], done }, penalties: given };
  }

  /* The score before the first game and after every game, with the penalty points that the director gave.
     ``terms``: {length, crawford, start: {a, b, done}, penalties: [[after game, points to a, points to b], ...]}. */
  function through(terms, games) {
    const scores = [given(terms, opening(terms), 0)];
    games.forEach((game, index) => scores.push(given(terms, after(scores.at(-1), game), index + 1)));
    return scores;
  }

  /* Points that end the match are added last, in the order of the rules engine. */
  function given({ penalties = [] }, score, number) {
    let reached = score;
    for (const [, toA, toB] of penalties.filter(([played]) => played === number)) {
      const before = reached;
      const ends = ([side, total]) => total >= away(before, side);
      const gifts = [["b", toB], ["a", toA]];
      for (const [side, total] of [...gifts.filter((gift) => !ends(gift)), ...gifts.filter(ends)]) {
        if (total && !reached.winner) reached = read({ ...reached, [side]: Math.min(reached[side] + total, reached.length) });
      }
    }
    return reached;
  }

  function of(terms, games) {
    return through(terms, games).at(-1);
  }

  function opening({ length, crawford, start = { a: 0, b: 0, done: false } }) {
    return read({ length, crawford: crawford && length >= 2, ...start });
  }

  function after(score, game) {
    const total = score[game.winner] + points(game);
    const reached = score.length ? Math.min(total, score.length) : total;
    return read({ ...score, [game.winner]: reached, done: score.done || score.phase === "crawford" });
  }

  function read(score) {
    const most = Math.max(score.a, score.b);
    const winner = score.length && most >= score.length ? (score.a >= score.length ? "a" : "b") : "";
    let phase = "";
    if (!winner && score.crawford && most === score.length - 1) phase = score.done ? "after" : "crawford";
    return { ...score, winner, phase };
  }

  const away = (score, side) => score.length - score[side];

  /* What may stand at the end of the next game: ``cubes`` are the cube values at which it may be played out, ``drops``
     those at which a double may be refused, ``endings`` how it may end. Where the table says nothing, nothing is held
     back but what no match allows, and the server decides. */
  function allowed(rules, score) {
    const mark = { crawford: "c", after: "p" }[score.phase] ?? "";
    const stated = rules?.kinds[rules.scores[`${score.a}-${score.b}${mark}`]];
    if (stated) return stated;
    const endings = ["single", "gammon", "backgammon"];
    if (score.phase === "crawford") return { cubes: [1], drops: [], endings };
    const needed = score.length ? Math.max(away(score, "a"), away(score, "b")) : 2 ** MOST_DOUBLES;
    const cubes = [1];
    while (cubes.length <= MOST_DOUBLES && cubes.at(-1) < needed) cubes.push(cubes.at(-1) * 2);
    return { cubes, drops: cubes, endings: [...endings, "drop"] };
  }

  /* Phones cannot tell whether a game was borne off or resigned, so that is no difference. */
  const playedOut = (game) => game.ending.replace("resigned-", "");
  const sameGame = (one, two) => one.winner === two.winner && one.cube === two.cube && playedOut(one) === playedOut(two);

  /* How many games from the first on are alike. */
  function agreed(games, others) {
    const most = Math.min(games.length, others.length);
    for (let index = 0; index < most; index += 1) {
      if (!sameGame(games[index], others[index])) return index;
    }
    return most;
  }

  const continues = (games, earlier) => games.length >= earlier.length && agreed(games, earlier) === earlier.length;
  const same = (games, others) => games.length === others.length && continues(games, others);

  return { termsOf, kindOf, through, of, away, allowed, points, other, agreed, continues, same };
})();
