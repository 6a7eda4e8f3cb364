"""Players with their matches and ratings, and ranking lists."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from matches.models import SIDES, Match, Record, SheetState
from matches.rating_line import rating_line
from matches.services import matches_of, prefetch_open_sheets, prefetched_reports, prefetched_sheet
from players.errors import Conflict
from players.models import ExternalId, Merge, Player, RankingList, Visibility
from players.ratings import DEFAULT_RATING
from players.registry.find import find_players, people_called
from players.registry.roles import reach_of, rights_of, rights_over
from players.registry.title_rules import has_title_tables
from players.services import name_order
from players.statements import Statement
from tournament.career.career import career_of
from tournament.career.versus import versus_of
from tournament.changes.topics import MAX_TOPICS, event_topic
from tournament.entries import identity
from tournament.models import Entry, Event
from tournament.models.team import FORMER_PLACE, PLACES, listed_matches
from tournament.pages.topical import topic_page
from tournament.roles.permissions import may_merge_these, require_merger
from tournament.snapshot import view_sheet

PAGE = 100
MATCHES = 50
"""How many matches of a player are on a page."""
MOST_POINTS = 20
"""How many ratings are listed beside the line."""


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:80]
    called = people_called(text, sees_all=request.user.is_superuser).order_by(name_order(), "id")
    # All names are read for this: their number would cost as much once more.
    page = Paginator(list(called.values_list("pk", flat=True)), PAGE).get_page(request.GET.get("page"))
    people = Player.objects.select_related("club").in_bulk(list(page))
    found = [people[pk] for pk in page if pk in people]
    template = (
        "tournament/people/_players.html" if "HX-Request" in request.headers else "tournament/people/players.html"
    )
    return render(request, template, {"page": page, "players": found, "q": text})


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Suggest known players for what is being typed into an entry form.

    People of one name have their numbers beside them, for a reader who may see what the registry has of them.
    """
    found = find_players(request.GET.get("name", "")[:80], limit=8)
    alike = [player for player in found if sum(player.folded_name == other.folded_name for other in found) > 1]
    numbers = _numbers_of(request, alike) if alike else {}
    lines = [(player, numbers.get(player.pk, "")) for player in found]
    return render(request, "tournament/people/_suggestions.html", {"lines": lines})


def _numbers_of(request: HttpRequest, players: Sequence[Player]) -> dict[int, str]:
    """Return the numbers of those of these people of whom the reader may see them."""
    rights = rights_over(reach_of(request.user), players)
    seen = [player.pk for player in players if rights[player.pk].sees]
    told: dict[int, str] = {}
    for row in ExternalId.objects.filter(player__in=seen) if seen else ():
        told[row.player_id] = f"{told.get(row.player_id, '')}, {row.issuer.upper()} {row.value}".removeprefix(", ")
    return told


@require_safe
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show the player; redirect from a duplicate to the player it was merged into."""
    found = get_object_or_404(Player.objects.select_related("club", "merged_into"), pk=player_id)
    if found.merged_into is not None:
        return redirect(found.merged_into)
    theirs = Q(player=found) | Q(partner=found) | Q(pk__in=found.memberships.values("entry"))
    present = Entry.objects.filter(theirs, event__in=Event.objects.all())
    running = present.filter(event__finished_at__isnull=True).order_by("-event")
    events = running.values_list("event", flat=True).distinct()[: MAX_TOPICS - 1]
    merges = Merge.objects.filter(gone__merged_into=found).order_by("pk").values_list("pk", "undone_at")

    def context() -> dict[str, object]:
        line = rating_line(DEFAULT_RATING, found.pk)
        values = {
            "player": found,
            "ratings": found.ratings.select_related("ranking_list"),
            "career": career_of(found),
            "line": line,
            "last_points": line[:0:-1][:MOST_POINTS],
            "records": _RECORDS.find(Record, found.pk),
            **_matches_of(found, request),
        }
        return values if "fragment" in request.GET else {**values, **_merges_of(found, request)}

    return topic_page(
        request,
        template="people/player",
        follows=["ratings", *map(event_topic, events)],
        depends=["all"],
        about=(found.pk, found.name, found.country, found.club and found.club.name, *merges),
        context=context,
        is_kept=not request.user.is_authenticated,
    )


def _matches_of(player: Player, request: HttpRequest) -> dict[str, object]:
    """Return a page of the player's matches, each with its score and whether that is disputed."""
    page = Paginator([pk for (pk,) in _LISTED.rows(player.pk)], MATCHES).get_page(request.GET.get("page"))
    matches = (
        Match.objects.filter(pk__in=list(page))
        .select_related(*SIDES, *PLACES, FORMER_PLACE)
        .prefetch_related(prefetch_open_sheets())
        .order_by("-id")
    )
    lines = []
    for match in matches:
        sheet = prefetched_sheet(match)
        is_disputed = any(report.state == SheetState.DISPUTED for report in prefetched_reports(match))
        lines.append((match, view_sheet(match.terms, sheet) if sheet and not is_disputed else None, is_disputed))
    return {"page": page, "lines": lines}


