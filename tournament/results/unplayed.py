"""Matches that nobody began by their deadline, decided by the rule of their stage: found again and again, once each.

What is due is never stored, so that the director can move a deadline, enter a result or undo the decision at any time.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from enum import Enum
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.evidence import Evidence
from matches.models import Match, Ruling, Scoresheet, SheetChange
from players.errors import Conflict
from rules.score import Side
from tournament.draw.challenge_rows import with_challenges
from tournament.draw.deadlines import deadline_of, rule_of
from tournament.draw.steps import lock_fixture
from tournament.formats.unplayed import Unplayed
from tournament.models import Call, Event, Fixture, Stage
from tournament.models.team import event_of
from tournament.results.by_rule import key_of
from tournament.results.walkovers import walk_over


class Hindrance(Enum):
    """Why the rule of the stage leaves a match to the director although its day has come."""

    BEGUN = gettext_lazy("it has begun, or a result has been reported")
    CALLED = gettext_lazy("it has been called")
    RECORD = gettext_lazy("a match record has been attached to it")
    RULING = gettext_lazy("there is a ruling on it")
    MADE_LATE = gettext_lazy("it was drawn after its deadline")
    UNDONE = gettext_lazy("the decision by the rule has been taken back")
    TAKEN_BACK = gettext_lazy("its result or a report was taken back after the days of grace")
    BOTH_OFFERED = gettext_lazy("both sides have offered to play")
    NONE_OFFERED = gettext_lazy("neither side has offered to play")
    OFFERED_LATE = gettext_lazy("the offer to play came too late to be answered")


_TOUCHES = {
    Hindrance.BEGUN: Scoresheet.objects.filter(state__in=Scoresheet.OPEN),
    Hindrance.CALLED: Call.objects.filter(left_at=None),
    Hindrance.RECORD: Evidence.attached.all(),
    Hindrance.RULING: Ruling.objects.all(),
}
"""The rows by which a match is touched. A sheet that was taken back, or that another one had replaced, is none."""


def unplayed_matches(at: datetime) -> Iterator[int]:
    """Return a match of each fixture that the rule of its stage decides now, in running events.

    Whether it still does is asked under the lock.
    """
    rules = [rule.value for rule in Unplayed if rule is not Unplayed.DIRECTOR]
    events = Event.objects.filter(finished_at=None)
    stages = Stage.objects.filter(event__in=events, drawn_at__isnull=False, options__unplayed__in=rules)
    for stage in with_challenges(stages.select_related("event__tournament").order_by("pk")):
        untouched = {why.name: False for why in _TOUCHES}
        for fixture in _between_two(stage.fixtures.all()).filter(**untouched):
            if (last := _deadline_over(fixture, stage, at)) and _why_left(fixture, stage, last) is None:
                yield _matches(fixture)[0]


def decide_unplayed(match_id: int, *, at: datetime) -> bool:
    """Decide the match by the rule of its stage if nobody began it in time; return whether that was done.

    It is what a director's walkover or void match is, and is undone like it. Under the lock everything is asked again,
    so that of two workers one decides; a match that has left its draw is left alone.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None or event_of(match) is None:
        return False
    try:
        return _decide(match, at=at)
    except Conflict:
        return False  # somebody is faster, or the event was deleted: the director decides


def why_undecided(fixture: Fixture, *, at: datetime) -> str:
    """Say why the rule leaves the fixture to the director although its day has come; nothing otherwise.

    Reads ``stage`` with its event and tournament as loaded.
    """
    last = _deadline_over(fixture, fixture.stage, at)
    found = _between_two(Fixture.objects.filter(pk=fixture.pk)).first() if last is not None else None
    if last is None or found is None:
        return ""
    why = _why_left(found, fixture.stage, last)
    if why is None:
        return ""
    return _("The rule of the event leaves this match to the director: %(why)s.") % {"why": why.value}


