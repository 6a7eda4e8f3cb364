"""Tournaments and events: created, changed before the draw, ended and reopened."""

from collections.abc import Set
from datetime import date, datetime
from functools import cache
from typing import Any

from django.db import IntegrityError, models, transaction
from django.urls import URLResolver, get_resolver
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import SheetState
from players.errors import Conflict
from players.models import User
from players.services import clean_name
from players.slugs import slug_of
from tournament.changes.record import (
    begin_step,
    changes_between,
    lock_hall,
    record_change,
    record_in_tournament,
    require_running,
)
from tournament.draw.lots import begin_chain
from tournament.draw.public_value import require_entries_open
from tournament.draw.rates import count_open_rates
from tournament.events.days import check_last_day, check_zone, last_day_from
from tournament.events.declaring import date_declaration, refuse_once_drawn
from tournament.events.terms import (
    DECLARED,
    EventTerms,
    check_terms,
    kept_terms,
    refuse_drawn_matches,
    refuse_rate_points_of_teams,
    set_terms,
    terms_of,
)
from tournament.formats import parse_options
from tournament.models import Appointment, Event, Fixture, Role, Stage, Tournament
from tournament.models.team import matches_in
from tournament.reporting.reports import send_reports, tell_of_end

SLUG_ATTEMPTS = 5


@cache
def reserved_slugs() -> frozenset[str]:
    """Return the words that a tournament's pages use where an event has its slug; no event may use one of them."""
    resolvers = (one for one in get_resolver("tournament.pages.urls").url_patterns if isinstance(one, URLResolver))
    (tournament,) = (one for one in resolvers if "tournament_slug" in str(one.pattern))
    firsts = (str(page.pattern).removeprefix("^").partition("/")[0] for page in tournament.url_patterns)
    return frozenset(word for word in firsts if word == slugify(word) != "")


def _free_slug(name: str, taken: models.QuerySet, reserved: Set[str] = frozenset()) -> str:
    base = slug_of(name, most=60) or "x"
    used = set(taken.filter(slug__startswith=base).values_list("slug", flat=True)) | reserved
    if base not in used:
        return base
    return next(f"{base}-{number}" for number in range(2, len(used) + 3) if f"{base}-{number}" not in used)


@transaction.atomic
def create_tournament(
    *,
    name: str,
    starts_on: date,
    ends_on: date | None = None,
    place: str = "",
    time_zone: str = "",
    copy_of: str = "",
    by: User,
    at: datetime,
) -> Tournament:
    """Create a tournament, owned by the user creating it.

    It is over in one day without a last day, and its times are those of the server without a time zone. ``copy_of``
    names the tournament that it repeats, for the log. Raises Refusal for days or a zone that no tournament can have.
    """
    tournament = Tournament(
        name=clean_name(name),
        place=place.strip(),
        starts_on=starts_on,
        ends_on=check_last_day(starts_on, ends_on),
        time_zone=check_zone(time_zone),
        created_at=at,
    )
    tournament.full_clean(exclude=["slug"])
    _save_under_free_slug(tournament)
    Appointment.objects.create(tournament=tournament, user=by, role=Role.OWNER, since=at)
    detail: dict[str, Any] = {"copy_of": copy_of} if copy_of else {}
    record_in_tournament(tournament, verb="create_tournament", by=by, at=at, name=tournament.name, **detail)
    return tournament


@transaction.atomic
def update_tournament(
    tournament: Tournament,
    *,
    name: str,
    starts_on: date,
    ends_on: date | None = None,
    place: str = "",
    time_zone: str | None = None,
    by: User,
    at: datetime,
) -> Tournament:
    """Set the tournament's name, place, days and time zone; its address stays. If nothing changes, nothing is logged.

    Without a last day it lasts as many days as before, and without a time zone it keeps its own. Raises Refusal for
    days or a zone that no tournament can have.
    """
    tournament = lock_hall(tournament.pk)
    before = _facts_of(tournament)
    tournament.ends_on = check_last_day(starts_on, ends_on or last_day_from(tournament, starts_on))
    tournament.name, tournament.place, tournament.starts_on = clean_name(name), place.strip(), starts_on
    tournament.time_zone = tournament.time_zone if time_zone is None else check_zone(time_zone)
    tournament.full_clean()
    tournament.save(update_fields=["name", "place", "starts_on", "ends_on", "time_zone"])
    changes = changes_between(before, _facts_of(tournament))
    if changes:
        record_in_tournament(tournament, verb="update_tournament", by=by, at=at, name=tournament.name, changes=changes)
    return tournament


def _facts_of(tournament: Tournament) -> dict[str, object]:
    return {
        "name": tournament.name,
        "place": tournament.place,
        "starts_on": tournament.starts_on.isoformat(),
        "ends_on": tournament.last_day.isoformat(),
        "time_zone": tournament.time_zone,
    }


def _save_under_free_slug(tournament: Tournament) -> None:
    """Store the tournament under the next free slug if another takes the same one at the same moment."""
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


@transaction.atomic
def create_event(
    tournament: Tournament,
    terms: EventTerms,
    *,
    nonce: str | None = None,
    copy_of: str = "",
    by: User | None,
    at: datetime,
) -> Event:
    """Create an event on these terms, open for entries from now on.

    The chain of its draws begins here, with a ``nonce`` made here unless given; its anchor is public at once.
    ``copy_of`` names the event or template whose settings it has, for the log.
    """
    lock_hall(tournament.pk)
    terms = check_terms(terms)
    slug = _free_slug(terms.name, Event.everything.filter(tournament=tournament), reserved_slugs())
    event = Event(tournament=tournament, slug=slug, created_at=at)
    stage = Stage()
    set_terms(event, stage, terms)
    date_declaration(event, (), at=at)
    _save_terms(event, stage)
    chain = begin_chain(event, at=at, nonce=nonce)
    detail = {"copy_of": copy_of} if copy_of else {}
    kept = {"terms": kept_terms(terms), "anchor": chain.anchor}
    record_change(event, verb="create_event", by=by, at=at, name=event.name, **kept, **detail)
    return event


