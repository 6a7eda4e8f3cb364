"""Players: found by name, each with matches and ratings; ranking lists."""

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from matches.models import SIDES
from matches.services import matches_of, prefetch_current_sheets, prefetched_sheet
from players.models import Player, RankingList
from players.services import find_players, fold_name
from tournament.models import Entry, Event
from tournament.models.team import PLACES, present_matches
from tournament.snapshot import view_sheet

PAGE = 100


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:80].replace("\0", "")
    folded = fold_name(text)
    found = Player.objects.select_related("club").filter(folded_name__contains=folded).order_by("folded_name", "id")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    template = "players/_players.html" if "HX-Request" in request.headers else "players/players.html"
    return render(request, template, {"page": page, "q": text})


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Known players for what is being typed into an entry form."""
    text = request.GET.get("name", "")[:80].replace("\0", "")
    return render(request, "players/_suggestions.html", {"players": find_players(text, limit=8)})


@require_safe
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    found = get_object_or_404(Player.objects.select_related("club"), pk=player_id)
    matches = (
        present_matches(matches_of(found))
        .select_related(*SIDES, *PLACES)
        .prefetch_related(prefetch_current_sheets())
        .order_by("-id")
    )
    page = Paginator(matches, PAGE).get_page(request.GET.get("page"))
    lines = []
    for match in page:
        sheet = prefetched_sheet(match)
        lines.append((match, view_sheet(match.terms, sheet) if sheet else None))
    ratings = found.ratings.select_related("ranking_list")
    theirs = Q(player=found) | Q(partner=found) | Q(pk__in=found.memberships.values("entry"))
    present = Entry.objects.filter(theirs, event__in=Event.objects.all())
    entries = present.select_related("event__tournament").order_by("-id")[:20]
    context = {"player": found, "page": page, "lines": lines, "ratings": ratings, "entries": entries}
    return render(request, "players/player.html", context)


@require_safe
def ranking(request: HttpRequest, system: str) -> HttpResponse:
    found = get_object_or_404(RankingList, system=system)
    page = Paginator(found.lines(), PAGE).get_page(request.GET.get("page"))
    return render(request, "players/ranking.html", {"ranking_list": found, "page": page})


@require_safe
def rankings(request: HttpRequest) -> HttpResponse:
    return render(request, "players/rankings.html", {"ranking_lists": RankingList.objects.order_by("system")})
