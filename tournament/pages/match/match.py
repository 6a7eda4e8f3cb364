"""The page of a match: live score and score sheet for everybody, entry and correction for its director."""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from matches.claims import claim_of
from matches.differences import describe_dispute
from matches.history import History, load_history
from matches.models import Conclusion, Match, Scoresheet
from matches.side_by_side import lay_side_by_side, start_of
from players.errors import Conflict, Forbidden, Refusal, Unconfirmed
from players.models import User
from rules.profiles import PROFILES
from rules.score import Side
from rules.sheet import GameResult
from tournament.changes.versions import read_versions
from tournament.corrections.changes import EnterResult, VoidResult
from tournament.hall.waiting import with_waits
from tournament.models import Fixture, FormerMatch, Stage
from tournament.models.team import event_of, find_fixture, present_matches
from tournament.pages.following import page_of
from tournament.pages.match.desk_forms import (
    bench_forms,
    deadline_forms,
    entry_forms,
    evidence_forms,
    label_sides,
    rates_form,
    ruling_forms,
    started_from,
    walkover_form,
)
from tournament.pages.match.forms import RESULT_FORMS, ErrorRatesForm, ReserveForm, VoidForm, WalkoverForm
from tournament.pages.match.offering import make_or_offer
from tournament.pages.match.ruling_forms import RulingFacts
from tournament.pages.returning import refuse, retype
from tournament.pages.rules.form import board_query
from tournament.reporting.counting import lists_of
from tournament.reporting.shown import rated_lines
from tournament.reporting.stakes import stakes_of
from tournament.results.boards import seat_reserve
from tournament.results.enter import next_match_begun
from tournament.results.error_rates import set_error_rates
from tournament.results.walkovers import walk_over
from tournament.roles.claims import withholds
from tournament.roles.permissions import actions_of, require_among, who_may
from tournament.snapshot import FixtureSnapshot, FixtureState, SheetSnapshot, benches, take_snapshot, view_sheet
from tournament.snapshot.deadlines import rule_sentence

ONE_SESSION = timedelta(hours=12)


def find_match(match_id: int) -> Match:
    sides = ("side_a__club", "side_b__club", "partner_a", "partner_b")
    found = present_matches().select_related(*sides, "record", "acceptance")
    found = found.defer("record__data")
    return get_object_or_404(found, pk=match_id)


@require_safe
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    return render_match(request, find_match(match_id), {})


@require_http_methods(["GET", "POST"])
@login_required
def enter(request: HttpRequest, match_id: int, way: str) -> HttpResponse:
    """Enter a game, a final score, an award or the whole corrected sheet; anything refused comes back as typed.

    A correction that touches later matches is made only after the director has seen what falls and chosen a repair.
    """
    match, director, allowed = match_for(request, match_id, "enter_result")
    if request.method == "GET":
        # A visitor who had to sign in before their result was accepted lands here.
        return redirect(match)
    form = RESULT_FORMS[way](request.POST)
    typed = {f"{way}_form": form, "opened": way}
    if not form.is_valid():
        return render_match(request, match, typed, 400)

    try:
        claim = form.claim(_games_before(match, form.cleaned_data["base"]))
        change = EnterResult(match, claim, by=director, at=timezone.now())
        if offered := make_or_offer(request, match, form, change, may_repair="repair_result" in allowed):
            return render_match(request, match, {**typed, **offered}, offered["status"])
    except Unconfirmed as unconfirmed:
        asked = {"unconfirmed": unconfirmed, "previews": form.cleaned_data["preview"]}
        return render_match(request, match, {**typed, **asked}, unconfirmed.status)
    except Conflict as conflict:
        # What was typed comes back to be sent again, now for the sheet that the page shows.
        return render_match(request, match, {**typed, "is_outdated": True, "refusal": conflict}, conflict.status)
    except Refusal as refusal:
        refuse(form, refusal, field="played_at" if refusal.field == "played_at" else None)
        retype(form, key=uuid.uuid4().hex)
        return render_match(request, match, typed, refusal.status)
    if form.chosen is not None:
        messages.success(request, _("The correction has been made."))
    return redirect(f"{match.get_absolute_url()}#enter")


@require_POST
@login_required
def void(request: HttpRequest, match_id: int) -> HttpResponse:
    match, director, allowed = match_for(request, match_id, "void_result")
    form = VoidForm(request.POST)
    typed = {"void_form": form, "opened": "void"}
    if not form.is_valid():
        return render_match(request, match, typed, 400)
    change = VoidResult(
        match, form.cleaned_data["base"], by=director, at=timezone.now(), given=form.cleaned_data["reason"]
    )
    try:
        if offered := make_or_offer(request, match, form, change, may_repair="repair_result" in allowed):
            return render_match(request, match, {"void_form": form, **offered}, offered["status"])
    except (Conflict, Forbidden) as refusal:
        return render_match(request, match, {**typed, "is_outdated": True, "refusal": refusal}, refusal.status)
    except Refusal as refusal:
        refuse(form, refusal)
        return render_match(request, match, typed, refusal.status)
    messages.success(request, _("The result has been taken back."))
    return redirect(f"{match.get_absolute_url()}#enter")


