"""Official lists for everybody: the newest publication and earlier ones, a player's history, and why a rating moved."""

from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from matches.lists.files import list_file
from matches.lists.moves import corrections_in, moves_of
from players.lists.models import OfficialList, Publication, PublishedLine
from players.lists.officers import keeps
from players.lists.published import (
    Wanted,
    choices_in,
    history_on,
    lines_wanted,
    lists_with_newest,
    names_now,
    publications_of,
)
from players.lists.signing import key_id
from players.models import MAX_NAME, Player
from players.registry.roles import reach_of
from tournament.exports.spool import spooled
from tournament.reporting.correcting import correction_lines
from tournament.reporting.told import told_matches

PAGE = 100


@require_safe
def lists(request: HttpRequest) -> HttpResponse:
    """List the official lists of all federations, each with its newest publication."""
    context = {"lists": lists_with_newest(OfficialList.objects.all()), "reach": reach_of(request.user)}
    return render(request, "tournament/lists/lists.html", context)


@require_safe
def official_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest publication of the list."""
    found = find_list(slug)
    return _publication_page(request, found, publications_of(found).first())


@require_safe
def publication(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = find_publication(slug, number)
    return _publication_page(request, found.official_list, found)


def _publication_page(request: HttpRequest, official_list: OfficialList, shown: Publication | None) -> HttpResponse:
    context: dict[str, object] = {
        "list": official_list,
        "publication": shown,
        "keeps": keeps(request.user, official_list),
    }
    if shown is not None:
        wanted = _wanted(request)
        lines = lines_wanted(shown, wanted)
        context |= {
            "wanted": wanted,
            "choices": choices_in(shown),
            "page": Paginator(lines, PAGE).get_page(request.GET.get("page")),
            "publications": list(publications_of(official_list)[:PAGE]),
            "key_id": key_id(shown.key),
        }
    return render(request, "tournament/lists/publication.html", context)


def _wanted(request: HttpRequest) -> Wanted:
    def told(name: str) -> str:
        return " ".join(request.GET.get(name, "").split())[:MAX_NAME]

    return Wanted(told("q"), told("club"), told("country"), told("class"))


@require_safe
def publication_file(request: HttpRequest, slug: str, number: int) -> FileResponse:
    """Answer with the signed file of the publication, from which anybody can compute it again."""
    found = find_publication(slug, number)
    file, name = spooled(list_file(found)), f"{slug}-{number}.json"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/json")


@require_safe
def corrections(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show which matches the publication counts otherwise than one before it, and why."""
    found = find_publication(slug, number)
    page = Paginator(corrections_in(found), PAGE).get_page(request.GET.get("page"))
    context = {
        "list": found.official_list,
        "publication": found,
        "page": page,
        "corrections": correction_lines(found.official_list, page.object_list),
    }
    return render(request, "tournament/lists/corrections.html", context)


@require_safe
def player(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """Show a player's lines on all publications of the list; redirect from a duplicate to who it was merged into."""
    official_list = find_list(slug)
    found = get_object_or_404(Player.objects.select_related("club", "merged_into"), pk=player_id)
    if found.merged_into_id is not None:
        return redirect("list-player", slug, found.merged_into_id)
    context = {"list": official_list, "player": found, "lines": history_on(official_list, found)}
    return render(request, "tournament/lists/player.html", context)


@require_safe
def moves(request: HttpRequest, slug: str, number: int, player_id: int) -> HttpResponse:
    """Show match by match why the player's rating moved; ``player_id`` is the id that the document has."""
    found = find_publication(slug, number)
    line = get_object_or_404(PublishedLine.objects.select_related("player"), publication=found, person=player_id)
    why = moves_of(found, player_id)
    steps = (*why.earlier, *why.steps)
    context = {
        "list": found.official_list,
        "publication": found,
        "line": line,
        "moves": why,
        "names": names_now({step.opponent for step in steps}),
        "linked": told_matches([step.counted.match for step in steps]),
        "start": found.official_list.start_values.filter(player=line.player_id).first(),
        "corrections": correction_lines(found.official_list, why.corrections),
    }
    return render(request, "tournament/lists/moves.html", context)


def find_list(slug: str) -> OfficialList:
    """Find the list by its address. Raises Http404."""
    return get_object_or_404(OfficialList.objects.select_related("federation"), slug=slug)


def find_publication(slug: str, number: int) -> Publication:
    """Find the publication, with its list and the one before it, without its document. Raises Http404."""
    rows = Publication.objects.select_related("official_list__federation", "previous")
    found = rows.defer("document", "previous__document")
    return get_object_or_404(found, official_list__slug=slug, number=number)
