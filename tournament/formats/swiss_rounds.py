"""The rounds of a Swiss as they grow: what is published, everyone's record after it, and what is paired next."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, count

from rules.errors import gettext_noop
from tournament.formats.chance import chance_in
from tournament.formats.drawing import settle
from tournament.formats.errors import PlanError
from tournament.formats.half_wins import show_half_wins
from tournament.formats.hand import Fixed, by_hand, fixed_by, fixed_pairings
from tournament.formats.lots import round_scope
from tournament.formats.options import KEPT_APART, OptionField, OptionKind, Seeding
from tournament.formats.pairing import Contender, PairedRound, Within, pair_round
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, Pairing, Published, Reason
from tournament.formats.swiss_words import LOT, RoundWords

SWISS = "S"
MOST_ENTRANTS = 4096

WITHIN = OptionField(
    name="within",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Pairing of equal records"),
    help=gettext_noop("The order is by seed, or else drawn by lot before round 1."),
    default=LOT,
    choices=(
        (LOT, gettext_noop("by lot, drawn again in each round")),
        (str(Within.FOLD), gettext_noop("the first meets the last")),
        (str(Within.SLIDE), gettext_noop("the upper half meets the lower half in order")),
        (str(Within.NEIGHBOURS), gettext_noop("neighbours in the order meet")),
    ),
)
AVOID = OptionField(
    name="avoid",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Kept apart in every round"),
    help=gettext_noop("As far as equal records allow. Entries of one family are kept apart in round 1."),
    default="none",
    choices=KEPT_APART,
)
NO_REMATCH, FAIR = "no-rematch", "fair"
BYES = OptionField(
    name="byes",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Another bye before everyone has had one"),
    help=gettext_noop("Where the bye cannot go to somebody who has had fewer without two players meeting again."),
    default=NO_REMATCH,
    choices=(
        (NO_REMATCH, gettext_noop("only if it avoids a rematch")),
        (FAIR, gettext_noop("never, even if that means a rematch")),
    ),
)

_KEY = re.compile(rf"{SWISS}([1-9][0-9]{{0,3}})-([1-9][0-9]{{0,3}})")


class StartOrder:
    """Everyone's number in the field: drawn by lot, or by seed and then by lot.

    Late entrants are numbered behind all who were there before them, and change nobody's place among the others. Their
    lots are those of the round in which they come, so they are drawn when that round is paired and not before.
    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._comers: dict[int, list[Entrant]] = defaultdict(list)
        self._drawn: set[int] = set()
        for entrant in sorted(draw.entrants, key=lambda entrant: entrant.id):
            if entrant.presence:
                self._comers[min(entrant.presence)].append(entrant)

    def by(self, last: int) -> dict[int, int]:
        """Return the numbers, from 1, of all who had come by round ``last``, by entry id."""
        order = [entrant for round in sorted(self._comers) if round <= last for entrant in self._arrived(round)]
        if self._draw.options.seeding is Seeding.SEEDED:
            order.sort(key=lambda entrant: (entrant.seed is None, entrant.seed or 0))
        return {entrant.id: number for number, entrant in enumerate(order, start=1)}

    def _arrived(self, round: int) -> list[Entrant]:
        arrived = self._comers[round]
        if len(arrived) > 1 and round not in self._drawn:
            chance = chance_in(self._draw, round_scope(round), seeded=f"start:{round}")
            chance.shuffle(arrived, lambda entrant: f"{entrant.lot_name} start")
            self._drawn.add(round)
        return arrived


