"""Tournaments and events: made, changed before the draw, ended and reopened."""

import secrets
from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime
from functools import cache

from django.db import IntegrityError, models, transaction
from django.urls import URLResolver, get_resolver
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import SheetState
from players.errors import Conflict, Refusal, in_words
from players.models import User
from players.services import clean_name, fold_name
from rules.profiles import PROFILES
from tournament.changes.record import (
    begin_step,
    changes_between,
    lock_hall,
    record_change,
    record_in_tournament,
    refuse_odd_times,
    require_running,
)
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.models import Appointment, Event, Fixture, Role, Stage, Tournament
from tournament.models.event import BOARDS
from tournament.models.team import matches_in
from tournament.ranking.tiebreaks import DEFAULT_TIEBREAKS, MAX_TIEBREAKS, TIEBREAKS

MOST_CLOCK_MINUTES, MOST_CLOCK_DELAY = 30, 120
SLUG_ATTEMPTS = 5


@cache
def reserved_slugs() -> frozenset[str]:
    """The words that the pages of a tournament have in the place of an event's slug: no event has one of them."""
    resolvers = (one for one in get_resolver("tournament.pages.urls").url_patterns if isinstance(one, URLResolver))
    (tournament,) = (one for one in resolvers if "tournament_slug" in str(one.pattern))
    firsts = (str(page.pattern).removeprefix("^").partition("/")[0] for page in tournament.url_patterns)
    return frozenset(word for word in firsts if word == slugify(word) != "")


def _free_slug(name: str, taken: models.QuerySet, reserved: Set[str] = frozenset()) -> str:
    base = slugify(fold_name(name))[:60] or "x"
    used = set(taken.filter(slug__startswith=base).values_list("slug", flat=True)) | reserved
    if base not in used:
        return base
    return next(f"{base}-{number}" for number in range(2, len(used) + 3) if f"{base}-{number}" not in used)


@transaction.atomic
def create_tournament(*, name: str, starts_on: date, place: str = "", by: User, at: datetime) -> Tournament:
    """The tournament exists, and whoever made it owns it."""
    tournament = Tournament(name=clean_name(name), place=place.strip(), starts_on=starts_on, created_at=at)
    tournament.full_clean(exclude=["slug"])
    _save_under_free_slug(tournament)
    Appointment.objects.create(tournament=tournament, user=by, role=Role.OWNER, since=at)
    record_in_tournament(tournament, verb="create_tournament", by=by, at=at, name=tournament.name)
    return tournament


@transaction.atomic
def update_tournament(
    tournament: Tournament, *, name: str, starts_on: date, place: str = "", by: User, at: datetime
) -> Tournament:
    """The tournament has this name, place and first day; its address stays. Without a change nothing is logged."""
    tournament = lock_hall(tournament.pk)
    before = _facts_of(tournament)
    tournament.name, tournament.place, tournament.starts_on = clean_name(name), place.strip(), starts_on
    tournament.full_clean()
    tournament.save(update_fields=["name", "place", "starts_on"])
    changes = changes_between(before, _facts_of(tournament))
    if changes:
        record_in_tournament(tournament, verb="update_tournament", by=by, at=at, name=tournament.name, changes=changes)
    return tournament


def _facts_of(tournament: Tournament) -> dict[str, object]:
    return {"name": tournament.name, "place": tournament.place, "starts_on": tournament.starts_on.isoformat()}


def _save_under_free_slug(tournament: Tournament) -> None:
    """The tournament is stored; whoever takes the same slug at the same moment only makes this one take the next."""
    for attempt in range(1, SLUG_ATTEMPTS + 1):
        tournament.slug = _free_slug(tournament.name, Tournament.everything.all())
        try:
            with transaction.atomic():
                tournament.save()
        except IntegrityError:
            if attempt == SLUG_ATTEMPTS:
                raise
        else:
            return


def _check_terms(*, profile: str, format: str, options: Mapping[str, object], tiebreaks: Sequence[str]) -> Options:
    """The options as the format reads them. Raises Refusal for terms that no event can have."""
    if profile not in PROFILES:
        raise Refusal("profile_unknown", _("There is no rule profile “%(slug)s”.") % {"slug": profile})
    unknown = [slug for slug in tiebreaks if slug not in TIEBREAKS]
    if unknown:
        raise Refusal("tiebreak_unknown", _("There is no tie-break “%(slug)s”.") % {"slug": unknown[0]})
    if len(set(tiebreaks)) != len(tiebreaks):
        raise Refusal("tiebreak_twice", _("A tie-break is named twice."))
    if len(tiebreaks) > MAX_TIEBREAKS:
        raise Refusal("tiebreaks_too_many", _("An event has at most %(limit)s tie-breaks.") % {"limit": MAX_TIEBREAKS})
    return check_options(format, options)


