"""An entry's page, behind its private link: its matches or boards, its reports, and those of opponents to confirm."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect, ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from matches.claims import Claim, claim_of
from matches.differences import describe_dispute
from matches.history import load_history
from matches.models import Match
from matches.reports import open_claims
from matches.side_by_side import SideBySide, lay_side_by_side
from players.errors import Conflict, Refusal, Unconfirmed
from rules.score import MatchScore, Side
from tournament.changes.versions import read_versions
from tournament.draw.chain import load_chain
from tournament.draw.challenges import reach_now
from tournament.draw.closings import closings_of, times_repeated
from tournament.entries.buying_in import may_buy_in
from tournament.entries.links import LinkEnded, read_token, require_open
from tournament.entries.report import confirm_by_link, dispute_by_link, report_by_link
from tournament.hall.waiting import with_waits
from tournament.mine.deadlines import MyDeadline, deadlines_of
from tournament.mine.time_limit import counts_at
from tournament.models import Entry, Event, PublicSource
from tournament.models.team import find_fixture
from tournament.pages.entries.closing_forms import DiceForm, WordForm
from tournament.pages.match.forms import FinalForm, NextGameForm, ReportForm
from tournament.pages.mine.live import PAGE, asked_to_reload, follow_mine, topics_of
from tournament.pages.mine.parts import parts_of
from tournament.pages.returning import name_sides, refuse, retype
from tournament.pages.zone import show_times_of
from tournament.snapshot import (
    BoardSnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    ReportSnapshot,
    SheetSnapshot,
    take_snapshot,
)
from tournament.snapshot.rounds import round_name
from tournament.snapshot.states import MatchState

REPORT_FORMS: dict[str, type[NextGameForm | FinalForm]] = {"game": NextGameForm, "final": FinalForm}
"""The ways to report a result, by the last word of the address."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A report that comes back to the page as it was typed: refused, or with a question about unlikely games.

    It ``is_outdated`` if it continues a report that is no longer the last one.
    """

    match_id: int
    way: str
    form: NextGameForm | FinalForm
    unconfirmed: Unconfirmed | None = None
    is_outdated: bool = False


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match as the entry's player sees it: their report, the opponent's, and where the two differ.

    ``played`` is the fixture itself, or for a team the board that is played for it. Nobody having objected, a report
    counts at ``counts_at``.
    """

    fixture: FixtureSnapshot
    played: FixtureSnapshot | BoardSnapshot
    side: Side
    mine: ReportSnapshot | None
    theirs: tuple[ReportSnapshot, ...]
    dispute: str
    phones: bool = True
    disputed: SideBySide | None = None
    round: str = ""
    counts_at: datetime | None = None
    returned: Returned | None = None
    deadline: MyDeadline | None = None

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
    def forms(self) -> dict[str, NextGameForm | FinalForm]:
        """Return the forms for a report, by way; the one that came back holds what was typed."""
        base = self.start.number if self.start else 0
        found = {}
        for way in REPORT_FORMS:
            initial = {"key": uuid.uuid4().hex, "base": base}
            form = _form(self.played.match_id or 0, way, initial=initial)
            if self.returned is not None and self.returned.way == way:
                form = self.returned.form
                if self.returned.is_outdated:
                    retype(form, **initial)
            name_sides(form, self.played.a.label, self.played.b.label)
            if isinstance(form, FinalForm):
                form.play_to(self.played.length)
            found[way] = form
        return found

    @property
    def start(self) -> SheetSnapshot | None:
        """The sheet that the next game follows: the own report, else what the desk or a scorer has in play."""
        if self.mine is not None:
            return self.mine.sheet
        told = self.played.sheet or next((report.sheet for report in self.theirs if not report.side), None)
        return told if told is not None and told.games and not told.score.over else None

    @property
    def next_game(self) -> int:
        return len(self.start.games) + 1 if self.start else 1

    @property
    def score_of_the_desk(self) -> tuple[int, int] | None:
        """The score of the desk's games that a first report goes on from, with the player's own points first."""
        return self._own_first(self.start.score) if self.start and self.mine is None else None

    @property
    def takes_reports(self) -> bool:
        """Whether a result may still be reported, nothing having been confirmed yet."""
        return _is_open(self.played)

    @property
    def takes_games(self) -> bool:
        """Whether the next game may be reported now, or comes back as typed; without phones only whole matches are."""
        if self.returned is not None and self.returned.way == "game":
            return self.takes_reports
        is_whole = self.mine is not None and (self.mine.sheet.is_final_only or self.mine.sheet.score.over)
        return self.takes_reports and self.phones and not is_whole