def _merges_of(player: Player, request: HttpRequest) -> dict[str, object]:
    """Return the merges into this player that stand, and what the visitor may do about them."""
    standing = Merge.objects.filter(gone__merged_into=player, undone_at__isnull=True)
    merges = list(standing.select_related("gone", "by").order_by("id"))
    players = {merge.pk: [merge.kept_id, merge.gone_id] for merge in merges if merge.detail}
    allowed = may_merge_these(request.user, {None: [player.pk], **players})
    sees = rights_of(request.user, player).sees
    has_titles = (sees or player.visibility == Visibility.PUBLIC) and has_title_tables()
    told = {"may_merge": None in allowed, "sees_registry": sees, "has_titles": has_titles}
    return {"merges": merges, "undoable": allowed, **told}


_LISTED = Statement(lambda player: listed_matches(player).order_by("-pk").values_list("pk"))
_RECORDS = Statement(
    lambda player: (
        Record.objects.filter(match__in=listed_matches(player))
        .select_related(*(f"match__{side}" for side in SIDES))
        .defer("data")
        .order_by("-pk")[:8]
    )
)
"""The latest match records of a player that everybody may see."""


@require_safe
def versus(request: HttpRequest, player_id: int, other_id: int) -> HttpResponse:
    """Show the matches between two players; redirect from a duplicate to the player it was merged into."""
    both = Player.objects.select_related("club", "merged_into")
    player, other = (get_object_or_404(both, pk=pk) for pk in (player_id, other_id))
    if player.merged_into is not None or other.merged_into is not None:
        return redirect("versus", player.merged_into_id or player.pk, other.merged_into_id or other.pk)
    if player == other:
        raise Http404

    def context() -> dict[str, object]:
        shown = versus_of(player, other)
        page = Paginator(shown.results, PAGE).get_page(request.GET.get("page"))
        return {"player": player, "other": other, "versus": shown, "page": page}

    about = (player.pk, player.name, other.pk, other.name)
    return topic_page(request, template="people/versus", follows=["all"], about=about, context=context)


@require_http_methods(["GET", "POST"])
@login_required
def merge(request: HttpRequest, player_id: int) -> HttpResponse:
    """Choose a duplicate, show it beside the player, and merge the two on confirmation."""
    kept = get_object_or_404(Player.objects.select_related("club"), pk=player_id, merged_into__isnull=True)
    require_merger(request.user, [kept])
    text = request.GET.get("q", kept.name)[:80]
    context: dict[str, object] = {"player": kept, "q": text}
    if request.method == "POST":
        gone = _player_of(request.POST.get("gone", ""))
        by = require_merger(request.user, [kept, gone])
        identity.merge_players(kept, gone, by=by, at=timezone.now())
        messages.success(request, _("%(gone)s has been merged into %(kept)s.") % {"gone": gone, "kept": kept})
        return redirect(kept)
    if "gone" in request.GET:
        context["gone"] = _player_of(request.GET["gone"])
        context["counts"] = [
            (one, one.entries.count() + one.pairs.count(), matches_of(one).count())
            for one in (kept, context["gone"])
            if isinstance(one, Player)
        ]
    else:
        context["found"] = [player for player in find_players(text, limit=20) if player != kept]
    return render(request, "tournament/people/merge.html", context)


@require_POST
@login_required
def undo_merge(request: HttpRequest, player_id: int, duplicate_id: int) -> HttpResponse:
    """Undo a merge; a refusal is shown on the page of the player who was kept."""
    kept = get_object_or_404(Player, pk=player_id)
    gone = get_object_or_404(Player, Q(merged_into=None) | Q(merged_into=kept), pk=duplicate_id)
    by = require_merger(request.user, [kept, gone])
    try:
        identity.undo_merge(gone, by=by, at=timezone.now())
    except Conflict as refusal:
        messages.error(request, str(refusal))
        return redirect(kept)
    messages.success(request, _("%(gone)s is a separate player again.") % {"gone": gone})
    return redirect(gone)


def _player_of(text: str) -> Player:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return get_object_or_404(Player.objects.select_related("club"), pk=int(text))


@require_safe
def ranking(request: HttpRequest, system: str) -> HttpResponse:
    found = get_object_or_404(RankingList, system=system)

    def context() -> dict[str, object]:
        page = Paginator(range(found.ratings.count()), PAGE).get_page(request.GET.get("page"))
        lines = found.some_lines((page.number - 1) * PAGE, PAGE)
        return {"ranking_list": found, "page": page, "lines": lines}

    return topic_page(request, template="people/ranking", follows=["ratings"], depends=["all"], context=context)


@require_safe
def rankings(request: HttpRequest) -> HttpResponse:
    def context() -> dict[str, object]:
        return {"ranking_lists": RankingList.objects.order_by("system")}

    return topic_page(request, template="people/rankings", follows=["ratings"], context=context)
