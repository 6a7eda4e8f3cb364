"""Match records: all those imported, and each one played through line by line with the findings of the replay."""

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from matches.models import Record
from rules.records.formats import loads
from rules.records.playback import Playback, play_through
from rules.records.record import RecordError
from tournament.models.team import present_matches
from tournament.referee.playback import first_place, query_of, show_place

STEP_SECONDS = 300
"""How long a browser may keep a part of a page that it loaded in advance."""


PAGE = 100


@require_safe
def records(request: HttpRequest) -> HttpResponse:
    """List the imported records, most recent first: to everybody those of matches that lists show, to those who have
    signed in also those that created no match.
    """
    found = Record.objects.select_related("match__side_a", "match__side_b").defer("data").order_by("-pk")
    if not request.user.is_authenticated:
        found = found.filter(match__in=present_matches())
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    lines = [(one, _finding(one)) for one in page]
    return render(request, "tournament/rules/records.html", {"page": page, "lines": lines})


@require_safe
@conditional_page
def record(request: HttpRequest, record_id: int) -> HttpResponse:
    """Show a move of the record, with the rest of the page or, for htmx, on its own.

    Everybody may see a record that made a match; one that does not hold, only signed-in users.
    """
    found = get_object_or_404(Record.objects.select_related("match__side_a", "match__side_b"), pk=record_id)
    if found.match is None and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    context: dict[str, object] = {"record": found, "finding": _finding(found)}
    try:
        loaded = loads(bytes(found.data))
    except RecordError:
        return render(request, "tournament/rules/record.html", context)
    playback = play_through(loaded)
    context |= {"names": loaded.names, "length": loaded.length, "playback": playback}
    if playback.games:
        context |= _place(request, playback, loaded.names)
    alone = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    # Without a script the browser comes back to the board; htmx stays where the reader is.
    context["anchor"] = "" if alone else "#playback"
    response = render(request, "tournament/rules/_playback.html" if alone else "tournament/rules/record.html", context)
    patch_cache_control(response, private=True, **({"max_age": STEP_SECONDS} if alone else {"no_cache": True}))
    patch_vary_headers(response, ["Cookie", "Accept-Language", "HX-Request"])
    return response


def _place(request: HttpRequest, playback: Playback, names: tuple[str, str]) -> dict[str, object]:
    numbers = [request.GET.get(name, "") for name in ("game", "move")]
    if any(text and not (text.isascii() and text.isdigit() and len(text) < 10) for text in numbers):
        raise Http404(_("There is no such move in this record."))
    game, move = first_place(playback)
    if numbers[0]:
        game, move = int(numbers[0]), 0
    if numbers[1]:
        move = int(numbers[1])
    place = show_place(playback, names, game, move)
    if place is None:
        raise Http404(_("There is no such move in this record."))
    doubted = playback.doubted
    return {
        "place": place,
        "doubted": query_of(doubted[0].number, doubted[1].number) if doubted else "",
        "at_doubt": bool(place.moment and place.moment.doubted),
    }


def _finding(found: Record) -> dict[str, object] | None:
    """Return the record's finding in the reader's language, with its game and row."""
    stored = found.finding
    if not stored:
        return None
    return {"game": stored["game"], "row": stored["row"], "message": _(stored["template"]) % stored["params"]}
