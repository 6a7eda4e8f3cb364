"""An entry's page, behind its private link: its matches or boards, its reports, and those of opponents to confirm."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST, require_safe

from matches.models import Match
from matches.reports import describe_dispute, open_claims
from matches.services import claim_of
from players.errors import Refusal, Unconfirmed
from rules.score import MatchScore, Side
from rules.sheet import GameResult
from tournament.entries.links import entry_id_of
from tournament.hall.waiting import waiting_in
from tournament.models import Entry, Event
from tournament.models.team import find_fixture
from tournament.pages.match.forms import CUBES, FinalForm, NextGameForm, ReportForm
from tournament.results.reports import confirm_result, dispute_result, report_result
from tournament.snapshot import (
    BoardSnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    ReportSnapshot,
    take_snapshot,
)
from tournament.snapshot.states import MatchState

REPORT_FORMS = {"game": NextGameForm, "final": FinalForm}


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match as the entry's player sees it: their report, the opponent's, and where the two differ.

    ``played`` is the fixture itself, or for a team the board that is played for it. ``waits_for`` says which of its
    players is busy elsewhere.
    """

    fixture: FixtureSnapshot
    played: FixtureSnapshot | BoardSnapshot
    side: Side
    mine: ReportSnapshot | None
    theirs: tuple[ReportSnapshot, ...]
    dispute: str
    waits_for: str = ""

    @property
    def board(self) -> int:
        """Return the number of the board, or 0 for the match of a single player or a pair."""
        return self.played.number if isinstance(self.played, BoardSnapshot) else 0

    @property
    def opposing_team(self) -> str:
        return self.fixture.b.label if self.side is Side.A else self.fixture.a.label

    @property
    def boards_won(self) -> tuple[int, int]:
        """Return how many boards each team has won, the entry's own team first."""
        a, b = self.fixture.a.points or 0, self.fixture.b.points or 0
        return (a, b) if self.side is Side.A else (b, a)

    @property
    def own(self) -> str:
        return self.played.a.label if self.side is Side.A else self.played.b.label

    @property
    def opponent(self) -> str:
        return self.played.b.label if self.side is Side.A else self.played.a.label

    @property
    def score(self) -> tuple[int, int] | None:
        """Return the score, with the player's own points first; None while it is in dispute."""
        if self.played.score is None or self.played.status is MatchState.DISPUTED:
            return None
        return self._own_first(self.played.score)

    @property
    def reported(self) -> tuple[int, int] | None:
        """Return the score that the player reported, with their own points first."""
        return self._own_first(self.mine.sheet.score) if self.mine else None

    def _own_first(self, score: MatchScore) -> tuple[int, int]:
        return (score.a, score.b) if self.side is Side.A else (score.b, score.a)

    @property
    def next_game(self) -> int:
        return len(self.mine.sheet.games) + 1 if self.mine else 1

    @property
    def takes_reports(self) -> bool:
        """Whether a result may still be reported, nothing having been confirmed yet."""
        return _is_open(self.played)

    @property
    def takes_games(self) -> bool:
        return self.takes_reports and (
            self.mine is None or not (self.mine.sheet.is_final_only or self.mine.sheet.score.over)
        )


@require_safe
@never_cache
def my_entry(request: HttpRequest, token: str) -> HttpResponse:
    return _render(request, _entry(token), token, {})


@require_POST
@csrf_protect
def report(request: HttpRequest, token: str, match_id: str, way: str) -> HttpResponse:
    """Report a game or a final score for this side; anything refused comes back as typed."""
    entry = _entry(token)
    match, side = _seat(entry, int(match_id))
    form = REPORT_FORMS[way](request.POST)
    typed = {"opened": match.pk, "way": way, "form": form}
    if not form.is_valid():
        return _render(request, entry, token, {**typed, "problem": _("Something is missing or is not a number.")}, 400)
    try:
        claim = form.claim(_games_before(match, form.cleaned_data["base"]))
        report_result(match, claim=claim, side=side, by=None, at=timezone.now())
    except Unconfirmed as unconfirmed:
        return _render(request, entry, token, {**typed, "unconfirmed": unconfirmed}, unconfirmed.status)
    except Refusal as refusal:
        return _render(request, entry, token, {"opened": match.pk, "refusal": refusal}, refusal.status)
    messages.success(request, _("Thank you. Your report has been sent."))
    return redirect("my-entry", token=token)


