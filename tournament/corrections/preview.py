"""The cost of a correction: it is tried out on paper, once for each repair, from one reading of the event.

Nothing is written or locked: nobody waits for a preview.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

from matches.models import Match
from players.errors import Refusal
from players.statements import Statement
from rules.score import MatchScore
from tournament.changes.record import event_deleted
from tournament.corrections.changes import Correction
from tournament.corrections.memory import Memory, keep_runs, remembering
from tournament.corrections.paper import Paper, Subject, read_subject
from tournament.corrections.picture import Change, Picture, Viewer, changes_between, places_between
from tournament.corrections.rated import RatingMove, matches_in, rating_moves
from tournament.draw.chain import Chain
from tournament.draw.kept import chain_now
from tournament.draw.lots import on_paper
from tournament.draw.outcomes import match_has_begun
from tournament.draw.reconcile import Repair
from tournament.models import Event, Fixture
from tournament.models.draw import place_of
from tournament.money.ledger import Prizes, read_money
from tournament.prizes import Currency
from tournament.snapshot.scores import claims_of

NO_REASON_YET = "…"
"""A placeholder for the reason while nothing is stored."""

TRIES = 5
"""The maximum number of times that an event is read while others write; the last reading is taken as it is."""


@dataclass(frozen=True, slots=True)
class FallenMatch:
    """A match that has begun and would be void: if replayed, it would be between other entries."""

    stage: int
    key: str
    names: str
    score: str


@dataclass(frozen=True, slots=True)
class SeatChange:
    """The entry on a side of a fixture before and after: its feed in words if unknown, empty if there is no seat."""

    stage: int
    key: str
    side: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlacingChange:
    """The best and the worst place attainable by an entry, before and after."""

    stage: int
    section: str
    name: str
    before: tuple[int, int] | None
    after: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class PrizeChange:
    """An account's prize before and after, in the smallest unit; None while it is undecided.

    ``section`` is the ranking that the prize is for, empty for the whole field; a prize of a side pool or the calcutta
    has the name of that ``pool`` instead. ``paid`` has already been paid out.
    """

    section: str
    pool: str
    name: str
    before: int | None
    after: int | None
    paid: int
    currency: Currency

    @property
    def to_give_back(self) -> int:
        """The amount paid out in excess of what is due after the correction."""
        return 0 if self.after is None else max(0, self.paid - self.after)


@dataclass(frozen=True, slots=True)
class Consequence:
    """The cost of a repair. With a ``refusal`` it cannot be made, and the rest is empty."""

    repair: Repair
    matches: tuple[FallenMatch, ...] = ()
    seats: tuple[SeatChange, ...] = ()
    placings: tuple[PlacingChange, ...] = ()
    prizes: tuple[PrizeChange, ...] = ()
    ratings: tuple[RatingMove, ...] = ()
    refusal: Refusal | None = field(default=None, compare=False)

    @property
    def cost(self) -> tuple[object, ...]:
        """Everything that the repair changes, for comparison with another one."""
        return self.matches, self.seats, self.placings, self.prizes, self.ratings

    @property
    def stored(self) -> tuple[object, ...]:
        """What the repair does to matches, seats and money; places and ratings move with every result elsewhere."""
        return self.repair, self.matches, self.seats, self.prizes


@dataclass(frozen=True)
class _Reading:
    """An event and the match to be corrected, as they were read."""

    event: Event
    chain: Chain
    subject: Subject

    @cached_property
    def viewer(self) -> Viewer:
        event = copy(self.event)  # plans that are kept refer to the event itself
        read_money(event)
        return Viewer(self.chain, event)


def preview_correction(event: Event, change: Correction) -> tuple[Consequence, ...]:
    """Return the cost of ``change`` for each possible repair that differs from those before it.

    The first repair is the one to choose if nothing that was played is lost by it. Raises Refusal if no repair makes
    the change possible.
    """
    with on_paper():
        read = _read(event, change.match)
        memory = Memory()
        planned = remembering(read.chain, memory)
        keep_runs(read.chain, planned)
        before = Picture(planned, read.viewer)
        found: list[Consequence] = []
        compared: list[list[Change]] = []
        refusals: list[Refusal] = []
        for repair in Repair:
            if repair is Repair.REPLAY and found and not found[0].matches:
                continue  # no match would be void, so there is nothing to play again
            paper = Paper(read.chain, read.subject, memory, by=change.by)
            try:
                change.on_paper(paper, repair, NO_REASON_YET)
            except Refusal as refusal:
                refusals.append(refusal)
                continue
            after = Picture(paper.chain(), read.viewer)
            changes = changes_between(before, after)
            compared.append(changes)
            found.append(_compare(repair, before, after, changes))
    if not found:
        raise refusals[0]
    return _without_equals(
        replace(cost, ratings=moves) for cost, moves in zip(found, rating_moves(compared), strict=True)
    )


def _without_equals(costs: Iterable[Consequence]) -> tuple[Consequence, ...]:
    """Leave out each repair that costs the same as one before it."""
    found: list[Consequence] = []
    for consequence in costs:
        if all(consequence.cost != other.cost for other in found):
            found.append(consequence)
    return tuple(found)


def versions_of(event: Event) -> tuple[int, int]:
    """Return the versions of the event and its hall: while these stay, the cost of a correction stays."""
    return event.version, event.tournament.hall_version


_VERSIONS = Statement(lambda pk: Event.objects.filter(pk=pk).values_list("version", "tournament__hall_version"))


def _read(event: Event, match: Match) -> _Reading:
    """Read the event; what was read while somebody was writing does not fit together, and is read again."""
    for _each in range(TRIES):
        found = _find(event)
        read = _Reading(found, chain_now(found), read_subject(match))
        if _VERSIONS.rows(event.pk) == [versions_of(found)]:
            break
    return read


def _find(event: Event) -> Event:
    found = Event.objects.select_related("tournament", "money").filter(pk=event.pk).first()
    if found is None:
        raise event_deleted()
    return found


def _compare(repair: Repair, before: Picture, after: Picture, changes: Sequence[Change]) -> Consequence:
    """Return what the repair costs but for the ratings."""
    return Consequence(
        repair=repair,
        matches=tuple(_fallen(before, changes)),
        seats=tuple(_seat_changes(before, after, changes)),
        placings=tuple(PlacingChange(*line) for line in places_between(before, after)),
        prizes=_prize_changes(before, after),
    )


def _fallen(before: Picture, changes: Sequence[Change]) -> Iterator[FallenMatch]:
    """Yield the matches that have begun, with a sheet or at a table, and no longer stand."""
    stand = {pk for pk, match in matches_in(change.after for change in changes).items() if match_has_begun(match)}
    for change in changes:
        if change.before is None:
            continue
        for board, match in change.before.matches.items():
            if not match_has_begun(match) or match.pk in stand:
                continue
            sides = (match.side_a.name, match.side_b.name) if board else _labels(before, change.before)
            place = place_of(change.key, board)
            yield FallenMatch(change.stage, place, " – ".join(sides), _score(claims_of(match)[2]))


def _labels(picture: Picture, fixture: Fixture) -> tuple[str, str]:
    return picture.label(fixture, "A"), picture.label(fixture, "B")


def _seat_changes(before: Picture, after: Picture, changes: Sequence[Change]) -> Iterator[SeatChange]:
    for change in sorted(changes, key=lambda one: (one.stage, one.key)):
        old, new = change.before, change.after
        if old is None and change.stage in after.not_drawn:
            continue
        labels = (_labels(picture, one) if one else ("", "") for picture, one in ((before, old), (after, new)))
        for side, was, becomes in zip("AB", *labels, strict=True):
            if was != becomes or (old is None) != (new is None):
                yield SeatChange(change.stage, change.key, side, was, becomes)


def _prize_changes(before: Picture, after: Picture) -> tuple[PrizeChange, ...]:
    """Return the accounts whose prizes change, in list order; those no longer on any list receive nothing."""
    if not before.deals_in_money or after.stages == before.stages:
        return ()
    changed = _changed_prizes(_prizes(before.prizes), _prizes(after.prizes))
    found: list[_Prize] = []
    # The amounts are certain, but only a ranking orders those who share a place.
    for _listed, sharing in groupby(changed, key=lambda line: line.listed):
        found += _in_order_of_lines(list(sharing), before, after)
    return tuple(line.change for line in found)


def _in_order_of_lines(sharing: list[_Prize], before: Picture, after: Picture) -> list[_Prize]:
    if len(sharing) == 1:
        return sharing
    is_new, section, *_rest = sharing[0].listed
    picture = after if is_new else before
    if any(line.entrant is None for line in sharing):
        order = list(_prizes(picture.ranked_prizes))
        return sorted(sharing, key=lambda line: order.index(line.slug))
    return sorted(sharing, key=lambda line: picture.rank(str(section), line.entrant or 0))


def _changed_prizes(before: Mapping[str, _Prize], after: Mapping[str, _Prize]) -> list[_Prize]:
    changed = []
    for slug in dict.fromkeys([*after, *before]):
        old, new = before.get(slug), after.get(slug)
        line = new or old
        was, becomes = old.change.after if old else 0, new.change.after if new else 0
        if line is not None and was != becomes:
            listed = (new is not None, *line.listed)
            changed.append(replace(line, change=replace(line.change, before=was, after=becomes), listed=listed))
    return changed


def _score(score: MatchScore | None) -> str:
    return f"{score.a}–{score.b}" if score is not None else "0–0"


@dataclass(frozen=True, slots=True)
class _Prize:
    """An account's current prize, in the field ``after``, and where it is listed: two in one place share it.

    ``entrant`` is whose prize it is; a lot of the calcutta has none.
    """

    slug: str
    entrant: int | None
    change: PrizeChange
    listed: tuple[object, ...]


def _prizes(found: Prizes) -> dict[str, _Prize]:
    """Return each account's current prize, from lists that pay something or from which somebody has been paid."""
    lists = [
        *((one.section, "", one) for one in found.prize_lists),
        *(("", one.name, one.prizes) for one in found.side_pools),
        *(("", one.title, one) for one in [found.pot] if one is not None),
    ]
    return {
        account.slug: _Prize(
            account.slug,
            account.entry.id if account.entry is not None else None,
            PrizeChange(section, pool, account.name, None, account.prize, -account.paid, found.currency),
            (section, pool, account.purpose) + (() if prizes is found.pot else (account.place, account.place_to)),
        )
        for section, pool, prizes in lists
        if prizes.amount or any(account.paid for account in prizes.accounts)
        for account in prizes.accounts
    }
