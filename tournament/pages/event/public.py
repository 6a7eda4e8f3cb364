"""The pages of an event that everybody may read."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.changes.topics import tournament_topic
from tournament.corrections.undo import MOST_STEPS, undoable
from tournament.draw.closings import closings_of
from tournament.draw.moves import changes_held
from tournament.hall.announcements import current as announced
from tournament.hall.desk import take_desk
from tournament.hall.waiting import with_waits
from tournament.log.public import as_public
from tournament.log.words import PUBLIC_VERBS
from tournament.models import Event, LogEntry, Tournament
from tournament.pages.event.ladder import ChallengeForm, rung_lines
from tournament.pages.following import find_event, find_tournament, page_of
from tournament.pages.topical import topic_page
from tournament.past.closings import closings_at
from tournament.past.moments import moment_of, shows_the_past
from tournament.past.taken_back import draws_taken_back
from tournament.pictures.beside import Beside, beside_of
from tournament.pictures.draw import draw_pictures
from tournament.pictures.prizes import prizes_of_event
from tournament.pictures.screen import rounds_on_wall, rungs_on_wall, screen_parts, standings_on_wall
from tournament.roles.permissions import actions_of, may_merge_these
from tournament.snapshot import EventSnapshot, FixtureState, take_snapshots


@require_safe
def tournament(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    found = find_tournament(tournament_slug)
    allowed = actions_of(request.user, found)

    def context() -> dict[str, object]:
        events = take_snapshots(found.events.order_by("id"))
        return {
            "tournament": found,
            "events": events,
            "findable": [event for event in events if event.entries and event.finished_at is None],
            "taken_back": draws_taken_back(found),
            "announcements": announced(found, None, timezone.now()),
            "may": allowed,
            "today": timezone.localdate(),
        }

    topic = tournament_topic(found.pk)
    return topic_page(request, template="event/tournament", follows=[topic], context=context, allowed=allowed)


@shows_the_past
@require_safe
def pairings(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    return pairings_page(request, find_event(tournament_slug, event_slug))


def pairings_page(
    request: HttpRequest, event: Event, *, challenge_form: ChallengeForm | None = None, status: int = 200
) -> HttpResponse:
    """Answer with the pairings; a form for a challenge that was refused comes back as it was typed."""
    allowed = actions_of(request.user, event)

    def context(snapshot: EventSnapshot) -> dict[str, object]:
        may_challenge = "make_challenge" in allowed and snapshot.at is None and snapshot.finished_at is None
        challenging = may_challenge and snapshot.stage.rungs and "fragment" not in request.GET
        form = {"challenge_form": challenge_form or ChallengeForm(event=event)} if challenging else {}
        back = {"follow": reverse("pairings", args=[event.tournament.slug, event.slug])} if challenge_form else {}
        return {**_pairings(event.tournament, snapshot), **form, **back}

    page = page_of(
        request,
        event,
        allowed=allowed,
        template="event/pairings",
        context=context,
        shows_the_hall=True,
    )
    page.status_code = status if page.status_code == 200 else page.status_code
    return page


def _pairings(tournament: Tournament, snapshot: EventSnapshot) -> dict[str, object]:
    seen = with_waits(tournament, snapshot)
    stage = seen.stage
    ready = stage.in_state(FixtureState.READY)
    done = stage.in_state(FixtureState.DONE)[::-1]
    return {
        "live": stage.in_state(FixtureState.LIVE),
        "ready": [fixture for fixture in ready if fixture.waits_for is None],
        "busy": [fixture for fixture in ready if fixture.waits_for is not None],
        "waiting": stage.in_state(FixtureState.WAITING),
        "done": [fixture for fixture in done if not fixture.is_void],
        "void": [fixture for fixture in done if fixture.is_void],
        "ladder": rung_lines(stage, timezone.localdate()),
        "byes": [fixture for fixture in stage.in_state(FixtureState.BYE) if fixture.entry_ids],
        "beside": _beside(tournament, seen),
    }


def _beside(tournament: Tournament, snapshot: EventSnapshot) -> Beside | None:
    """Return what stands beside the draw while it is played."""
    if snapshot.at is not None or snapshot.finished_at is not None or not snapshot.is_drawn:
        return None
    return beside_of(take_desk(tournament, at=timezone.now()), snapshot)


@shows_the_past
@require_safe
def bracket(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event = find_event(tournament_slug, event_slug)
    return page_of(
        request,
        event,
        allowed=actions_of(request.user, event),
        template="event/bracket",
        context=partial(_bracket, request, event),
        shows_the_hall=True,
    )


def _bracket(request: HttpRequest, event: Event, snapshot: EventSnapshot) -> dict[str, object]:
    moment = moment_of(request, event)
    closings = closings_of(event) if moment is None else closings_at(event, moment)
    seen = with_waits(event.tournament, snapshot)
    return {
        "pictures": draw_pictures(seen),
        "beside": _beside(event.tournament, seen),
        "ladder": rung_lines(snapshot.stage, timezone.localdate()),
        "closings": closings,
        "hand_changes": changes_held(event, snapshot.stage.number, moment.at if moment else None),
    }


@shows_the_past
@require_safe
def screen(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show only the pictures of the draw, in parts that fill the screen, for a projector in the hall."""
    event = find_event(tournament_slug, event_slug)
    return page_of(
        request,
        event,
        allowed=frozenset(),
        template="event/screen",
        context=partial(_parts, event.tournament),
        shows_the_hall=True,
    )


def _parts(tournament: Tournament, snapshot: EventSnapshot) -> dict[str, object]:
    seen = with_waits(tournament, snapshot)
    parts, rounds = screen_parts(seen), rounds_on_wall(seen)
    return {
        "parts": parts,
        "rounds": rounds,
        "standings": standings_on_wall(snapshot.stage.standings, beside=max(2 * len(parts), len(rounds))),
        "prizes": prizes_of_event(snapshot) if snapshot.at is None else (),
        "ladder": rungs_on_wall(snapshot.stage.rungs),
    }


@shows_the_past
@require_safe
def history(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event = find_event(tournament_slug, event_slug)
    allowed = actions_of(request.user, event)

    def context(_snapshot: EventSnapshot) -> dict[str, object]:
        rows = LogEntry.objects.filter(event=event, verb__in=PUBLIC_VERBS).select_related("actor")
        moment = moment_of(request, event)
        if moment is not None:
            rows = rows.filter(pk__lte=moment.row) if moment.row else rows.filter(at__lte=moment.at)
        newest = list(event.log.all()[:MOST_STEPS])
        merges = {row.pk: row.detail.get("ids", ()) for row in newest if row.verb == "merge_players"}
        return {
            "log": as_public(rows[:500], allowed),
            "undoable": undoable(newest) - (merges.keys() - may_merge_these(request.user, merges)),
        }

    return page_of(request, event, allowed=allowed, template="event/history", context=context, is_personal=True)
