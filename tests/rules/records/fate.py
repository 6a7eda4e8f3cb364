"""The fate of a change to a record: found, not found because the changed record is legal too, or neither."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from rules.records.replay import Replay, Verdict, verify
from tests.rules.records.plain_reader import Untrue
from tests.rules.records.recount import Count, Turn, recount
from tests.rules.records.tampering import Change, Kind


class Fate(StrEnum):
    """The fate of a change.

    FOUND: the replay has a finding where the recount sees that the record is untrue.
    LEGAL_TOO: the replay has none, and the recount comes to the same score: the changed record may have happened, and
    nobody who has only the record can tell. The same goes for a die: where the play is one of GNU Backgammon's legal
    plays with the other roll too and leaves the same position, nothing in the record shows which of the two was thrown.
    UNEXPLAINED: the two contradict each other, so one of them is wrong.
    """

    FOUND = "found"
    LEGAL_TOO = "legal too"
    UNEXPLAINED = "unexplained"


def fate_of(change: Change, verify: Callable[[bytes], Replay] = verify) -> tuple[Fate, str]:
    """Return the fate of a change, and why: the code of the finding, the explanation, or the contradiction.

    The recount knows nothing of the replay: it takes the legal plays from GNU Backgammon and counts checkers, cube and
    points by itself. A finding must be at the place where the recount sees that the record is untrue.
    """
    text = change.text
    judged = verify(text.encode())
    finding = judged.finding
    summary = f"{judged.verdict}, {judged.score.a}-{judged.score.b}, {finding.code if finding else 'no finding'}"
    try:
        counted = recount(text)
    except Untrue as untrue:
        place = f"game {untrue.game}, row {untrue.row} is untrue: {untrue.why}"
        if finding is None:
            return Fate.UNEXPLAINED, f"{summary}; {place}"
        same = (finding.game, finding.row) == (untrue.game, untrue.row)
        if same or judged.verdict is Verdict.QUARANTINED or untrue.begins_elsewhere:
            return Fate.FOUND, finding.code
        return Fate.UNEXPLAINED, f"{summary} in game {finding.game}, row {finding.row}; {place}"
    agreed = finding is None and counted.score == (judged.score.a, judged.score.b)
    if agreed and counted.over is (judged.verdict is Verdict.PROVED and not judged.money):
        return Fate.LEGAL_TOO, explanation(_true_count(change.source), counted)
    return Fate.UNEXPLAINED, f"{summary}; counted {counted.score}"


_true_count = lru_cache(maxsize=4)(recount)


def explanation(true: Count, now: Count) -> str:
    """Return why a changed record is as legal as the true one, judging by the counts of both."""
    if true.names != now.names:
        return "only one game, and nothing else that names the players"
    if true.length != now.length:
        return "games that a match to this length can have too"
    if [(turn.before, turn.after) for turn in true.turns] != [(turn.before, turn.after) for turn in now.turns]:
        return "other plays, legal as well"
    if [turn.side for turn in true.turns] != [turn.side for turn in now.turns]:
        return "the players of a game exchanged, and nothing in it names them"
    rolls = [
        (was, turn) for was, turn in zip(true.turns, now.turns, strict=True) if sorted(was.dice) != sorted(turn.dice)
    ]
    if not rolls:
        same = true.won == now.won
        return "the same points, printed in another way" if same else "the last game was given up, for other points"
    was, turn = rolls[0]
    if turn.after is None:
        return "a roll that nobody played: its player gave up"
    if turn.after == turn.before:
        return "a roll that nobody could play: the other could not be played either"
    pips = sum(point * (turn.before[0][point] - turn.after[0][point]) for point in range(26))
    if turn.after[0][0] > turn.before[0][0] and pips < max(_pips(was), _pips(turn)):
        return "the same checkers borne off: a larger die does what a smaller one does"
    return "the same play: one die could not be played, with either roll"


def _pips(turn: Turn) -> int:
    return sum(turn.dice) * (2 if turn.dice[0] == turn.dice[1] else 1)


@dataclass
class Tally:
    """The number of changes of each kind by fate, the reasons why some are legal too, and the unexplained ones."""

    counts: dict[str, Counter[Fate]] = field(default_factory=dict)
    explained: dict[str, Counter[str]] = field(default_factory=dict)
    unexplained: list[str] = field(default_factory=list)

    def try_out(self, text: str, kinds: Mapping[str, Kind], each: int, rng: random.Random) -> None:
        """Count up to `each` changes of each kind to the text, drawn at random."""
        for name, kind in kinds.items():
            changes = list(kind(text))
            for change in rng.sample(changes, min(each, len(changes))):
                self._add(name, change, *fate_of(change))

    def _add(self, kind: str, change: Change, fate: Fate, why: str) -> None:
        self.counts.setdefault(kind, Counter())[fate] += 1
        if fate is Fate.LEGAL_TOO:
            self.explained.setdefault(kind, Counter())[why] += 1
        if fate is Fate.UNEXPLAINED:
            self.unexplained.append(f"{kind}: {change}: {why}")

    def of(self, fate: Fate) -> int:
        return sum(count[fate] for count in self.counts.values())

    @property
    def changed(self) -> int:
        return sum(count.total() for count in self.counts.values())

    def table(self) -> str:
        """Return one line for each kind: changed, each fate, and the share found, of all and of the untrue ones."""
        lines = [f"{'kind':20} {'changed':>9}" + "".join(f" {fate:>11}" for fate in Fate) + "   of all  of untrue"]
        for kind, count in [*self.counts.items(), ("all", sum(self.counts.values(), Counter[Fate]()))]:
            untrue = count[Fate.FOUND] + count[Fate.UNEXPLAINED]
            shares = [f"{100 * count[Fate.FOUND] / whole:8.2f} %" if whole else "" for whole in (count.total(), untrue)]
            lines.append(
                f"{kind:20} {count.total():>9,}" + "".join(f" {count[fate]:>11,}" for fate in Fate) + "".join(shares)
            )
        lines += ["", "legal too:"]
        for kind, reasons in self.explained.items():
            lines += [f"{kind:20} {number:>9,} {reason}" for reason, number in reasons.most_common()]
        return "\n".join(lines)
