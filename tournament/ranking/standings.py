"""Standings: by wins, then by the event's tie-breaks in order; or by the places of a knockout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.errors import gettext_noop
from tournament.formats.half_wins import show_half_wins
from tournament.formats.plan import Entrant, Placing, Plan, Reason
from tournament.ranking.tiebreaks import HEAD_TO_HEAD, TIEBREAKS, Field, Result, ResultKind, Value

__all__ = ["Result", "ResultKind", "StandingLine", "compute_standings", "free_rounds"]

MOST_NAMED = 4
"""The most others that the sentence about a shared place names."""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """The line of one entrant; if ``place`` and ``place_to`` differ, the place is shared.

    ``played`` counts every decided match, including walkovers and forfeits. ``wins`` includes the byes that count as
    wins, so it is ``played - losses - draws + byes``; ``draws`` are the drawn matches of a team, which rank as half a
    win each, and ``rate_wins`` the matches with the lower error rate, where that is a second win. Points are those of
    ``Result.counted_points``. ``tiebreaks`` has slug and value in the event's order; a value is None if the tie-break
    does not apply, and for head to head it is the wins among all who were tied when it was first applied.
    ``decided_by`` is the slug of the tie-break that put this line below the one above; None if wins or places did, or
    nothing. ``why`` says how the place was won. ``note`` answers what a reader would ask otherwise, such as about a
    cycle.
    """

    entrant: int
    place: int
    place_to: int
    played: int
    wins: int
    losses: int
    points_for: int
    points_against: int
    tiebreaks: tuple[tuple[str, Value | None], ...]
    decided_by: str | None
    why: Reason
    note: Reason | None = None
    draws: int = 0
    rate_wins: int = 0

    @property
    def byes(self) -> int:
        """The number of byes that count as wins."""
        return self.wins + self.losses + self.draws - self.played

    @property
    def half_wins(self) -> int:
        """What ranks it, in half wins: 2 for a win or a lower error rate, 1 for a drawn match."""
        return 2 * (self.wins + self.rate_wins) + self.draws


@dataclass(slots=True)
class _Record:
    wins: int = 0
    losses: int = 0
    draws: int = 0
    rate_wins: int = 0
    points_for: int = 0
    points_against: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    """The tie-break that put a group below the one above it, and the values of both groups."""

    slug: str
    above: Value
    here: Value


@dataclass(frozen=True, slots=True)
class _Tied:
    """Entrants whom nothing separates, and the step that separates them from those above; None if wins do."""

    ids: list[int]
    step: _Step | None = None


def free_rounds(plan: Plan, bracket: str = "") -> dict[int, tuple[int, ...]]:
    """Return the rounds of the byes that count as wins, by entrant; only those of one bracket if it is named."""
    rounds: dict[int, tuple[int, ...]] = {}
    for pairing in plan.pairings:
        if pairing.is_bye and bracket in ("", pairing.bracket):
            for entrant in pairing.entrant_ids:
                rounds[entrant] = (*rounds.get(entrant, ()), pairing.round)
    return {entrant: rounds.get(entrant, ())[:wins] for entrant, wins in plan.free_wins.items()}


def compute_standings(
    entrants: Sequence[Entrant],
    results: Sequence[Result],
    tiebreaks: Sequence[str],
    placings: Sequence[Placing] | None,
    *,
    earlier: Sequence[Result] = (),
    earlier_byes: Mapping[int, tuple[int, ...]] | None = None,
    free_wins: Mapping[int, tuple[int, ...]] | None = None,
    play_offs: Sequence[Result] = (),
) -> tuple[StandingLine, ...]:
    """Compute the standings: one line for each entrant, best first.

    Without ``placings`` wins decide, then each tie-break in order among those still tied; entrants whom nothing
    separates share their place. With ``placings`` these are the places, and wins, tie-breaks and name only order the
    lines of a shared place. ``earlier`` are results of earlier stages that count here, including those against
    opponents who are no longer in, and ``earlier_byes`` the rounds of byes there that counted as wins; their rounds
    come before those of ``results``. ``free_wins`` are the rounds of byes that count as wins (see
    :func:`free_rounds`), ``play_offs`` are matches that only separate those who are tied. Ratings are the entrants'.

    Raises ValueError for a tie-break that does not exist, and for a result or placings of others than the entrants.
    """
    _check(entrants, (*results, *play_offs), tiebreaks, placings)
    ranking = ranking_of(
        entrants,
        results,
        tiebreaks,
        earlier=earlier,
        earlier_byes=earlier_byes,
        free_wins=free_wins,
        play_offs=play_offs,
    )
    if placings is None:
        return tuple(ranking.lines(ranking.separate([entrant.id for entrant in entrants])))
    sharing: dict[tuple[int, int], dict[int, Placing]] = {}
    for placing in placings:
        sharing.setdefault((placing.place, placing.place_to), {})[placing.entrant] = placing
    lines: list[StandingLine] = []
    for (place, place_to), placed in sorted(sharing.items()):
        ordered = ranking.in_order(list(placed))
        lines += [ranking.line(entrant, place, place_to, None, _why_placed(placed[entrant])) for entrant in ordered]
    return tuple(lines)


def ranking_of(
    entrants: Sequence[Entrant],
    results: Sequence[Result],
    tiebreaks: Sequence[str],
    *,
    earlier: Sequence[Result] = (),
    earlier_byes: Mapping[int, tuple[int, ...]] | None = None,
    free_wins: Mapping[int, tuple[int, ...]] | None = None,
    play_offs: Sequence[Result] = (),
) -> Ranking:
    """Return what decides between entrants: see :func:`compute_standings`."""
    byes = {entrant: rounds for entrant, rounds in (earlier_byes or {}).items() if rounds}
    before = max((*(result.round for result in earlier), *(max(rounds) for rounds in byes.values())), default=0)
    field = Field(
        results=(
            *earlier,
            *(replace(one, round=one.round + before) if before and one.round else one for one in results),
        ),
        free_wins={
            entrant: (*byes.get(entrant, ()), *(round + before for round in (free_wins or {}).get(entrant, ())))
            for entrant in {**byes, **(free_wins or {})}
        },
        ratings={entrant.id: entrant.rating for entrant in entrants if entrant.rating is not None},
        play_offs=tuple(play_offs),
    )
    return Ranking(entrants, field, tiebreaks)


def _check(
    entrants: Sequence[Entrant],
    results: Sequence[Result],
    tiebreaks: Sequence[str],
    placings: Sequence[Placing] | None,
) -> None:
    for slug in tiebreaks:
        if slug not in TIEBREAKS:
            raise ValueError(f"there is no tie-break {slug!r}")
    ids = {entrant.id for entrant in entrants}
    for result in results:
        if not {result.a, result.b} <= ids:
            raise ValueError(f"{result.key}: a side is not an entrant")
    if placings is not None and sorted(placing.entrant for placing in placings) != sorted(ids):
        raise ValueError("the placings are not those of the entrants")


class Ranking:
    """The records of all entrants, and the tie-break values found along the way."""

    def __init__(self, entrants: Sequence[Entrant], field: Field, tiebreaks: Sequence[str]) -> None:
        self.names = {entrant.id: entrant.name for entrant in entrants}
        self.field = field
        self.slugs = tuple(dict.fromkeys(tiebreaks))
        self.records = _records(field)
        self.wins = field.wins()
        self.values: dict[str, dict[int, Value | None]] = {
            slug: {} if TIEBREAKS[slug].within_group else dict(TIEBREAKS[slug].compute(field, list(self.names)))
            for slug in self.slugs
        }
        self.notes: dict[int, Reason] = {}

    def separate(self, ids: Sequence[int]) -> list[_Tied]:
        """Order ``ids`` by wins, then by the tie-breaks."""
        wins: dict[int, Value] = {entrant: self.wins[entrant] for entrant in ids}
        return [tied for level in _levels(wins, higher_is_better=True) for tied in self._break_tie(level, self.slugs)]

    def _break_tie(self, ids: list[int], slugs: Sequence[str]) -> list[_Tied]:
        if len(ids) == 1 or not slugs:
            return [_Tied(ids)]
        slug, later = slugs[0], slugs[1:]
        tiebreak = TIEBREAKS[slug]
        if tiebreak.ends:
            return [_Tied(ids)]
        values = _known(self._values(slug, ids))
        if values is None:
            return self._break_tie(ids, later)
        levels = _levels(values, higher_is_better=tiebreak.higher_is_better)
        if len(levels) == 1:
            if slug == HEAD_TO_HEAD:
                self._note_cycle(ids)
            return self._break_tie(ids, later)
        broken: list[_Tied] = []
        for place, level in enumerate(levels):
            first, *others = self._break_tie(level, slugs if tiebreak.within_group else later)
            step = _Step(slug, values[levels[place - 1][0]], values[level[0]]) if place else None
            broken += [_Tied(first.ids, step), *others]
        return broken

    def _values(self, slug: str, ids: list[int]) -> Mapping[int, Value | None]:
        if not TIEBREAKS[slug].within_group:
            return {entrant: self.values[slug][entrant] for entrant in ids}
        values = TIEBREAKS[slug].compute(self.field, ids)
        for entrant in ids:
            self.values[slug].setdefault(entrant, values[entrant])
        return values

    def _note_cycle(self, ids: list[int]) -> None:
        """Put a note on those of ``ids`` who beat each other in a cycle, if there is one."""
        cycle = _beaten_in_a_cycle(self.field.results, ids)
        note = Reason(
            "head_to_head_cycle",
            gettext_noop("Head to head does not separate %(names)s: they beat each other in a cycle."),
            (("names", ", ".join(self.names[entrant] for entrant in self.by_name(cycle))),),
        )
        for entrant in cycle:
            self.notes[entrant] = note

    def in_order(self, ids: Sequence[int]) -> list[int]:
        """Put ``ids``, who share a place by placings, in the order in which they are listed."""
        return [entrant for tied in self.separate(ids) for entrant in self.by_name(tied.ids)]

    def by_name(self, ids: Sequence[int]) -> list[int]:
        """Put ``ids`` in the order in which entrants who share a place are listed."""
        return sorted(ids, key=lambda entrant: (self.names[entrant].casefold(), entrant))

    def lines(self, groups: Sequence[_Tied]) -> list[StandingLine]:
        """Make a line for everyone in ``groups``, best first; each group shares its place."""
        lines: list[StandingLine] = []
        for number, tied in enumerate(groups):
            place, place_to = len(lines) + 1, len(lines) + len(tied.ids)
            decided_by = tied.step.slug if tied.step else None
            for entrant in self.by_name(tied.ids):
                why = self._why_shared(entrant, tied) if len(tied.ids) > 1 else self._why_alone(groups, number)
                lines.append(self.line(entrant, place, place_to, decided_by, why))
                decided_by = None
        return lines

    def _why_shared(self, entrant: int, tied: _Tied) -> Reason:
        others = [self.names[other] for other in self.by_name(tied.ids) if other != entrant]
        wins = ("wins", shown_wins(self.wins[entrant]))
        if len(others) > MOST_NAMED:
            return Reason(
                "tied_with_many",
                gettext_noop("Tied on wins (%(wins)s) with %(others)s others; nothing further separates them."),
                (wins, ("others", len(others))),
            )
        return Reason(
            "tied_with",
            gettext_noop("Tied on wins (%(wins)s) with %(names)s; nothing further separates them."),
            (wins, ("names", ", ".join(others))),
        )

    def _why_alone(self, groups: Sequence[_Tied], number: int) -> Reason:
        """Say why the only entrant of a group has this place: what separates it from the group above, or else below."""
        tied = groups[number]
        (entrant,) = tied.ids
        below = groups[number + 1] if number + 1 < len(groups) else None
        if tied.step:
            return self._why_decided(tied.step, groups[number - 1].ids, tied.ids)
        if below and below.step:
            return self._why_decided(below.step, tied.ids, below.ids)
        byes = len(self.field.free_wins.get(entrant, ()))
        if byes:
            return Reason(
                "alone_with_byes",
                gettext_noop("Nobody else has as many wins (%(wins)s, %(byes)s of them by bye)."),
                (("wins", shown_wins(self.wins[entrant])), ("byes", byes)),
            )
        wins = shown_wins(self.wins[entrant])
        return Reason("alone", gettext_noop("Nobody else has as many wins (%(wins)s)."), (("wins", wins),))

    def _why_decided(self, step: _Step, above: Sequence[int], here: Sequence[int]) -> Reason:
        tiebreak = TIEBREAKS[step.slug]
        values = [
            f"{self.names[self.by_name(ids)[0]]} {tiebreak.show(value)}"
            for ids, value in ((above, step.above), (here, step.here))
        ]
        wins = shown_wins(self.wins[here[0]])
        return Reason(f"by_{step.slug}", tiebreak.decides, (("wins", wins), ("values", ", ".join(values))))

    def line(self, entrant: int, place: int, place_to: int, decided_by: str | None, why: Reason) -> StandingLine:
        """Make the line of ``entrant`` at this place."""
        record = self.records[entrant]
        return StandingLine(
            entrant=entrant,
            place=place,
            place_to=place_to,
            played=record.wins + record.losses + record.draws,
            wins=record.wins + len(self.field.free_wins.get(entrant, ())),
            losses=record.losses,
            points_for=record.points_for,
            points_against=record.points_against,
            tiebreaks=tuple((slug, self.values[slug].get(entrant)) for slug in self.slugs),
            decided_by=decided_by,
            why=why,
            note=self.notes.get(entrant),
            draws=record.draws,
            rate_wins=record.rate_wins,
        )


def shown_wins(wins: Value) -> int | str:
    """Write wins as people do: 2, or 2½ with a drawn match."""
    return wins if isinstance(wins, int) else show_half_wins(int(2 * wins))


def _why_placed(placing: Placing) -> Reason:
    if placing.why:
        return placing.why
    if placing.place == placing.place_to:
        return Reason("placed", gettext_noop("Place %(place)s follows from the draw."), (("place", placing.place),))
    template = (
        gettext_noop("Places %(place)s and %(place_to)s are still open.")
        if placing.place_to == placing.place + 1
        else gettext_noop("Places %(place)s to %(place_to)s are still open.")
    )
    return Reason(
        "places_open",
        template,
        (("place", placing.place), ("place_to", placing.place_to)),
    )


def _beaten_in_a_cycle(results: Sequence[Result], ids: Sequence[int]) -> list[int]:
    """Return those of ``ids`` who are part of a cycle: each leads against one of them, and trails against another."""
    balance: dict[tuple[int, int], int] = defaultdict(int)
    for result in results:
        (a, b, won_a), (_b, _a, won_b) = result.half_wins
        balance[a, b] += won_a - won_b
        balance[b, a] += won_b - won_a
    ahead = {entrant: {other for other in ids if balance[entrant, other] > 0} for entrant in ids}
    left = set(ids)
    while True:
        beaten = {loser for winner in left for loser in ahead[winner]}
        both = {entrant for entrant in left & beaten if ahead[entrant] & left}
        if both == left:
            return sorted(left)
        left = both


def _records(field: Field) -> Mapping[int, _Record]:
    records: dict[int, _Record] = defaultdict(_Record)
    for result in field.results:
        points_a, points_b = result.counted_points
        for side, mine, theirs in ((result.a, points_a, points_b), (result.b, points_b, points_a)):
            record = records[side]
            record.points_for += mine
            record.points_against += theirs
            record.rate_wins += side in result.lower_rates
            if result.winner is None:
                record.draws += 1
            elif side == result.winner:
                record.wins += 1
            else:
                record.losses += 1
    return records


def _known(values: Mapping[int, Value | None]) -> dict[int, Value] | None:
    """Return ``values`` if every entrant has one; None if the tie-break does not apply."""
    known = {entrant: value for entrant, value in values.items() if value is not None}
    return known if len(known) == len(values) else None


def _levels(values: Mapping[int, Value], *, higher_is_better: bool) -> list[list[int]]:
    """Group the entrants by value, the best value first."""
    levels: dict[Value, list[int]] = {}
    for entrant, value in values.items():
        levels.setdefault(value, []).append(entrant)
    return [levels[value] for value in sorted(levels, reverse=higher_is_better)]
