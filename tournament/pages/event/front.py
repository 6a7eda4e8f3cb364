"""The home page: what is being played now, what comes next, who won last, and the search."""

from dataclasses import dataclass, replace
from datetime import date
from zoneinfo import ZoneInfo

from django.core.paginator import Paginator
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from players.lists.models import OfficialList
from players.models import Federation
from players.registry.find import find_players
from players.registry.roles import people_of, reach_of
from players.services import fold_name
from tournament.backup.folder import kept_backups
from tournament.backup.keep import is_late
from tournament.career.winners import last_winners
from tournament.models import Event, LogEntry, Role, Tournament
from tournament.pages.rules.last_record import last_record, newest_record
from tournament.pages.topical import topic_page
from tournament.pictures.draw import address_of, round_name
from tournament.snapshot import EventSnapshot, FixtureState, take_snapshots
from tournament.snapshot.cards import Card, card_of

TOURNAMENTS_ON_A_PAGE = 50
MOST_EVENTS, MOST_CARDS, MOST_WINNERS, MOST_FOUND = 3, 6, 6, 20
KINDS = ("live", "called", "disputed")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    signed_in = request.user.is_authenticated
    record = newest_record()
    kept = _federations_of(request)
    people = [] if kept else people_of(request.user)
    backup_is_late = request.user.is_superuser and is_late(kept_backups(), at=timezone.now())

    def context() -> dict[str, object]:
        today = timezone.localdate()
        tournaments = Tournament.objects.prefetch_related("events__stages")
        page = Paginator(tournaments, TOURNAMENTS_ON_A_PAGE).get_page(request.GET.get("page"))
        running = [found for found in page if any(_is_running(event) for event in found.events.all())]
        coming = [found for found in page if found not in running and _is_coming(found, today)][::-1]
        others = [found for found in page if found not in running and found not in coming]
        shown = {"running": running, "coming": coming, "others": others, "page": page, "signed_in": signed_in}
        if page.number == 1:
            cards = cards_now()
            shown |= {"cards": cards[:MOST_CARDS], "more": max(len(cards) - MOST_CARDS, 0)}
            shown |= {"winners": last_winners(MOST_WINNERS), "record": record and last_record(record)}
        if "fragment" not in request.GET:
            shown |= {"deleted": _deleted_of(request), "backup_is_late": backup_is_late, "kept": kept, "people": people}
        return shown

    allowed: list[object] = [*(["sign_out"] if signed_in else []), *(["see_late_backup"] if backup_is_late else [])]
    allowed += [("keeps", one.code, one.name, [(each.slug, each.name) for each in one.lists]) for one in kept]
    allowed += [("is", one.pk, one.name) for one in people]
    return topic_page(request, template="event/home", follows=["all"], about=record, context=context, allowed=allowed)


def cards_now() -> list[Card]:
    """Return the cards of the matches in play or called, of the few running events in which something happened last."""
    newest = LogEntry.objects.filter(event=OuterRef("pk")).order_by("-id").values("id")[:1]
    drawn = Event.objects.filter(finished_at=None, stages__number=1, stages__drawn_at__isnull=False)
    latest = drawn.annotate(newest=Subquery(newest)).order_by("-newest", "-pk").values_list("pk", flat=True)
    events = Event.objects.filter(pk__in=list(latest[:MOST_EVENTS])).select_related("tournament")
    zones = {event.pk: event.tournament.zone for event in events}
    snapshots = take_snapshots(Event.objects.filter(pk__in=zones))
    found = [card for snapshot in snapshots for card in _cards_of(snapshot, zones[snapshot.id])]
    return sorted(found, key=lambda card: (KINDS.index(card.kind), not card.has_score))


def _cards_of(snapshot: EventSnapshot, zone: ZoneInfo) -> list[Card]:
    stage = snapshot.stage
    cards = (
        card_of(fixture, round=round_name(stage, fixture), event=snapshot.name, address=address_of(snapshot, fixture))
        for fixture in reversed(stage.in_state(FixtureState.LIVE, FixtureState.READY))
    )
    return [
        replace(card, called_at=card.called_at and card.called_at.astimezone(zone).replace(tzinfo=None))
        for card in cards
        if card.kind in KINDS
    ]


@dataclass(frozen=True, slots=True)
class Kept:
    """A federation of which the visitor is an officer, with its official lists."""

    code: str
    name: str
    lists: tuple[OfficialList, ...]


def _federations_of(request: HttpRequest) -> list[Kept]:
    """Return the federations of which the visitor is an officer; an administrator keeps all, and is shown none."""
    reach = reach_of(request.user)
    if not reach.federations:
        return []
    found = Federation.objects.filter(pk__in=reach.federations).prefetch_related("official_lists")
    return [Kept(one.code, one.name, tuple(one.official_lists.all())) for one in found]


def _deleted_of(request: HttpRequest) -> list[Tournament]:
    """Return the visitor's own deleted tournaments."""
    if not request.user.is_authenticated:
        return []
    owned = Tournament.everything.filter(appointments__user=request.user, appointments__role=Role.OWNER)
    return list(owned.exclude(deleted_at=None))


def _is_coming(tournament: Tournament, today: date) -> bool:
    """Whether the tournament has something to be played still, or nothing yet."""
    events = list(tournament.events.all())
    return tournament.last_day >= today and (not events or any(event.finished_at is None for event in events))


def _is_running(event: Event) -> bool:
    return event.finished_at is None and any(stage.drawn_at is not None for stage in event.stages.all())


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Find players and tournaments whose names have this text in them."""
    text = request.GET.get("q", "")[:80]
    folded = fold_name(text)
    names = Tournament.objects.values_list("pk", "name", "place") if folded else []
    wanted = [pk for pk, name, place in names if folded in fold_name(f"{name} {place}")][:MOST_FOUND]
    found = Tournament.objects.filter(pk__in=wanted).prefetch_related("events__stages")
    players = find_players(text, limit=MOST_FOUND)
    return render(request, "tournament/event/search.html", {"q": text, "players": players, "tournaments": found})
