"""Match records: all those imported, and each one played through line by line with the findings of the replay."""

from dataclasses import replace

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from matches.accept_records import KNOWN, read_known
from matches.acceptance import Acceptance
from matches.evidence import Evidence
from matches.models import Match, Record, Verdict
from matches.told_findings import told_finding
from players.errors import Refusal
from players.registry.roles import reach_of
from rules.errors import Finding
from rules.notations import names_rows
from rules.profiles import DEFAULT_PROFILE, PROFILES, Notation
from rules.records.formats import loads
from rules.records.known import COLUMNS, NOTHING, Known
from rules.records.playback import Playback, play_through
from rules.records.record import RecordError
from rules.records.replay import Replay
from tournament.models.team import present_matches
from tournament.pages.rules.record_forms import AcceptForm, TakeBackForm
from tournament.referee.playback import first_place, query_of, show_place

STEP_SECONDS = 300
"""How long a browser may keep a part of a page that it loaded in advance."""


PAGE = 100


@require_safe
def records(request: HttpRequest) -> HttpResponse:
    """List the imported records, most recent first: to everybody those of matches that lists show, to those who have
    signed in also those that created no match.
    """
    accepted = Acceptance.objects.filter(record=OuterRef("pk"), taken_back_at__isnull=True)
    found = Record.objects.select_related("match__side_a", "match__side_b").defer("data").order_by("-pk")
    found = found.annotate(is_accepted=Exists(accepted))
    if not request.user.is_authenticated:
        found = found.filter(Q(match__in=present_matches()) | Q(is_accepted=True))
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    by_name = reach_of(request.user).is_officer
    lines = [(one, told_finding(one, by_name=by_name)) for one in page]
    return render(
        request,
        "tournament/rules/records.html",
        {"page": page, "lines": lines, "may_import": by_name},
    )


@require_safe
@conditional_page
def record(request: HttpRequest, record_id: int) -> HttpResponse:
    """Show a move of the record, with the rest of the page or, for htmx, on its own.

    Everybody may see a record that made a match or was accepted as one; others, only signed-in users.
    """
    return render_record(request, record_id, request.GET)


def render_record(
    request: HttpRequest,
    record_id: int,
    asked: QueryDict,
    form: AcceptForm | None = None,
    back_form: TakeBackForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the record judged with what is ``asked``, and the forms that accept it and take that back."""
    found = get_object_or_404(Record.objects.select_related("match__side_a", "match__side_b"), pk=record_id)
    told = found.acceptances.select_related("match", "by", "taken_back_by")
    accepted = [] if found.match is not None else sorted(told, key=lambda one: one.taken_back_at is not None)
    standing = accepted[0] if accepted and accepted[0].taken_back_at is None else None
    if found.match is None and standing is None and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    is_importer = found.match is None and reach_of(request.user).is_officer
    match = found.match or (standing.match if standing is not None else None)
    context: dict[str, object] = {"record": found, "here": reverse("record", args=[record_id]), "accepted": accepted}
    context |= {"finding": told_finding(found, by_name=reach_of(request.user).is_officer), "is_importer": is_importer}
    attached = Evidence.attached.filter(identity=found.identity).first() if found.identity and match is None else None
    context["attached"] = attached.match_id if attached is not None else None
    if standing is not None and is_importer:
        context["back_form"] = back_form or TakeBackForm()
    try:
        loaded = loads(bytes(found.data))
    except RecordError:
        return render(request, "tournament/rules/record.html", context, status=status)
    said = _said(asked, loaded.names)
    known, context["unclear"] = _known(said)
    profile = PROFILES[found.match.profile] if found.match else DEFAULT_PROFILE
    if names_rows(bytes(found.data).decode("latin-1")):
        profile = replace(profile, notation=Notation.DK_SW)
    playback = play_through(loaded, profile, _known_now(known, match, standing))
    judged = playback.replay
    names = judged.names if any(judged.names) else known.names or loaded.names
    if match is not None:
        names = match.name_a, match.name_b
    context |= {
        "names": names,
        "length": judged.length,
        "playback": playback,
        "notes": [_shown(note) for note in judged.notes] if known == NOTHING else [],
        "asked": said | (_half(said, loaded.names) if match is None else {}),
    }
    if is_importer and match is None and attached is None and judged.verdict.value != Verdict.REFUSED:
        context["accept_form"] = form or AcceptForm(initial=said, told=judged)
    if known != NOTHING:
        context["told"] = _told(judged)
    if playback.games:
        context |= _place(request, playback, names)
    alone = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    # Without a script the browser comes back to the board; htmx stays where the reader is.
    context["anchor"] = "" if alone else "#playback"
    template = "tournament/rules/_playback.html" if alone else "tournament/rules/record.html"
    response = render(request, template, context, status=status)
    patch_cache_control(response, private=True, **({"max_age": STEP_SECONDS} if alone else {"no_cache": True}))
    patch_vary_headers(response, ["Cookie", "Accept-Language", "HX-Request"])
    return response


def _said(asked: QueryDict, names: tuple[str, str]) -> dict[str, str]:
    """Return what the reader says of the record; of one that has a single name, the other one is enough."""
    said = {key: asked.get(key, "")[:200] for key in KNOWN}
    half = _half(said, names)
    if all(half.values()):
        return said | half
    return said | dict.fromkeys(half, "") if half == dict(zip(COLUMNS, names, strict=True)) else said


def _half(said: dict[str, str], names: tuple[str, str]) -> dict[str, str]:
    """Return the names that fill in the form of a record which has only one: what was said, or else that name."""
    if bool(names[0]) == bool(names[1]):
        return {}
    return {column: said[column] or name for column, name in zip(COLUMNS, names, strict=True)}


def _known(said: dict[str, str]) -> tuple[Known, str]:
    """Return what the reader says of the record, and the sentence about what they said that cannot be read."""
    try:
        return read_known(said), ""
    except Refusal as refusal:
        return NOTHING, str(refusal)


def _known_now(known: Known, match: Match | None, standing: Acceptance | None) -> Known:
    """Return what is known of a record, with who played its match as the public reads it today."""
    if match is None:
        return known
    if standing is not None and known == NOTHING:
        known = read_known(standing.known)
    return replace(known, names=(match.name_a, match.name_b))


def _told(judged: Replay) -> dict[str, object]:
    """Return what the rules say of a record with what the reader knows."""
    return {
        "verdict": Verdict(judged.verdict.value).label,
        "score": (judged.score.a, judged.score.b),
        "finding": _shown(judged.finding) if judged.finding else None,
        "notes": [_shown(note) for note in judged.notes],
    }


def _shown(finding: Finding) -> dict[str, object]:
    """Return a finding in the reader's language, with its game and row."""
    return {"game": finding.game, "row": finding.row, "message": _(finding.template) % finding.params}


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