@transaction.atomic
def _decide(match: Match, *, at: datetime) -> bool:
    event, place, at = lock_fixture(match, at)
    stage = place.stage
    fixture = _between_two(Fixture.objects.filter(pk=place.pk)).first() if event.finished_at is None else None
    last = _deadline_over(fixture, stage, at) if fixture is not None else None
    if fixture is None or last is None or _why_left(fixture, stage, last) is not None:
        return False
    rule = rule_of(stage)
    by_rule = {"rule": rule.rule.value, "deadline": last.isoformat()}
    walk_over(match, to=rule.winner(_offered(fixture, stage)), key=key_of(last), by_rule=by_rule, by=None, at=at)
    return True


def _between_two(found: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return those of the fixtures that two entries play, with what has touched each: a flag for each hindrance."""
    paths = ("match__fixture", "match__board__fixture")
    for why, rows in _TOUCHES.items():
        touched = reduce(or_, (Q(Exists(rows.filter(**{path: OuterRef("pk")}))) for path in paths))
        found = found.annotate(**{why.name: ExpressionWrapper(touched, BooleanField())})
    between_two = found.filter(entry_a__left_at=None, entry_b__left_at=None, entry_a__isnull=False)
    return between_two.filter(entry_b__isnull=False).prefetch_related("offers", "boards")


def _deadline_over(fixture: Fixture, stage: Stage, at: datetime) -> date | None:
    """Return the deadline of the fixture if the rule may decide it since then; None while there are days to come."""
    zone = stage.event.tournament.zone
    last = deadline_of(fixture, stage, zone)
    decided_on = rule_of(stage).decided_on(last) if last is not None and _matches(fixture) else None
    return last if decided_on is not None and timezone.localdate(at, zone) >= decided_on else None


def _why_left(fixture: Fixture, stage: Stage, last: date) -> Hindrance | None:
    """Return why a match with this deadline, which is over, is left to the director; None if the rule decides it."""
    touched = next((why for why in _TOUCHES if getattr(fixture, why.name)), None)
    return touched or _why_late(fixture, stage, last) or _why_unawarded(fixture, stage, last)


def _why_late(fixture: Fixture, stage: Stage, last: date) -> Hindrance | None:
    """Return what has happened since the deadline: a match was made by a change of the draw, or a sheet taken back."""
    zone, matches = stage.event.tournament.zone, Match.objects.filter(pk__in=_matches(fixture))
    if any(timezone.localdate(match.created_at, zone) > last for match in matches):
        return Hindrance.MADE_LATE
    if Scoresheet.objects.filter(match__in=matches, key=key_of(last), side="").exists():
        return Hindrance.UNDONE
    closed = SheetChange.objects.filter(sheet__match__in=matches).exclude(state__in=Scoresheet.OPEN)
    graced = rule_of(stage).last_to_play(last)
    if any(timezone.localdate(one, zone) > graced for one in closed.values_list("at", flat=True)):
        return Hindrance.TAKEN_BACK
    return None


def _why_unawarded(fixture: Fixture, stage: Stage, last: date) -> Hindrance | None:
    """Return why the rule awards the match to nobody, if it does not."""
    offered = _offered(fixture, stage)
    if rule_of(stage).may_award(offered, last):
        return None
    return (Hindrance.NONE_OFFERED, Hindrance.OFFERED_LATE, Hindrance.BOTH_OFFERED)[len(offered)]


def _matches(fixture: Fixture) -> Sequence[int]:
    """Return the ids of the matches that decide the fixture. Reads the boards as loaded."""
    return [fixture.match_id] if fixture.match_id is not None else [board.match_id for board in fixture.boards.all()]


def _offered(fixture: Fixture, stage: Stage) -> dict[Side, date]:
    """Return the sides that have offered to play, and on which day first. Reads the offers as loaded."""
    sides, zone = {fixture.entry_a_id: Side.A, fixture.entry_b_id: Side.B}, stage.event.tournament.zone
    offers = sorted((offer for offer in fixture.offers.all() if offer.entry_id in sides), key=lambda one: one.made_at)
    return {sides[one.entry_id]: timezone.localdate(one.made_at, zone) for one in reversed(offers)}
