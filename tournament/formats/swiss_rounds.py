"""The rounds of a Swiss as they grow: what stands, what it makes of everyone's record, and what is paired next."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from rules.errors import gettext_noop
from tournament.formats.drawing import settle, shuffle
from tournament.formats.errors import PlanError
from tournament.formats.options import Seeding
from tournament.formats.pairing import Player, Within, pair_round
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, Pairing, Published, Reason
from tournament.formats.swiss_words import Paired

SWISS = "S"
RANDOM = "random"
_KEY = re.compile(rf"{SWISS}([1-9][0-9]{{0,3}})-([1-9][0-9]{{0,3}})")


def start_order(draw: Draw) -> dict[int, int]:
    """Everyone's number in the field by entry id, from 1: drawn by lot, or by seed and behind the seeds by lot.

    Who comes late has his number behind all who were there before him, so that nobody's number changes.
    """
    comers: dict[int, list[Entrant]] = defaultdict(list)
    for entrant in sorted(draw.entrants, key=lambda entrant: entrant.id):
        comers[min(entrant.presence, default=0)].append(entrant)
    order: list[Entrant] = []
    for round, arrived in sorted(comers.items()):
        shuffle(arrived, Random(f"{draw.seed}:start:{round}"))
        order += arrived
    if draw.options.seeding is Seeding.SEEDED:
        order.sort(key=lambda entrant: (entrant.seed is None, entrant.seed or 0))
    return {entrant.id: number for number, entrant in enumerate(order, start=1)}


class SwissRounds:
    """The pairings so far, and what follows from the decided ones.

    ``wins``, ``losses``, ``byes`` and ``met`` are by entry id; a bye counts as a win. ``running`` are those in a
    pairing that is not decided.
    """

    def __init__(self, draw: Draw) -> None:
        """Raises PlanError for keys that no Swiss has, and for published pairings of others than the entrants."""
        self.draw = draw
        self.entrants = {entrant.id: entrant for entrant in draw.entrants}
        self.pairings: list[Pairing] = []
        self.stale: list[str] = []
        self.notes: list[Reason] = []
        self.running: set[int] = set()
        self.wins: Counter[int] = Counter()
        self.losses: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.met: dict[int, list[int]] = defaultdict(list)
        self.last_met: dict[frozenset[int], int] = {}
        self._published = _by_round(draw)
        self._start = start_order(draw)
        self._seen: set[str] = set()
        for outcome in draw.earlier:
            self._add_meeting(outcome.winner, outcome.loser, 0)

    @property
    def last_published(self) -> int:
        """The last round in which a pairing stands; 0 if there is none."""
        return max(self._published, default=0)

    def is_published(self, entrant: int, round: int) -> bool:
        """Whether ``entrant`` sits in a pairing of ``round`` that stands."""
        return any(entrant in (published.a, published.b) for published in self._published.get(round, ()))

    def add_published(self, round: int) -> None:
        """The pairings of ``round`` that stand are added, with their outcomes."""
        for published in self._published.get(round, ()):
            a = self.entrants[published.a]
            b: Entrant | Bye = Bye() if published.b is None else self.entrants[published.b]
            why = Reason("published", gettext_noop("This pairing stands as it was published."))
            self._add(_number(published.key)[1], round, a, b, why)

    def pair_rest(
        self, round: int, here: Sequence[Entrant], way: str, scores: Mapping[int, int], most: int | None = None
    ) -> None:
        """Those of ``here`` who do not sit in a published pairing of ``round`` are paired, at most ``most`` pairs.

        ``way`` is a :class:`Within`, or random; ``scores`` are the records by entry id, more is better.
        """
        rest = [entrant for entrant in here if not self.is_published(entrant.id, round)]
        if not rest:
            return
        ranks = self._ranks(rest, round, way)
        players = tuple(self._player(entrant, scores[entrant.id], ranks[entrant.id], round) for entrant in rest)
        paired = pair_round(players, Within.NEIGHBOURS if way == RANDOM else Within(way), most)
        words = Paired(
            round=round,
            way=way,
            players={player.id: player for player in players},
            entrants=self.entrants,
            records={player.id: f"{self.wins[player.id]}–{self.losses[player.id]}" for player in players},
            last_met=dict(self.last_met),
        )
        self.notes += words.notes(paired.pairs, paired.byes)
        taken = {_number(published.key)[1] for published in self._published.get(round, ())}
        numbers = iter(number for number in range(1, len(taken) + len(rest) + 1) if number not in taken)
        for a, b in paired.pairs:
            self._add(next(numbers), round, self.entrants[a], self.entrants[b], words.why_pair(a, b))
        for free in paired.byes:
            self._add(next(numbers), round, self.entrants[free], Bye(), words.why_bye(free))

    def _ranks(self, here: Sequence[Entrant], round: int, way: str) -> dict[int, int]:
        if way != RANDOM:
            return self._start
        ids = sorted(entrant.id for entrant in here)
        shuffle(ids, Random(f"{self.draw.seed}:{round}"))
        return {entrant: rank for rank, entrant in enumerate(ids, start=1)}

    def _player(self, entrant: Entrant, score: int, rank: int, round: int) -> Player:
        avoid = self.draw.options.choice("avoid")
        words = [entrant.family if round == 1 else ""]
        words += [entrant.club] if avoid in ("club", "club-country") else []
        words += [entrant.country] if avoid in ("country", "club-country") else []
        return Player(
            id=entrant.id,
            score=score,
            rank=rank,
            byes=self.byes[entrant.id],
            met=tuple(sorted(self.met[entrant.id])),
            persons=entrant.persons,
            apart=tuple(words),
        )

    def _add(self, number: int, round: int, a: Entrant, b: Entrant | Bye, why: Reason) -> None:
        pairing = Pairing(
            key=f"{SWISS}{round}-{number}",
            bracket=SWISS,
            round=round,
            number=number,
            a=a,
            b=b,
            length=self.draw.options.length(0),
            feed_a="",
            feed_b="bye" if isinstance(b, Bye) else "",
            why=why,
        )
        self.pairings.append(pairing)
        outcome = self._outcome(pairing)
        if isinstance(b, Bye):
            self.byes[a.id] += 1
            self.wins[a.id] += 1
            return
        self._add_meeting(a.id, b.id, round)
        if outcome is None:
            self.running |= {a.id, b.id}
        else:
            self.wins[outcome.winner] += 1
            self.losses[outcome.loser] += 1

    def _add_meeting(self, a: int, b: int, round: int) -> None:
        self.met[a].append(b)
        self.met[b].append(a)
        self.last_met[frozenset((a, b))] = round

    def _outcome(self, pairing: Pairing) -> Outcome | None:
        """What was decided in ``pairing``, if the result names those who sit there.

        Who meets whom in round 1 follows from no result, so that one that names others is refused there.
        """
        self._seen.add(pairing.key)
        outcome = self.draw.outcomes.get(pairing.key)
        if outcome is None:
            return None
        if pairing.round == 1:
            settle(pairing, outcome)
        if pairing.is_bye or pairing.entrant_ids != {outcome.winner, outcome.loser}:
            self.stale.append(pairing.key)
            return None
        return outcome

    def sorted_pairings(self) -> tuple[Pairing, ...]:
        """All pairings by round, and from top to bottom."""
        return tuple(sorted(self.pairings, key=lambda pairing: (pairing.round, pairing.number)))

    def unused(self) -> tuple[str, ...]:
        """The keys of the outcomes that belong to no pairing, or to one of others."""
        return tuple(key for key in self.draw.outcomes if key in self.stale or key not in self._seen)


def _by_round(draw: Draw) -> dict[int, list[Published]]:
    ids = {entrant.id for entrant in draw.entrants}
    rounds: dict[int, list[Published]] = defaultdict(list)
    for published in draw.published:
        if not {published.a, published.b} <= {*ids, None}:
            raise PlanError(
                "published_of_others",
                gettext_noop("The published pairing %(key)s names somebody who is no entrant of this draw."),
                key=published.key,
            )
        rounds[_number(published.key)[0]].append(published)
    for key in draw.outcomes:
        _number(key)
    return rounds


def _number(key: str) -> tuple[int, int]:
    """The round and the number in a pairing's key. Raises PlanError (``outcome_unknown_pairing``)."""
    match = _KEY.fullmatch(key)
    if not match:
        raise PlanError(
            "outcome_unknown_pairing", gettext_noop("This draw has no pairing %(key)s to take a result."), key=key
        )
    return int(match[1]), int(match[2])
