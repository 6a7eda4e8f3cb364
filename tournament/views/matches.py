"""The page of a match: live score and score sheet for everybody, entering and correcting for its director."""

import uuid
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BaseFormSet, Form, formset_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from matches.models import Conclusion, Match, Scoresheet
from matches.services import Claim, claim_of
from players.errors import Refusal, Unconfirmed
from rules.score import Side
from rules.sheet import GameResult
from tournament.forms import AwardForm, FinalForm, GameForm, SubmissionForm, VoidForm
from tournament.models import Fixture
from tournament.permissions import may_direct, require_director
from tournament.services.results import enter_result, void_result
from tournament.snapshot import SheetView, take_snapshot, view_sheet
from tournament.views.following import page_of

SPARE_ROWS = 3
GameFormSet = formset_factory(GameForm, extra=0, max_num=400, absolute_max=400)


def find_match(match_id: int) -> Match:
    return get_object_or_404(Match.objects.select_related("side_a__club", "side_b__club", "record"), pk=match_id)


@require_safe
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    return _render_match(request, find_match(match_id), {})


@require_POST
@login_required
def enter(request: HttpRequest, match_id: int, way: str) -> HttpResponse:
    """A game, a final score, an award, or the whole sheet corrected; refused ones come back as they were typed."""
    match = find_match(match_id)
    fixture = get_object_or_404(Fixture.objects.select_related("stage__event__tournament"), match=match)
    require_director(request.user, fixture.stage.event.tournament)
    form: Form
    games = None
    if way == "game":
        form, games = SubmissionForm(request.POST), GameForm(request.POST)
    elif way == "sheet":
        form, games = SubmissionForm(request.POST), GameFormSet(request.POST, prefix="games")
    elif way == "final":
        form = FinalForm(request.POST)
    else:
        form = AwardForm(request.POST)
    failed = {f"{way}_form": form, f"{way}_rows": games, "opened": way}
    if not form.is_valid() or (games is not None and not games.is_valid()):
        return _render_match(request, match, {**failed, "problem": _("Something is missing or is no number.")}, 400)
    try:
        claim = _claim_of(match, way, form, games)
        enter_result(match, claim=claim, by=request.user, at=timezone.now())
    except Unconfirmed as unconfirmed:
        form.data = {**form.data.dict(), "confirmed": "on"}
        return _render_match(request, match, {**failed, "unconfirmed": unconfirmed}, 409)
    except Refusal as refusal:
        form.data = {**form.data.dict(), "key": uuid.uuid4().hex}
        return _render_match(request, match, {**failed, "refusal": refusal}, refusal.status)
    return redirect(match)


@require_POST
@login_required
def void(request: HttpRequest, match_id: int) -> HttpResponse:
    match = find_match(match_id)
    fixture = get_object_or_404(Fixture.objects.select_related("stage__event__tournament"), match=match)
    require_director(request.user, fixture.stage.event.tournament)
    form = VoidForm(request.POST)
    if not form.is_valid():
        return _render_match(request, match, {"void_form": form, "problem": _("Say why.")}, 400)
    try:
        void_result(match, **form.cleaned_data, by=request.user, at=timezone.now())
    except Refusal as refusal:
        return _render_match(request, match, {"void_form": form, "refusal": refusal}, refusal.status)
    messages.success(request, _("The result has been taken back."))
    return redirect(match)


def _claim_of(match: Match, way: str, form: Form, games: GameForm | BaseFormSet | None) -> Claim:
    data = form.cleaned_data
    claim = Claim(key=data["key"], base=data["base"], confirmed=data["confirmed"], reason=data["reason"])
    if way == "game":
        game = games.game()
        if game is None:
            raise Refusal("winner_missing", _("Say who won the game."))
        return replace(claim, games=(*_games_before(match, data["base"]), game))
    if way == "sheet":
        return replace(claim, games=_games_of(games))
    if way == "final":
        return replace(claim, final=(data["final_a"], data["final_b"]))
    return replace(
        claim,
        games=_games_before(match, data["base"]) if data["conclusion"] == Conclusion.FORFEIT else (),
        conclusion=Conclusion(data["conclusion"]),
        awarded_to=Side(data["awarded_to"]),
    )


def _games_before(match: Match, base: int) -> tuple[GameResult, ...]:
    """The games of the sheet that the form showed, so that sending it twice claims the same."""
    sheet = match.sheets.filter(number=base).prefetch_related("lines").first()
    return claim_of(sheet).games if sheet else ()


def _games_of(rows: BaseFormSet) -> tuple[GameResult, ...]:
    games = [row.game() for row in rows]
    while games and games[-1] is None:
        games.pop()
    if None in games:
        raise Refusal("game_missing", _("Game %(game)s has no winner.") % {"game": games.index(None) + 1})
    return tuple(game for game in games if game is not None)


def _render_match(request: HttpRequest, match: Match, extra: dict, status: int = 200) -> HttpResponse:
    fixture = Fixture.objects.select_related("stage__event__tournament").filter(match=match).first()
    sheets = list(match.sheets.select_related("claimed_by").prefetch_related("lines").order_by("-number"))
    current = next((sheet for sheet in sheets if sheet.state in Scoresheet.CURRENT), None)
    sheet = view_sheet(match, current) if current else None
    context: dict = {
        "match": match,
        "sheet": sheet,
        "score": sheet.score if sheet else match.terms.opening,
        "past_sheets": [(old, view_sheet(match, old)) for old in sheets if old is not current],
        "profile": match.get_profile_display(),
    }
    if fixture is None:
        return render(request, "matches/match.html", {**context, **extra}, status=status)
    event = fixture.stage.event
    directs = may_direct(request.user, event.tournament)
    snapshot = take_snapshot(event.pk)
    context["fixture"] = snapshot.fixture_of(match.pk)
    if directs and "fragment" not in request.GET:
        context |= _entry_forms(sheet)
    response = page_of(request, snapshot, directs=directs, template="match", context={**context, **extra})
    if response.status_code == 200:
        response.status_code = status
    return response


def _entry_forms(sheet: SheetView | None) -> dict[str, object]:
    """Empty forms for the next game, the final score, an award, and the sheet as it stands for correcting."""
    submission = {"key": uuid.uuid4().hex, "base": sheet.number if sheet else 0}
    rows = [
        {"winner": game.winner.value, "cube": game.cube, "level": int(game.level), "ending": game.ending.value}
        for game in (sheet.games if sheet else ())
    ]
    return {
        "game_form": SubmissionForm(initial=submission),
        "game_rows": GameForm(),
        "sheet_form": SubmissionForm(initial=submission),
        "sheet_rows": GameFormSet(initial=rows + [{}] * SPARE_ROWS, prefix="games"),
        "final_form": FinalForm(initial=submission),
        "award_form": AwardForm(initial=submission),
        "void_form": VoidForm(initial=submission),
    }