def _check_clock(minutes: int | None, delay: int | None) -> dict[str, int | None]:
    """The columns of an event's clock; with minutes alone there is no delay. Raises Refusal for what no clock shows."""
    if minutes is None:
        if delay is not None:
            raise Refusal("clock_incomplete", _("Say how many minutes a point the clock gives."))
        return {"clock_minutes": None, "clock_delay": None}
    if not 1 <= minutes <= MOST_CLOCK_MINUTES:
        sentence = _("A clock gives 1 to %(limit)s minutes a point.")
        raise Refusal("clock_out_of_range", sentence % {"limit": MOST_CLOCK_MINUTES})
    if not 0 <= (delay or 0) <= MOST_CLOCK_DELAY:
        sentence = _("A clock waits 0 to %(limit)s seconds.")
        raise Refusal("clock_out_of_range", sentence % {"limit": MOST_CLOCK_DELAY})
    return {"clock_minutes": minutes, "clock_delay": delay or 0}


def _check_boards(boards: int, *, doubles: bool) -> None:
    if boards not in BOARDS:
        raise Refusal(
            "boards_not_odd",
            _(
                "Teams have 3, 5, 7 or 9 boards, not %(boards)s: the number is odd, so that two teams that meet have a "
                "winner. 1 is for players or pairs."
            )
            % {"boards": boards},
        )
    if boards > 1 and doubles:
        raise Refusal("teams_of_pairs", _("An event is for teams or for pairs, not for both."))


def check_options(format: str, options: Mapping[str, object]) -> Options:
    """The options as the format reads them. Raises Refusal for a format that there is not, or options it has not."""
    if format not in FORMATS:
        raise Refusal("format_unknown", _("There is no format “%(slug)s”.") % {"slug": format})
    try:
        return parse_options(format, options)
    except PlanError as error:
        raise Refusal(error.code, in_words(error)) from error


@transaction.atomic
def create_event(
    tournament: Tournament,
    *,
    name: str,
    format: str,
    options: Mapping[str, object],
    profile: str = "wbgf",
    crawford: bool = True,
    doubles: bool = False,
    boards: int = 1,
    tiebreaks: Sequence[str] | None = None,
    starts_at: datetime | None = None,
    clock_minutes: int | None = None,
    clock_delay: int | None = None,
    seed: str | None = None,
    by: User | None,
    at: datetime,
) -> Event:
    """The event takes entries; its draw has a secret seed, made here unless given, whose hash is public from now on.

    ``options`` are the format's, see :class:`tournament.formats.plan.Options`: ``lengths`` from the final backwards.
    ``boards`` above 1 is how many a team has.
    """
    lock_hall(tournament.pk)
    chosen = list(DEFAULT_TIEBREAKS if tiebreaks is None else tiebreaks)
    parsed = _check_terms(profile=profile, format=format, options=options, tiebreaks=chosen)
    clock = _check_clock(clock_minutes, clock_delay)
    refuse_odd_times(starts_at)
    _check_boards(boards, doubles=doubles)
    name = clean_name(name)
    event = Event(
        tournament=tournament,
        name=name,
        slug=_free_slug(name, Event.everything.filter(tournament=tournament), reserved_slugs()),
        profile=profile,
        crawford=crawford,
        doubles=doubles,
        boards=boards,
        tiebreaks=chosen,
        starts_at=starts_at,
        **clock,
        created_at=at,
    )
    event.full_clean()
    event.save()
    stage = Stage(event=event, format=format, options=parsed.as_dict(), seed=seed or secrets.token_hex(16))
    stage.full_clean()
    stage.save()
    record_change(event, verb="create_event", by=by, at=at, name=name, terms=_kept_terms(event, stage))
    return event