def until_it_ends(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the view say that the private link has been replaced or is closed."""

    @wraps(view)
    def answered(request: HttpRequest, token: str, **asked: str) -> HttpResponse:
        try:
            return view(request, token, **asked)
        except LinkEnded as ended:
            if "fragment" in request.GET:
                return asked_to_reload()
            return render(request, "tournament/match/link_ended.html", {"ended": ended}, status=ended.status)

    return answered


@require_safe
@ensure_csrf_cookie  # with the first answer, form or not: two later ones at once would set two
@until_it_ends
def my_entry(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of the entry, or to a page that asks again what has changed on it."""
    entry = entry_of(token)
    return follow_mine(request, entry, lambda template: render_mine(request, entry, token, template=template))


@require_POST
@csrf_protect
@until_it_ends
def report(request: HttpRequest, token: str, match_id: str, way: str) -> HttpResponse:
    """Report a game or a final score for this side; anything refused or asked about comes back as typed."""
    entry = entry_of(token)
    match = match_of(entry, int(match_id))
    form = _form(match.pk, way, request.POST)
    returned = Returned(match.pk, way, form)
    if not form.is_valid():
        return render_mine(request, entry, token, returned=returned, status=400)
    try:
        report_by_link(entry, match, claim=_claim(match, form), at=timezone.now())
    except Unconfirmed as unconfirmed:
        asked = replace(returned, unconfirmed=unconfirmed)
        return render_mine(request, entry, token, returned=asked, status=unconfirmed.status)
    except Conflict as conflict:
        # What was typed comes back to be sent again, now after the last report.
        again = replace(returned, is_outdated=True)
        return render_mine(request, entry, token, returned=again, refusal=conflict, status=conflict.status)
    except Refusal as refusal:
        refuse(form, refusal)
        retype(form, key=uuid.uuid4().hex)
        return render_mine(request, entry, token, returned=returned, status=refusal.status)
    messages.success(request, _("Thank you. Your report has been sent."))
    return redirect("my-entry", token=token)


@require_POST
@csrf_protect
@until_it_ends
def answer(request: HttpRequest, token: str, match_id: str, action: str) -> HttpResponse:
    """Confirm or dispute the opponent's report."""
    entry = entry_of(token)
    match = match_of(entry, int(match_id))
    form = ReportForm(request.POST)
    if not form.is_valid():
        unclear = Refusal("report_missing", _("Choose the report to confirm."))
        return render_mine(request, entry, token, refusal=unclear, status=unclear.status)
    number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
    try:
        if action == "confirm":
            confirm_by_link(entry, match, number=number, at=timezone.now())
        else:
            dispute_by_link(entry, match, number=number, reason=reason, at=timezone.now())
    except Refusal as refusal:
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status)
    messages.success(
        request, _("The result has been confirmed.") if action == "confirm" else _("The director will settle it.")
    )
    return redirect("my-entry", token=token)


def entry_of(token: str) -> Entry:
    """Find the entry behind the private link; the page shows times in the zone of its tournament.

    Raises Http404, and LinkEnded for a link that was valid once.
    """
    link = read_token(token)
    if link is None:
        raise Http404
    found = Entry.objects.select_related("player", "partner", "event__tournament")
    entry = get_object_or_404(found, pk=link.entry, event__in=Event.objects.all())
    require_open(link, entry)
    show_times_of(entry.event.tournament)
    return entry


def match_of(entry: Entry, match_id: int) -> Match:
    """Find the match of the entry. Raises Http404 for a match between others."""
    match = get_object_or_404(Match, pk=match_id)
    fixture = find_fixture(match)
    if fixture is None or entry.pk not in {fixture.entry_a_id, fixture.entry_b_id}:
        raise Http404
    return match


def _claim(match: Match, form: NextGameForm | FinalForm) -> Claim:
    """Return the claim that the valid form makes, with the games of the sheet that it showed.

    Submitting it twice makes the same claim. On the desk's games it is the first report of its side. Raises Refusal.
    """
    sheet = match.sheets.filter(number=form.cleaned_data["base"]).prefetch_related("lines").first()
    claim = form.claim(claim_of(sheet).games if sheet else ())
    return replace(claim, base=0) if sheet is not None and not sheet.side else claim


def _form(match_id: int, way: str, data: QueryDict | None = None, **options: Any) -> NextGameForm | FinalForm:
    """Return a form for a report; its fields have ids of their own, as the page has one form for each match."""
    return REPORT_FORMS[way](data, auto_id=f"%s-{match_id}", **options)