class SwissRounds:
    """The pairings so far, and what follows from those decided.

    ``way`` is how equal records are paired: a :class:`Within`, or by lot. Records are the ``lives`` left where that is
    not 0, else the half wins of :attr:`tournament.formats.plan.Outcome.half_wins`. ``wins``, ``losses`` and ``byes``
    are by entry id; a bye counts as a win. ``running`` are those in a pairing that is not decided.
    """

    def __init__(self, draw: Draw, way: str, lives: int = 0) -> None:
        """Raise PlanError for keys that no Swiss has, and for published pairings that name anyone but the entrants."""
        self.draw = draw
        self.lives = lives
        self.entrants = {entrant.id: entrant for entrant in draw.entrants}
        self.notes: list[Reason] = []
        self.running: set[int] = set()
        self.wins: Counter[int] = Counter()
        self.losses: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self._won: Counter[int] = Counter()
        self._lost: Counter[int] = Counter()
        self._met: dict[int, list[int]] = defaultdict(list)
        self._last_met: dict[frozenset[int], int] = {}
        self._way = way
        self._byes_first = draw.options.own.get(BYES.name) == FAIR
        self._pairings: dict[str, Pairing] = {}
        self._used: set[str] = set()
        self._drawn: set[int] = set()
        self._published = _published_rounds(draw)
        self._start = StartOrder(draw)
        for outcome in draw.earlier:
            self._add_meeting(outcome.winner, outcome.loser, 0)
            if not lives:
                self._add_result(outcome)
        if not lives:
            self._add_byes(draw.earlier_byes)

    @property
    def last_published(self) -> int:
        """Return the last round with a published pairing; 0 if there is none."""
        return max(self._published, default=0)

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return all pairings, by round and from top to bottom."""
        return tuple(sorted(self._pairings.values(), key=lambda pairing: (pairing.round, pairing.number)))

    @property
    def stale(self) -> tuple[str, ...]:
        """Return the keys of outcomes that match no pairing, or whose pairing now has different entrants."""
        return tuple(key for key in self.draw.outcomes if key not in self._used)

    def score(self, entrant: int) -> int:
        """Return the record of ``entrant``: lives left, or half wins; more is better."""
        return self.lives - self.losses[entrant] if self.lives else self._won[entrant]

    def played(self, entrant: int) -> int:
        """Return how many matches ``entrant`` has played so far, counting one in progress."""
        return len(self._met[entrant])

    def is_drawn(self, entrant: int) -> bool:
        """Whether ``entrant`` has been in a pairing of this stage, if only with a bye."""
        return entrant in self._drawn

    def add_published(self, round: int) -> None:
        """Add the published pairings of ``round``, with their outcomes."""
        standing = self._published.get(round, [])
        free = [published.a for published in standing if published.b is None]
        words = self._words(round, self._players(self._sitting(standing), round, {}), free)
        self._add([self._published_pairing(round, published, words) for published in standing])

    def pair_rest(self, round: int, here: Iterable[Entrant], most: int | None = None) -> None:
        """Pair everyone in ``here`` who is not in a published pairing of ``round``, or give them a bye.

        At most ``most`` pairs are made; without it as many as possible.
        """
        standing = self._published.get(round, [])
        seated = {entrant.id for entrant in self._sitting(standing)}
        rest = [entrant for entrant in here if entrant.id not in seated]
        players = self._players(rest, round, self._ranks(rest, round))
        fixed = Fixed() if standing else fixed_pairings(self.draw.moves, round, _by_id(rest), most)
        paired = self._pair_around(fixed, players, most, byes_first=self._byes_first)
        words = self._words(round, players, paired.byes)
        taken = {_number(published.key)[1] for published in standing}
        numbers = (number for number in count(1) if number not in taken)
        pairs = [self._pairing(round, next(numbers), a, b, words.why_pair(a, b)) for a, b in paired.pairs]
        byes = [self._pairing(round, next(numbers), free, None, words.why_bye(free)) for free in paired.byes]
        self.notes += [*words.notes([pair for pair in paired.pairs if pair[0] not in fixed.seated]), *fixed.notes]
        self._add(pairs + byes)

    def _pair_around(
        self, fixed: Fixed, players: tuple[Contender, ...], most: int | None, *, byes_first: bool = False
    ) -> PairedRound:
        """Pair everyone by the rules, or give them a bye, but for those whose opponent or bye is fixed."""
        rest = tuple(player for player in players if player.id not in fixed.seated)
        left = None if most is None else most - len(fixed.pairs)
        paired = pair_round(rest, self._within, left, byes_first=byes_first)
        if not fixed.seated:
            return paired
        best = sorted(players, key=lambda player: (-player.score, player.rank, player.id))
        place = {player.id: index for index, player in enumerate(best)}
        fixed_pairs = [(a, b) if place[a] < place[b] else (b, a) for a, b in fixed.pairs]
        pairs = sorted([*paired.pairs, *fixed_pairs], key=lambda pair: [place[side] for side in pair])
        return PairedRound(tuple(pairs), (*fixed.byes, *paired.byes))

    def pair_batch(self, batch: int, free: Iterable[Entrant], most: int) -> bool:
        """Pair the players in ``free`` who can be paired well, at most ``most`` pairs; return whether there are any.

        Those left over wait, have no bye, and are not left over again before those who played more. As long as others
        play nobody meets an opponent again: they wait instead, and no lot is drawn before somebody can be paired.
        """
        free = list(free)
        if self.running and not self._any_new_pair(free):
            return False
        players = self._players(free, batch, self._ranks(free, batch))
        busiest = max((self.played(player.id) for player in players), default=0)
        players = tuple(replace(player, byes=busiest - self.played(player.id)) for player in players)
        fixed = fixed_pairings(self.draw.moves, batch, _by_id(free), most)
        paired = self._pair_around(fixed, players, most)
        words = self._words(batch, players, paired.byes)
        met = [(a, b) for a, b in paired.pairs if self.running and b in self._met[a] and a not in fixed.seated]
        pairs = [pair for pair in paired.pairs if pair not in met]
        self.notes += [*words.notes([pair for pair in pairs if pair[0] not in fixed.seated]), *fixed.notes]
        self._add(
            [self._pairing(batch, number, a, b, words.why_pair(a, b)) for number, (a, b) in enumerate(pairs, start=1)]
        )
        return bool(pairs)

    def _any_new_pair(self, free: Sequence[Entrant]) -> bool:
        """Whether two of ``free`` have not met, and may."""
        return any(b.id not in self._met[a.id] and a.persons.isdisjoint(b.persons) for a, b in combinations(free, 2))

    @property
    def _within(self) -> Within:
        return Within.NEIGHBOURS if self._way == LOT else Within(self._way)

    def _sitting(self, standing: Iterable[Published]) -> list[Entrant]:
        return [self.entrants[id] for published in standing for id in (published.a, published.b) if id is not None]

    def _players(self, here: Iterable[Entrant], round: int, ranks: Mapping[int, int]) -> tuple[Contender, ...]:
        words: tuple[str, ...] = ("family",) if round == 1 else ()
        if self.draw.options.choice("avoid") != "none":
            words += tuple(self.draw.options.choice("avoid").split("-"))
        return tuple(
            Contender(
                id=entrant.id,
                score=self.score(entrant.id),
                rank=ranks.get(entrant.id, 0),
                byes=self.byes[entrant.id] + self.draw.earlier_byes.get(entrant.id, 0),
                met=tuple(sorted(self._met[entrant.id])),
                persons=entrant.persons,
                apart=tuple(getattr(entrant, word) for word in words),
            )
            for entrant in sorted(here, key=lambda entrant: entrant.id)
        )

    def _ranks(self, here: Sequence[Entrant], round: int) -> dict[int, int]:
        """Return the order among equals in ``round``; where fewer than two are to be paired no lot is drawn."""
        if len(here) < 2:
            return {}
        if self._way != LOT:
            return self._start.by(round)
        order = sorted(here, key=lambda entrant: entrant.id)
        chance_in(self.draw, round_scope(round), seeded=str(round)).shuffle(order, lambda entrant: entrant.lot_name)
        return {entrant.id: rank for rank, entrant in enumerate(order, start=1)}

    def _words(self, round: int, players: Sequence[Contender], free: Sequence[int]) -> RoundWords:
        return RoundWords(
            round=round,
            way=self._way,
            players={player.id: player for player in players},
            names={player.id: self.entrants[player.id].name for player in players},
            records={player.id: self._record(player.id) for player in players},
            last_met=self._last_met,
            free=free,
            byes_first=self._byes_first,
        )

    def _record(self, entrant: int) -> str:
        """Write what the entrant has won and lost, in wins: 3–1, or 2½–1½ with a drawn match."""
        return "–".join(show_half_wins(halves[entrant]) for halves in (self._won, self._lost))

    def _published_pairing(self, round: int, published: Published, words: RoundWords) -> Pairing:
        a, b = published.a, published.b
        if b is None:
            why = words.why_bye(a)
        else:
            why = words.why_pair(a, b) if self.score(a) >= self.score(b) else words.why_pair(b, a)
        return self._pairing(round, _number(published.key)[1], a, b, why)

    def _pairing(self, round: int, number: int, a: int, b: int | None, why: Reason) -> Pairing:
        sides = frozenset([a] if b is None else [a, b])
        move = fixed_by(self.draw.moves, round, sides) if self.draw.moves else None
        return Pairing(
            key=f"{SWISS}{round}-{number}",
            bracket=SWISS,
            round=round,
            number=number,
            a=self.entrants[a],
            b=Bye() if b is None else self.entrants[b],
            length=self.draw.options.length(0),
            feed_a="",
            feed_b="bye" if b is None else "",
            why=by_hand(move) if move else why,
        )

    def _add(self, pairings: Iterable[Pairing]) -> None:
        """Add the pairings, and count those decided."""
        for pairing in pairings:
            self._pairings[pairing.key] = pairing
            outcome = self._outcome(pairing)
            ids = sorted(pairing.entrant_ids)
            self._drawn.update(ids)
            if pairing.is_bye:
                self.byes[ids[0]] += 1
                self._add_byes({ids[0]: 1})
                continue
            if outcome is not None and outcome.is_void:
                self._used.add(pairing.key)
                continue
            self._add_meeting(ids[0], ids[1], pairing.round)
            if outcome is None:
                self.running.update(ids)
            else:
                self._used.add(pairing.key)
                self._add_result(outcome)

    def _add_meeting(self, a: int, b: int, round: int) -> None:
        self._met[a].append(b)
        self._met[b].append(a)
        self._last_met[frozenset((a, b))] = round

    def _add_byes(self, byes: Mapping[int, int]) -> None:
        self.wins.update(byes)
        self._won.update({entrant: 2 * count for entrant, count in byes.items()})

    def _add_result(self, outcome: Outcome) -> None:
        won, lost = outcome.half_wins
        self._won.update({outcome.winner: won, outcome.loser: lost})
        self._lost.update({outcome.winner: lost, outcome.loser: won})
        if outcome.is_drawn:
            return
        self.wins[outcome.winner] += 1
        self.losses[outcome.loser] += 1

    def _outcome(self, pairing: Pairing) -> Outcome | None:
        """Return the outcome of ``pairing``, if it names the entrants who are now in its seats.

        The pairings of round 1 follow from no result, so a result that names others is refused there.
        """
        outcome = self.draw.outcomes.get(pairing.key)
        if pairing.round == 1:
            settle(pairing, outcome)
        if outcome is None or pairing.is_bye or pairing.entrant_ids != {outcome.winner, outcome.loser}:
            return None
        return outcome


def _by_id(entrants: Iterable[Entrant]) -> dict[int, Entrant]:
    return {entrant.id: entrant for entrant in entrants}


def _published_rounds(draw: Draw) -> dict[int, list[Published]]:
    """Return the published pairings by round. Raises PlanError for a key that no Swiss has, or an unknown entrant."""
    ids = {entrant.id for entrant in draw.entrants}
    rounds: dict[int, list[Published]] = defaultdict(list)
    for published in draw.published:
        if published.a not in ids or (published.b is not None and published.b not in ids):
            raise PlanError(
                "published_of_others",
                gettext_noop("The published pairing %(key)s names somebody who is not an entrant of this draw."),
                key=published.key,
            )
        rounds[_number(published.key)[0]].append(published)
    for key in draw.outcomes:
        _number(key)
    return rounds


def _number(key: str) -> tuple[int, int]:
    """Return the round and number in a pairing's key. Raises PlanError (``outcome_unknown_pairing``)."""
    match = _KEY.fullmatch(key)
    if not match:
        raise PlanError(
            "outcome_unknown_pairing",
            gettext_noop("This draw has no pairing %(key)s that could take a result."),
            key=key,
        )
    return int(match[1]), int(match[2])