@transaction.atomic
def update_event(
    event: Event,
    *,
    name: str,
    format: str,
    options: Mapping[str, object],
    profile: str,
    crawford: bool,
    doubles: bool = False,
    boards: int = 1,
    tiebreaks: Sequence[str],
    starts_at: datetime | None = None,
    clock_minutes: int | None = None,
    clock_delay: int | None = None,
    by: User | None,
    at: datetime,
) -> Event:
    """The event has new terms. After the draw only its name, tie-breaks, clock and start may change, after its end
    nothing.

    Raises Conflict otherwise.
    """
    event, at = begin_step(event, at)
    require_running(event)
    stage = event.stages.get(number=1)
    parsed = _check_terms(profile=profile, format=format, options=options, tiebreaks=tiebreaks)
    _check_boards(boards, doubles=doubles)
    before = _terms_of(event, stage)
    drawn_terms = (event.profile, event.crawford, stage.format, parse_options(stage.format, stage.options))
    if stage.drawn_at is not None and drawn_terms != (profile, crawford, format, parsed):
        raise Conflict(
            "event_drawn",
            _("After the draw only name, tie-breaks, clock and start may change. Take the draw back first."),
        )
    if (doubles, boards) != (event.doubles, event.boards) and event.entries.exists():
        raise Conflict(
            "event_has_entries",
            _(
                "Players are entered already: take them out before the event becomes one for players, for pairs, or "
                "for teams of so many boards."
            ),
        )
    event.name = clean_name(name)
    event.profile, event.crawford, event.tiebreaks = profile, crawford, list(tiebreaks)
    event.doubles, event.boards = doubles, boards
    refuse_odd_times(starts_at)
    event.starts_at = starts_at
    for column, value in _check_clock(clock_minutes, clock_delay).items():
        setattr(event, column, value)
    event.full_clean()
    event.save()
    stage.format, stage.options = format, parsed.as_dict()
    stage.full_clean()
    stage.save()
    changes = changes_between(before, _terms_of(event, stage))
    terms = _kept_terms(event, stage)
    record_change(event, verb="update_event", by=by, at=at, name=event.name, changes=changes, terms=terms)
    return event


TERMS = ("profile", "crawford", "doubles", "boards", "tiebreaks")


def _terms_of(event: Event, stage: Stage) -> dict[str, object]:
    terms = {name: getattr(event, name) for name in TERMS}
    return {"name": event.name, "format": stage.format, **stage.options, **terms}


def _kept_terms(event: Event, stage: Stage) -> dict[str, object]:
    """All terms of the event, as the log keeps them: enough to make it again."""
    terms = {name: getattr(event, name) for name in ("name", *TERMS, "clock_minutes", "clock_delay")}
    starts_at = event.starts_at.isoformat() if event.starts_at else None
    return {**terms, "starts_at": starts_at, "format": stage.format, "options": stage.options}


@transaction.atomic
def finish_event(event: Event, *, by: User | None, at: datetime) -> Event:
    """The event has ended: its results stand, and the ranking lists are computed anew.

    Raises Conflict while a match is open, saying how many are.
    """
    event, at = begin_step(event, at)
    if event.finished_at is not None:
        return event
    if event.stages.filter(number=1, drawn_at__isnull=True).exists():
        raise Conflict("event_not_drawn", _("This event has not been drawn: there is nothing to end."))
    undrawn = event.stages.filter(drawn_at__isnull=True).first()
    if undrawn is not None:
        raise Conflict(
            "stage_not_drawn",
            _("Stage %(number)s has not been drawn: draw it or take it out.") % {"number": undrawn.number},
        )
    undecided = matches_in(event).exclude(sheets__state=SheetState.CONFIRMED).count()
    fixtures = Fixture.objects.filter(stage__event=event, match__isnull=True, boards__isnull=True)
    waiting = fixtures.exclude(feed_a="bye").exclude(feed_b="bye").count()
    if undecided or waiting:
        raise Conflict(
            "event_has_open_matches",
            ngettext(
                "%(count)s match has no result yet: an event ends when all have one.",
                "%(count)s matches have no result yet: an event ends when all have one.",
                undecided + waiting,
            )
            % {"count": undecided + waiting},
        )
    event.finished_at = at
    event.save(update_fields=["finished_at"])
    record_change(event, verb="finish_event", by=by, at=at)
    return event


@transaction.atomic
def reopen_event(event: Event, *, by: User | None, at: datetime) -> Event:
    """The event runs again, so that a result can be corrected."""
    event, at = begin_step(event, at)
    if event.finished_at is None:
        return event
    event.finished_at = None
    event.save(update_fields=["finished_at"])
    record_change(event, verb="reopen_event", by=by, at=at)
    return event
