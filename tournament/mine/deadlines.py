"""What a player can do about the deadlines of their open matches: extend them, and note when they offered to play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q
from django.utils import timezone

from tournament.formats.unplayed import Unplayed
from tournament.models import Entry, Fixture, Offer
from tournament.snapshot import EventSnapshot, FixtureSnapshot, FixtureState
from tournament.snapshot.deadlines import rule_sentence


@dataclass(frozen=True, slots=True)
class MyDeadline:
    """The deadline ``last`` of an open match: what becomes of it in a ``sentence``, and what the entry can do.

    ``extension`` is the number of days by which the entry can extend it now; 0 if it cannot. ``offers_until`` is the
    last day that can be offered, None if offers are not taken now. Each offer is the days on which somebody offered to
    play; none says that their opponent does not answer.
    """

    last: date
    is_overdue: bool
    sentence: str
    extension: int
    offers_until: date | None
    mine: Sequence[Sequence[date]] = ()
    theirs: Sequence[Sequence[date]] = ()


def deadlines_of(snapshot: EventSnapshot, entry: Entry, *, at: datetime) -> Mapping[tuple[int, str], MyDeadline]:
    """Return the deadlines of the entry's open matches, by number of the stage and key of the fixture.

    This takes two queries where players can do something about them, and none elsewhere.
    """
    today = timezone.localdate(at, entry.event.tournament.zone)
    open_ones = [
        (stage, fixture)
        for stage in snapshot.stages
        for fixture in stage.fixtures
        if entry.pk in fixture.entry_ids
        and fixture.deadline is not None
        and fixture.state in (FixtureState.READY, FixtureState.LIVE)
    ]
    rows: dict[tuple[int, str], Fixture] = {}
    if any(one.unplayed.extension or one.unplayed.rule is Unplayed.OFFERED for _stage, one in open_ones):
        own = Fixture.objects.filter(Q(entry_a=entry) | Q(entry_b=entry), stage__event=entry.event_id)
        rows = {(row.stage_id, row.key): row for row in own.prefetch_related("offers")}
    return {
        (stage.number, fixture.key): _mine(fixture, rows.get((stage.id, fixture.key)), entry, today)
        for stage, fixture in open_ones
    }


def _mine(fixture: FixtureSnapshot, row: Fixture | None, entry: Entry, today: date) -> MyDeadline:
    last, rule = fixture.deadline or today, fixture.unplayed
    offers: Sequence[Offer] = list(row.offers.all()) if row is not None else []
    is_untouched = row is not None and fixture.state is FixtureState.READY
    may_extend = is_untouched and today <= last and row is not None and entry.pk not in row.extended_by
    may_offer = is_untouched and today <= rule.last_to_play(last) and rule.rule is Unplayed.OFFERED
    return MyDeadline(
        last=last,
        is_overdue=fixture.is_overdue(today),
        sentence=rule_sentence(rule, last),
        extension=rule.extension if may_extend else 0,
        offers_until=rule.last_to_play(last) if may_offer else None,
        mine=[_days(offer) for offer in offers if offer.entry_id == entry.pk],
        theirs=[_days(offer) for offer in offers if offer.entry_id != entry.pk],
    )


def _days(offer: Offer) -> Sequence[date]:
    return [date.fromisoformat(day) for day in offer.days]