def render_mine(
    request: HttpRequest,
    entry: Entry,
    token: str,
    *,
    returned: Returned | None = None,
    refusal: Refusal | None = None,
    status: int = 200,
    typed: Mapping[str, object] | None = None,
    template: str = PAGE,
) -> HttpResponse:
    """Answer with the page of the entry; what was ``typed`` into another form comes back."""
    topics = topics_of(entry)
    versions = read_versions(entry.event.tournament_id)
    snapshot = with_waits(entry.event.tournament, take_snapshot(entry.event_id), versions)
    matches = [
        replace(match, returned=returned) if returned and returned.match_id == match.played.match_id else match
        for match in _matches_of(snapshot, entry)
    ]
    context = {"entry": entry, "event": snapshot, "token": token, "matches": matches, "refusal": refusal}
    context |= {"word_form": WordForm(), "dice_form": DiceForm(), **_value_of(entry, snapshot)}
    context |= {**_ladder_of(entry, snapshot), **(typed or {})}
    context |= {**parts_of(entry, snapshot, versions, at=timezone.now()), **topics}
    context["may_buy_in"] = snapshot.takes_buy_ins and may_buy_in(entry)
    if snapshot.public_source == PublicSource.DICE:
        context["repeated"] = times_repeated(entry)
    return render(request, template, context, status=status)


def _value_of(entry: Entry, snapshot: EventSnapshot) -> dict[str, object]:
    """Return the closing to whose public value the entry can add something, and the word that it has given."""
    closings = closings_of(entry.event) if snapshot.entries_closed and snapshot.next_stage is not None else ()
    closing = next((one for one in closings if one.voided_at is None and not one.is_used), None)
    if closing is None or not entry.is_drawn_in(closing.stage):
        return {}
    given = next((one.word for one in closing.words if one.number == entry.number), "")
    takes = closing.source in (PublicSource.WORDS, PublicSource.DICE) and not closing.value
    return {"closing": closing, "my_word": given} if takes else {}


def _ladder_of(entry: Entry, snapshot: EventSnapshot) -> dict[str, object]:
    """Return whom a player on a ladder may challenge, or their open challenge."""
    stage = snapshot.stage
    names = {one.id: one for one in stage.rungs}
    if entry.pk not in names or snapshot.finished_at is not None or entry.left_at is not None:
        return {}
    chain = load_chain(entry.event)
    (drawn,) = (one for one in chain.stages if one.pk == stage.id)
    may = reach_now(chain, drawn, at=timezone.now()).of(entry.pk)
    waiting = stage.in_state(FixtureState.READY, FixtureState.LIVE)
    opened = next((one for one in waiting if entry.pk in one.entry_ids), None)
    is_mine = opened is not None and opened.a.entry is not None and opened.a.entry.id == entry.pk
    return {
        "on_ladder": True,
        "my_rung": list(names).index(entry.pk) + 1,
        "open_challenge": opened,
        "is_my_challenge": is_mine,
        "is_overdue": opened is not None and opened.is_overdue(timezone.localdate()),
        "can_withdraw": is_mine and opened is not None and opened.state is FixtureState.READY and not opened.reports,
        "may_challenge": [names[id] for id in may],
    }


def _matches_of(snapshot: EventSnapshot, entry: Entry) -> list[MyMatch]:
    """Return the entry's matches, open ones first, with the boards of each match together.

    The number of queries is fixed, but for some for each match about which more than one has told something, or in
    which a report waits for the end of its time.
    """
    drawn = [(stage, fixture) for stage in snapshot.stages for fixture in stage.fixtures]
    met = [(stage, fixture) for stage, fixture in drawn if entry.pk in fixture.entry_ids]
    deadlines, found = dict(deadlines_of(snapshot, entry, at=timezone.now())), []
    for stage, fixture in sorted(met, key=lambda one: not _is_open(one[1])):
        round = round_name(stage, fixture)
        side = Side.A if fixture.a.entry is not None and fixture.a.entry.id == entry.pk else Side.B
        for played in fixture.boards or (fixture,):
            if played.match_id is not None:
                mine = next((report for report in played.reports if report.side == side), None)
                theirs = tuple(report for report in played.reports if report.side != side)
                told, claims = _dispute(played)
                limit = counts_at(snapshot, played)
                about = fixture, played, side, mine, theirs, told, snapshot.phones, claims, round, limit
                # Boards of a team share the deadline of their match, which is told with the first of them.
                found.append(MyMatch(*about, deadline=deadlines.pop((stage.number, fixture.key), None)))
    return found


def _is_open(played: FixtureSnapshot | BoardSnapshot) -> bool:
    """Whether the match can be played and has no confirmed result."""
    return played.state in {FixtureState.READY, FixtureState.LIVE}


def _dispute(played: FixtureSnapshot | BoardSnapshot) -> tuple[str, SideBySide | None]:
    """Return where the claims differ, also while the match goes on, and if disputed both; one claim needs no query."""
    told = [report.sheet for report in played.reports]
    if not told or len(told) + (played.sheet is not None) < 2:
        return "", None
    match = Match.objects.select_related("side_a", "side_b", "partner_a", "partner_b").get(pk=played.match_id or 0)
    if played.status is not MatchState.DISPUTED:
        return describe_dispute(match, open_claims(match)), None
    history = load_history(match)
    return describe_dispute(match, history.claims), lay_side_by_side(history)
