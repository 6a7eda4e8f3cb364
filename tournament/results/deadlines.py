"""Deadlines moved by the director or extended by a side, and offers to play noted by the sides."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import MAX_REASON, Match, Scoresheet, SheetState
from players.errors import Conflict, Refusal
from players.lines import is_visible, one_line
from players.models import User
from rules.score import Side
from tournament.changes.record import record_change, require_running
from tournament.draw.deadlines import deadline_of, rule_of
from tournament.draw.steps import fixture_details, lock_fixture, not_in_draw
from tournament.formats.unplayed import Unplayed
from tournament.models import Call, Entry, Event, Fixture, Offer

LONGEST = timedelta(days=366)
"""How far ahead a deadline can be moved."""

MOST_DAYS_OFFERED, MOST_OFFERS = 5, 10


@transaction.atomic
def move_deadline(match: Match, *, to: date, reason: str, by: User | None, at: datetime) -> None:
    """Give the match of these two a deadline of its own, for a reason; between teams, all their boards.

    Raises Refusal for a day in the past or more than a year ahead and for a missing reason, Conflict for a match
    without a deadline, one that has its result, and an event that has ended.
    """
    event, fixture, at = lock_fixture(match, at)
    last = _require_deadline(event, fixture)
    reason = _checked_reason(reason)
    today = timezone.localdate(at, event.tournament.zone)
    if not today <= to <= today + LONGEST:
        raise Refusal("deadline_out_of_range", _("A deadline can be today, or up to a year from now."), field="to")
    if to != last:
        _write(event, fixture, match, last=last, play_by=to, verb="move_deadline", by=by, at=at, reason=reason)


@transaction.atomic
def extend_deadline(match: Match, *, side: Side, at: datetime) -> None:
    """Extend the deadline for the side by as many days as its stage allows, once in each match.

    Raises Conflict if the stage allows none, the side has done so before, the deadline has passed, or the match has
    begun.
    """
    event, fixture, at = lock_fixture(match, at)
    last, entry = _require_deadline(event, fixture), _entry(fixture, side)
    _require_open(event, fixture, last, at)
    days = rule_of(fixture.stage).extension
    if not days:
        raise Conflict("extension_none", _("In this event only the director can move a deadline."))
    if entry.pk in fixture.extended_by:
        raise Conflict("extension_used", _("You have already extended the deadline of this match."))
    extended_by = [*fixture.extended_by, entry.pk]
    to = last + timedelta(days=days)
    said = {"side": side.value, "name": entry.name}
    _write(
        event,
        fixture,
        match,
        last=last,
        play_by=to,
        extended_by=extended_by,
        verb="extend_deadline",
        by=None,
        at=at,
        **said,
    )


@transaction.atomic
def restore_deadline(
    match: Match, *, play_by: date | None, extended_by: Sequence[int], by: User | None, at: datetime
) -> None:
    """Give the match back the deadline that it had before it was moved or extended.

    Raises Conflict as :func:`move_deadline` does, and for a deadline that has passed where a rule would then decide.
    """
    event, fixture, at = lock_fixture(match, at)
    last = _require_deadline(event, fixture)
    fixture_before = fixture.play_by
    fixture.play_by = play_by
    restored = deadline_of(fixture, fixture.stage, event.tournament.zone)
    fixture.play_by = fixture_before
    is_over = restored is not None and restored < timezone.localdate(at, event.tournament.zone)
    if is_over and rule_of(fixture.stage).rule is not Unplayed.DIRECTOR:
        raise Conflict("deadline_over", _("The deadline before has passed: move this one instead."))
    _write(
        event,
        fixture,
        match,
        last=last,
        play_by=play_by,
        extended_by=list(extended_by),
        verb="restore_deadline",
        by=by,
        at=at,
    )


@transaction.atomic
def offer_to_play(match: Match, *, side: Side, days: Sequence[date], at: datetime) -> Offer:
    """Note that the side has offered to play on these days, or with none that its opponent does not answer.

    That is an answer to an offer of the opponent, too, and can be noted during the days of grace. Raises Refusal for
    days that are not from today to the last of these, or too many, Conflict if offers decide nothing in this event, if
    there are too many, the days of grace are over, or the match has begun.
    """
    event, fixture, at = lock_fixture(match, at)
    rule, entry = rule_of(fixture.stage), _entry(fixture, side)
    last = rule.last_to_play(_require_deadline(event, fixture))
    _require_open(event, fixture, last, at)
    if rule.rule is not Unplayed.OFFERED:
        raise Conflict("offers_unused", _("In this event offers to play decide nothing: talk to the director."))
    today = timezone.localdate(at, event.tournament.zone)
    if len(days) > MOST_DAYS_OFFERED or any(not today <= day <= last for day in days):
        raise Refusal(
            "offer_out_of_range",
            _("Offer up to %(most)s days, from today to the last day on which the match can be played.")
            % {"most": MOST_DAYS_OFFERED},
            field="days",
        )
    if fixture.offers.filter(entry=entry).count() >= MOST_OFFERS:
        raise Conflict("offers_too_many", _("You have noted enough offers for this match."))
    written = [day.isoformat() for day in sorted(set(days))]
    offer = Offer.objects.create(fixture=fixture, entry=entry, days=written, made_at=at)
    said = {"side": side.value, "name": entry.name, "days": written, "entry": entry.pk}
    record_change(event, verb="offer_to_play", by=None, at=at, **fixture_details(fixture), match=match.pk, **said)
    return offer


def _require_deadline(event: Event, fixture: Fixture) -> date:
    """Return the deadline of the fixture, which has no result yet. Raises Conflict."""
    require_running(event)
    last = deadline_of(fixture, fixture.stage, event.tournament.zone)
    if last is None:
        raise Conflict("deadline_none", _("This match has no deadline."))
    decided = Scoresheet.objects.filter(match__in=_matches(fixture), state=SheetState.CONFIRMED)
    if decided.values("match").distinct().count() == len(_matches(fixture)):
        raise Conflict("match_has_a_result", _("This match has its result, so its deadline can no longer be moved."))
    return last


def _require_open(event: Event, fixture: Fixture, last: date, at: datetime) -> None:
    """Raise Conflict unless the day is ``last`` at most, and nobody has begun the fixture."""
    if timezone.localdate(at, event.tournament.zone) > last:
        raise Conflict("deadline_over", _("The deadline of this match has passed: ask the director."))
    sheets = Scoresheet.objects.filter(match__in=_matches(fixture), state__in=Scoresheet.OPEN)
    if sheets.exists() or Call.objects.filter(match__in=_matches(fixture), left_at=None).exists():
        raise Conflict("match_begun", _("This match has already begun."))


def _matches(fixture: Fixture) -> Sequence[int]:
    return [match.pk for match in fixture.matches.values()]


def _entry(fixture: Fixture, side: Side) -> Entry:
    entry = fixture.entry_a if side is Side.A else fixture.entry_b
    if entry is None:
        raise not_in_draw()
    return entry


def _checked_reason(reason: str) -> str:
    reason = one_line(reason)
    if not is_visible(reason):
        raise Refusal("reason_unprintable", _("The reason contains characters that cannot be shown."), field="reason")
    if not any(char.isalnum() for char in reason):
        raise Refusal("reason_missing", _("Give a reason: the log keeps it."), field="reason")
    if len(reason) > MAX_REASON:
        sentence = _("A reason can have at most %(most)s characters.") % {"most": MAX_REASON}
        raise Refusal("reason_too_long", sentence, field="reason")
    return reason


def _write(
    event: Event,
    fixture: Fixture,
    match: Match,
    *,
    last: date,
    play_by: date | None,
    extended_by: Sequence[int] | None = None,
    verb: str,
    by: User | None,
    at: datetime,
    **said: object,
) -> None:
    """Store the deadline and record it; the row keeps what was stored before, so that it can be restored."""
    before = fixture.play_by.isoformat() if fixture.play_by else None
    kept = {"fixture": fixture.pk, "play_by": before, "extended_by": fixture.extended_by}
    stored = {"play_by": play_by, "extended_by": list(fixture.extended_by if extended_by is None else extended_by)}
    Fixture.objects.filter(pk=fixture.pk).update(**stored)
    fixture.play_by = play_by
    now = deadline_of(fixture, fixture.stage, event.tournament.zone) or last
    days = [last.isoformat(), now.isoformat()]
    after = {**stored, "play_by": play_by.isoformat() if play_by else None}
    told = {**fixture_details(fixture), "match": match.pk, "last_day": days, "kept": kept, "after": after}
    record_change(event, verb=verb, by=by, at=at, **told, **said)