@require_POST
@login_required
def reserve(request: HttpRequest, match_id: int) -> HttpResponse:
    """Seat a reserve at the board, or put its own member back."""
    match, director, _allowed = match_for(request, match_id, "seat_reserve")
    form = ReserveForm(request.POST)
    if not form.is_valid():
        if "side" in form.errors:
            raise Refusal("side_unknown", _("Choose who plays at this board."))
        return render_match(request, match, {"reserve_form": form}, 400)
    try:
        side = Side(form.cleaned_data["side"])
        seated = seat_reserve(match, side=side, player_id=form.cleaned_data["player"], by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return render_match(request, match, {"reserve_form": form}, refusal.status)
    return redirect(seated)


@require_POST
@login_required
def walkover(request: HttpRequest, match_id: int) -> HttpResponse:
    """Award a whole team match to one of the teams, or to neither."""
    match, director, _allowed = match_for(request, match_id, "enter_result")
    form = WalkoverForm(request.POST)
    if not form.is_valid():
        return render_match(request, match, {"walkover_form": form}, 400)
    details = {name: form.cleaned_data[name] for name in ("key", "reason")}
    to = Side(form.cleaned_data["to"]) if form.cleaned_data["to"] else None
    try:
        walk_over(match, to=to, **details, by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        retype(form, key=uuid.uuid4().hex)
        return render_match(request, match, {"walkover_form": form}, refusal.status)
    return redirect(match)


@require_POST
@login_required
def error_rates(request: HttpRequest, match_id: int) -> HttpResponse:
    """Set the error rates of both sides, where the lower one counts."""
    match, director, _allowed = match_for(request, match_id, "enter_result")
    form = label_sides(ErrorRatesForm(request.POST), match)
    if not form.is_valid():
        return render_match(request, match, {"rates_form": form}, 400)
    try:
        set_error_rates(match, rates=form.rates, by=director, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return render_match(request, match, {"rates_form": form}, refusal.status)
    return redirect(match)


def match_for(request: HttpRequest, match_id: int, action: str) -> tuple[Match, User, frozenset[str]]:
    """Find the match, the user, who must be allowed ``action`` in its event, and all the actions allowed to them there.

    Raises Http404 and Forbidden.
    """
    match = find_match(match_id)
    event = event_of(match)
    if event is None:
        raise Http404
    return match, *require_among(request.user, event, action)


def settling(request: HttpRequest, history: History, sheet: SheetSnapshot | None) -> dict[str, object]:
    """Return the claims of a dispute side by side, and the form filled in from the report that ``from`` names."""
    asked = request.GET.get("from", "") if request.method == "GET" else ""
    number = int(asked) if asked.isdecimal() and len(asked) < 10 else 0
    return {"disputed": lay_side_by_side(history), **started_from(start_of(history, number), sheet)}


def _games_before(match: Match, base: int) -> tuple[GameResult, ...]:
    """Return the games of the sheet that the form showed, so that submitting it twice makes the same claim."""
    sheet = match.sheets.filter(number=base).prefetch_related("lines").first()
    return claim_of(sheet).games if sheet else ()


def _outside_draws(request: HttpRequest, match: Match, context: dict, status: int) -> HttpResponse:
    """Show a match that no draw has any more."""
    if "fragment" in request.GET:
        return HttpResponseClientRefresh()  # it has left the draw that the page follows
    former = FormerMatch.objects.select_related("stage__event__tournament").filter(match=match).first()
    return render(
        request, "tournament/match/outside_draws.html", {**context, "former": former, "may": frozenset()}, status=status
    )


def is_of_several_days(stage: Stage, now: datetime) -> bool:
    """Whether the stage was drawn so long ago that a result may come later than its match."""
    return stage.drawn_at is not None and now - stage.drawn_at > ONE_SESSION


def is_dated(sheet: Scoresheet | None) -> bool:
    """Whether the match ended so long before its result was entered that the page should say when."""
    return sheet is not None and sheet.at - sheet.played_at > ONE_SESSION


def _past_sheets(history: History) -> list[tuple[Scoresheet, SheetSnapshot]]:
    """Return all sheets but the current one, the last first, each under its terms."""
    past = (sheet for sheet in reversed(history.sheets) if sheet is not history.current)
    return [(sheet, view_sheet(history.terms_of(sheet), sheet)) for sheet in past]


def _as_it_stands(match: Match, fixture: Fixture | None, history: History, allowed: Collection[str]) -> dict[str, Any]:
    """Return what the page tells of the match by its score sheets, to a reader who may do ``allowed``."""
    sheet = view_sheet(match.terms, history.current) if history.current else None
    is_disputed, is_withheld = withholds(history.reports, ()), withholds(history.reports, allowed)
    score = sheet.score if sheet else match.terms.opening
    return {
        "match": match,
        "sheet": sheet,
        "score": score,
        "is_disputed": is_disputed,
        "is_withheld": is_withheld,
        "is_void": sheet.conclusion == Conclusion.VOID if sheet else fixture is None,
        "follow": match.get_absolute_url(),
        "past_sheets": [] if is_withheld else _past_sheets(history),
        "rulings": history.ruled(),
        "changes": history.changes,
        "board_query": board_query(match, match.terms.opening if is_disputed else score),
        "profile": _(PROFILES[match.profile].name),
        "shows_chances": fixture is None or fixture.stage.event.shows_chances,
    }


def _pairing_forms(match: Match, pairing: FixtureSnapshot, extra: dict) -> dict[str, Any]:
    """Return the forms of a match of teams that is not over, and of error rates where they count."""
    forms: dict[str, Any] = {}
    if pairing.boards and pairing.state is not FixtureState.DONE:
        forms["walkover_form"] = walkover_form(match, extra.pop("walkover_form", None))
    if pairing.rates or pairing.is_rate_open:
        forms["rates_form"] = rates_form(match, pairing.rates)
    return forms


def render_match(request: HttpRequest, match: Match, extra: dict, status: int = 200) -> HttpResponse:
    fixture = find_fixture(match)
    versions = read_versions(fixture.stage.event.tournament_id) if fixture is not None else None
    current = (history := load_history(match)).current
    allowed = actions_of(request.user, fixture.stage.event) if fixture is not None else frozenset()
    context = _as_it_stands(match, fixture, history, allowed)
    sheet, score, is_withheld = context["sheet"], context["score"], context["is_withheld"]
    if fixture is None:
        return _outside_draws(request, match, {**context, **extra}, status)
    event = fixture.stage.event
    snapshot = with_waits(event.tournament, take_snapshot(event.pk))
    context["rated"] = rated_lines(event, match)
    context["asks_date"] = True
    context["shows_end"] = is_of_several_days(fixture.stage, timezone.now()) or is_dated(current)
    context["fixture"] = pairing = snapshot.fixture_of(match.pk)
    boards = pairing.boards if pairing is not None else ()
    context["board"] = board = next((board for board in boards if board.match_id == match.pk), None)
    if any(line.counts is None for line in context["rated"]) and (board is not None or not boards):
        context["stakes"] = stakes_of(fixture, event, match, lists_of(event), timezone.now())
    context["reports"] = (board or pairing).reports if pairing is not None and not is_withheld else ()
    if pairing is not None and pairing.deadline is not None and pairing.state is not FixtureState.DONE:
        context["deadline"] = pairing.deadline
        context["deadline_sentence"] = rule_sentence(pairing.unplayed, pairing.deadline)
    context["waits_for"] = (board or pairing).waits_for if pairing is not None else None
    context["dispute"] = "" if is_withheld else describe_dispute(match, history.claims)
    if "enter_result" in allowed and "fragment" not in request.GET:
        call = board.call if board is not None else pairing.call if pairing is not None else None
        waited = call.minutes_waited(timezone.now()) if call is not None else None
        facts = RulingFacts(match.terms, sheet, score, event.late_minutes)
        if "settle_report" in allowed:
            extra = settling(request, history, sheet) | extra
        asked = request.GET.get("record", "") if request.method == "GET" else ""
        extra = evidence_forms(match, sheet, asked) | extra
        context |= entry_forms(match, sheet, extra)
        context |= ruling_forms(match, facts, ruling_count=len(history.rulings), waited=waited, typed=extra)
        if "repair_result" not in allowed and current and next_match_begun(event, fixture, current):
            context["closed"] = who_may(event, "repair_result")
        if "seat_reserve" in allowed and pairing is not None and board is not None and not board.has_sheet:
            context["benches"] = bench_forms(match, benches(snapshot, pairing, board), extra.pop("reserve_form", None))
        if "move_deadline" in allowed and "deadline" in context:
            context |= deadline_forms(match, fixture, context["deadline"], extra)
        if pairing is not None:
            context |= _pairing_forms(match, pairing, extra)
    response = page_of(
        request,
        event,
        allowed=allowed,
        template="match/match",
        context=lambda _snapshot: {**context, **extra},
        snapshot=snapshot,
        versions=versions,
        shows_the_hall=bool(context["waits_for"]),
    )
    if response.status_code == 200:
        response.status_code = status
    return response
