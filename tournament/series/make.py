"""Making and changing series: for the officers of the federation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, in_words
from players.models import Federation, User
from players.parameters import ParameterError
from players.points import build_points
from players.registry.roles import require_federation
from players.services import clean_name
from players.slugs import chosen_slug, taken
from tournament.models import Event, Series, SeriesEvent

MOST_EVENTS = 100
MOST_NUMBER = 1000
"""The highest number of results, divisions and places."""
MOST_WEIGHT = 10_000
"""In hundredths."""
_ASIDE = 10 * MOST_EVENTS
"""How far rows step aside while others move: no two ever have one number."""


@dataclass(frozen=True, slots=True)
class SeriesData:
    """A series as it is typed; ``points`` is one of :data:`players.points.POINTS`."""

    name: str
    points: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    best: int | None = None
    members_only: bool = False


@transaction.atomic
def make_series(federation: Federation, data: SeriesData, *, slug: str = "", by: User | None, at: datetime) -> Series:
    """Make a series without events. Raises Forbidden, Refusal, and Conflict for an address that is taken."""
    federation = _locked(federation)
    require_federation(by, federation)
    made = _filled(Series(federation=federation, made_at=at), data)
    made.slug = chosen_slug(slug, made.name, most=40)
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError as error:
        sentence = _("The federation has a series with this address already.")
        raise taken("series_exists", sentence, slug=slug, made=made.slug) from error
    return made


@transaction.atomic
def change_series(series: Series, data: SeriesData, *, by: User | None) -> Series:
    """Store what the series is from now on; its address stays. Raises Forbidden and Refusal."""
    series = _filled(_held(series, by=by), data)
    series.save()
    return series


@transaction.atomic
def delete_series(series: Series, *, by: User | None) -> None:
    """Delete the series with its list of events; the events themselves stay. Raises Forbidden, and Conflict if gone."""
    _held(series, by=by).delete()


@transaction.atomic
def add_series_event(
    series: Series,
    event: Event,
    *,
    number: int | None = None,
    division: int = 1,
    weight: int = 100,
    designated: int | None = None,
    by: User | None,
) -> SeriesEvent:
    """Add an event at the place ``number``, or as the last; those after it move on.

    Raises Forbidden, Refusal for what no event of a series can be, and Conflict for one that is in it already.
    """
    series = _held(series, by=by)
    if event.doubles or event.has_teams:
        raise Refusal(
            "series_event_of_many",
            _("A series is of events for single players, not for pairs or teams."),
            field="event",
        )
    _check_terms(division, weight, designated)
    rows = SeriesEvent.objects.filter(series=series)
    if rows.filter(event=event).exists():
        raise Conflict("series_event_twice", _("This event is in the series already."), field="event")
    last = rows.aggregate(last=Max("number"))["last"] or 0
    if last >= MOST_EVENTS:
        sentence = _("A series has at most %(limit)s events.")
        raise Conflict("series_events_too_many", sentence % {"limit": MOST_EVENTS})
    number = last + 1 if number is None else number
    _within("number", number, 1, last + 1)
    _move(series, number, by=1)
    return SeriesEvent.objects.create(
        series=series, event=event, number=number, division=division, weight=weight, designated=designated
    )


@transaction.atomic
def change_series_event(
    row: SeriesEvent, *, number: int, division: int, weight: int, designated: int | None, by: User | None
) -> SeriesEvent:
    """Store what the series says of an event of it, and move the event to the place ``number``.

    Raises Forbidden, Refusal, and Conflict if it has gone.
    """
    require_federation(by, _locked(row.series.federation))
    found = _present(row)
    _check_terms(division, weight, designated)
    _within("number", number, 1, SeriesEvent.objects.filter(series=found.series_id).count())
    found.division, found.weight, found.designated = division, weight, designated
    if number != found.number:
        before, found.number = found.number, _ASIDE
        found.save()
        _move(row.series, before + 1, by=-1, but=found)
        _move(row.series, number, by=1, but=found)
    found.number = number
    found.save()
    return found


@transaction.atomic
def remove_series_event(row: SeriesEvent, *, by: User | None) -> None:
    """Take an event out of its series; those after it move up. Raises Forbidden, and Conflict if it has gone."""
    require_federation(by, _locked(row.series.federation))
    found = _present(row)
    found.delete()
    _move(row.series, found.number + 1, by=-1)


def _present(row: SeriesEvent) -> SeriesEvent:
    found = SeriesEvent.objects.filter(pk=row.pk).first()
    if found is None:
        raise Conflict("series_event_gone", _("This event is no longer in the series."))
    return found


def _check_terms(division: int, weight: int, designated: int | None) -> None:
    _within("division", division, 1, MOST_NUMBER)
    _within("weight", weight, 0, MOST_WEIGHT)
    if designated is not None:
        _within("designated", designated, 1, MOST_NUMBER)


def _move(series: Series, first: int, *, by: int, but: SeriesEvent | None = None) -> None:
    """Move the events from this number on, ``but`` one; they step aside, so that each statement keeps numbers apart."""
    rows = SeriesEvent.objects.filter(series=series)
    rows = rows.exclude(pk=but.pk) if but else rows
    rows.filter(number__gte=first).update(number=F("number") + _ASIDE)
    rows.filter(number__gt=_ASIDE).update(number=F("number") - _ASIDE + by)


def _filled(series: Series, data: SeriesData) -> Series:
    try:
        system = build_points(data.points, data.parameters)
    except ParameterError as error:
        field = f"parameters.{error.field}" if error.field else "points"
        raise Refusal(error.code, in_words(error), field=field) from error
    if data.best is not None:
        _within("best", data.best, 1, MOST_NUMBER)
    series.name, series.points, series.parameters = clean_name(data.name), data.points, system.as_dict()
    series.best, series.members_only = data.best, data.members_only
    return series


def _within(field: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        sentence = _("This is a number from %(least)s to %(most)s.")
        raise Refusal("number_out_of_range", sentence % {"least": least, "most": most}, field=field)


def _held(series: Series, *, by: User | None) -> Series:
    """Return the series as it is, with its federation locked. Raises Forbidden, and Conflict if it has gone."""
    require_federation(by, _locked(series.federation))
    found = Series.objects.select_for_update(of=("self",)).select_related("federation").filter(pk=series.pk).first()
    if found is None:
        raise Conflict("series_gone", _("This series has been deleted."))
    return found


def _locked(federation: Federation) -> Federation:
    return Federation.objects.select_for_update(of=("self",)).get(pk=federation.pk)