@transaction.atomic
def update_event(event: Event, terms: EventTerms, *, by: User | None, at: datetime) -> Event:
    """Give the event new terms.

    After the draw only its name, tie-breaks, clock, start and what it says of reports and phones may change, and
    nothing once it has ended. Raises Refusal for terms that no event can have, Conflict for a change that comes too
    late.
    """
    event, at = begin_step(event, at)
    require_running(event)
    stage = event.stages.get(number=1)
    terms, before = check_terms(terms), terms_of(event, stage)
    if stage.drawn_at is not None and _drawn_by(terms) != _drawn_by(before):
        raise Conflict(
            "event_drawn",
            _(
                "After the draw, only the name, tie-breaks, clock, start time, reports and phones can be changed. "
                "Take the draw back first."
            ),
        )
    if stage.drawn_at is not None and _declared(terms) != _declared(before):
        raise refuse_once_drawn()
    if _documented(terms) != _documented(before):
        require_entries_open(event)
    if (terms.doubles, terms.boards) != (before.doubles, before.boards) and event.entries.exists():
        raise Conflict(
            "event_has_entries",
            _(
                "The event already has entries. Remove them before switching between players, pairs and teams, or "
                "changing the number of boards."
            ),
        )
    for later in event.stages.exclude(number=1):
        refuse_drawn_matches(later.format, terms.boards)
        refuse_rate_points_of_teams(parse_options(later.format, later.options), terms.boards)
    set_terms(event, stage, terms)
    date_declaration(event, before.rated_for, at=at)
    _save_terms(event, stage)
    changes = changes_between(_named(before), _named(terms))
    record_change(event, verb="update_event", by=by, at=at, name=event.name, changes=changes, terms=kept_terms(terms))
    return event


def _save_terms(event: Event, stage: Stage) -> None:
    """Store the event together with its first stage."""
    event.full_clean()
    event.save()
    stage.event = event
    stage.full_clean()
    stage.save()


def _drawn_by(terms: EventTerms) -> tuple[object, ...]:
    """Return the terms on which a draw depends; they cannot change while the draw stands."""
    return terms.public_source, terms.profile, terms.crawford, terms.format, parse_options(terms.format, terms.options)


def _declared(terms: EventTerms) -> tuple[object, ...]:
    """Return what the event declares to those who keep the official lists."""
    return list(terms.rated_for), terms.event_class, terms.online


def _documented(terms: EventTerms) -> tuple[object, ...]:
    """Return the terms that the document of a draw names; they cannot change while entries are closed for it."""
    return terms.name, terms.doubles, terms.boards, list(terms.tiebreaks), *_drawn_by(terms)


def _named(terms: EventTerms) -> dict[str, object]:
    """Return the terms whose changes the log names, each option of the format separately."""
    chosen = {
        name: getattr(terms, name)
        for name in (
            *("profile", "crawford", "doubles", "boards", "tiebreaks", "public_source"),
            *("phones", "confirm_minutes", "shows_chances", *DECLARED),
        )
    }
    return {"name": terms.name, "format": terms.format, **terms.options, **chosen}


@transaction.atomic
def finish_event(event: Event, *, confirmed: bool = False, by: User | None, at: datetime) -> Event:
    """End the event: its results stand, the ranking lists are recomputed, and its reports go to the official lists.

    Raises Conflict while matches are open, saying how many, and (``rates_open``) while error rates that count are
    missing, unless it is ``confirmed`` that the event ends without them.
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
            _("Stage %(number)s has not been drawn: draw it or remove it.") % {"number": undrawn.number},
        )
    undecided = matches_in(event).exclude(sheets__state=SheetState.CONFIRMED).count()
    fixtures = Fixture.objects.filter(stage__event=event, match__isnull=True, boards__isnull=True)
    waiting = fixtures.exclude(feed_a="bye").exclude(feed_b="bye").count()
    if undecided or waiting:
        raise Conflict(
            "event_has_open_matches",
            ngettext(
                "%(count)s match has no result yet. The event can end once every match has one.",
                "%(count)s matches have no result yet. The event can end once every match has one.",
                undecided + waiting,
            )
            % {"count": undecided + waiting},
        )
    rates = count_open_rates(event)
    if rates and not confirmed:
        raise Conflict(
            "rates_open",
            ngettext(
                "%(count)s match has no error rates yet. Enter them, or confirm that the event ends without them.",
                "%(count)s matches have no error rates yet. Enter them, or confirm that the event ends without them.",
                rates,
            )
            % {"count": rates},
        )
    event.finished_at = at
    event.save(update_fields=["finished_at"])
    send_reports(event, by=by, at=at)
    tell_of_end(event, at=at)
    record_change(event, verb="finish_event", by=by, at=at, **({"rates_open": rates} if rates else {}))
    return event


@transaction.atomic
def reopen_event(event: Event, *, by: User | None, at: datetime) -> Event:
    """Reopen the event, so that a result can be corrected."""
    event, at = begin_step(event, at)
    if event.finished_at is None:
        return event
    event.finished_at = None
    event.save(update_fields=["finished_at"])
    record_change(event, verb="reopen_event", by=by, at=at)
    return event