@require_POST
@csrf_protect
def answer(request: HttpRequest, token: str, match_id: str, action: str) -> HttpResponse:
    """Confirm or dispute the opponent's report."""
    entry = _entry(token)
    match, side = _seat(entry, int(match_id))
    form = ReportForm(request.POST)
    if not form.is_valid():
        return _render(request, entry, token, {"problem": _("Something is missing or is not a number.")}, 400)
    number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
    try:
        if action == "confirm":
            confirm_result(match, number=number, side=side, by=None, at=timezone.now())
        else:
            dispute_result(match, number=number, side=side, reason=reason, by=None, at=timezone.now())
    except Refusal as refusal:
        return _render(request, entry, token, {"opened": match.pk, "refusal": refusal}, refusal.status)
    messages.success(
        request, _("The result has been confirmed.") if action == "confirm" else _("The director will settle it.")
    )
    return redirect("my-entry", token=token)


def _entry(token: str) -> Entry:
    """Find the entry behind the private link. Raises Http404."""
    entry_id = entry_id_of(token)
    if entry_id is None:
        raise Http404
    found = Entry.objects.select_related("player", "partner", "event__tournament")
    return get_object_or_404(found, pk=entry_id, event__in=Event.objects.all())


def _seat(entry: Entry, match_id: int) -> tuple[Match, Side]:
    """Find the match and the entry's side in it. Raises Http404 for a match between others."""
    match = get_object_or_404(Match, pk=match_id)
    fixture = find_fixture(match)
    if fixture is None or entry.pk not in {fixture.entry_a_id, fixture.entry_b_id}:
        raise Http404
    return match, Side.A if entry.pk == fixture.entry_a_id else Side.B


def _games_before(match: Match, base: int) -> tuple[GameResult, ...]:
    """Return the games of the report that the form showed, so that submitting it twice makes the same claim."""
    sheet = match.sheets.filter(number=base).prefetch_related("lines").first()
    return claim_of(sheet).games if sheet else ()


def _render(request: HttpRequest, entry: Entry, token: str, extra: dict, status: int = 200) -> HttpResponse:
    snapshot = take_snapshot(entry.event_id)
    matches = _matches_of(snapshot, entry.pk, waiting_in(entry.event.tournament, snapshot))
    return render(
        request,
        "tournament/match/mine.html",
        {
            "entry": entry,
            "event": snapshot,
            "token": token,
            "matches": matches,
            "key": uuid.uuid4().hex,
            "cubes": CUBES,
            **extra,
        },
        status=status,
    )


def _matches_of(snapshot: EventSnapshot, entry_id: int, waits: Mapping[int, str]) -> list[MyMatch]:
    """Return the entry's matches, open ones first, with the boards of each match together.

    The number of queries is fixed, but for one for each dispute.
    """
    met = [fixture for stage in snapshot.stages for fixture in stage.fixtures if entry_id in fixture.entry_ids]
    found = []
    for fixture in sorted(met, key=lambda fixture: not _is_open(fixture)):
        side = Side.A if fixture.a.entry is not None and fixture.a.entry.id == entry_id else Side.B
        for played in fixture.boards or (fixture,):
            if played.match_id is not None:
                mine = next((report for report in played.reports if report.side == side), None)
                theirs = tuple(report for report in played.reports if report.side != side)
                waits_for = waits.get(played.match_id, "")
                found.append(MyMatch(fixture, played, side, mine, theirs, _dispute(played), waits_for))
    return found


def _is_open(played: FixtureSnapshot | BoardSnapshot) -> bool:
    """Whether the match can be played and has no confirmed result."""
    return played.state in {FixtureState.READY, FixtureState.LIVE}


def _dispute(played: FixtureSnapshot | BoardSnapshot) -> str:
    if not any(report.is_disputed for report in played.reports):
        return ""
    match = Match.objects.select_related("side_a", "side_b", "partner_a", "partner_b").get(pk=played.match_id or 0)
    return describe_dispute(match, open_claims(match))
