"""Money sessions: those of a user, and one with its games, its account and its settlement."""

from itertools import groupby
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from matches.money_play import add_game, begin_session, delete_session, settle_session, take_back_game
from matches.money_sessions import MoneySession
from players.errors import Refusal
from rules.game import JACQUET_START
from rules.ids import position_id
from rules.keeper import word_of
from rules.money import account, settle
from tournament.pages.returning import refuse
from tournament.pages.rules.money_forms import ENDINGS, MoneyGameForm, MoneyTermsForm
from tournament.roles.permissions import require_signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def money_sessions(request: HttpRequest) -> HttpResponse:
    """List the user's own sessions, and begin another."""
    user = require_signed_in(request.user)
    form = MoneyTermsForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(begin_session(form.terms(), by=user, at=timezone.now()))
        except Refusal as refusal:
            refuse(form, refusal)
    context = {"form": form, "sessions": MoneySession.objects.filter(owner=user).order_by("-pk")[:100]}
    return render(request, "tournament/rules/money_sessions.html", context, status=400 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def money_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """Show a session of the user's own, and add a game to it."""
    user = require_signed_in(request.user)
    session = get_object_or_404(MoneySession, pk=session_id, owner=user)
    last = session.results.order_by("-number").first()
    form = MoneyGameForm(session, request.POST or None, initial={"box": last.box if last else 0})
    if request.method == "POST" and form.is_valid():
        try:
            add_game(session, form.results(), number=form.cleaned_data["number"], by=user)
            return redirect(session)
        except Refusal as refusal:
            refuse(form, refusal)
    return _page(request, session, form)


@require_POST
@login_required
def money_act(request: HttpRequest, session_id: int, action: str) -> HttpResponse:
    """Take the last game back, settle the session or delete it."""
    user = require_signed_in(request.user)
    session = get_object_or_404(MoneySession, pk=session_id, owner=user)
    if action == "delete":
        delete_session(session, by=user)
        return redirect("money-sessions")
    number = request.POST.get("number", "")
    if action == "take-back" and not (number.isascii() and number.isdigit() and len(number) < 6):
        raise Http404
    try:
        if action == "take-back":
            take_back_game(session, number=int(number), by=user)
        else:
            settle_session(session, by=user, at=timezone.now())
    except Refusal as refusal:
        form = MoneyGameForm(session, {})
        form.errors.clear()
        form.add_error(None, str(refusal))
        return _page(request, session, form)
    return redirect(session)


def _page(request: HttpRequest, session: MoneySession, form: MoneyGameForm) -> HttpResponse:
    rows = [(row.number, row.result) for row in session.results.order_by("number", "seat")]
    names, endings = session.names, dict(ENDINGS)
    games = [
        (number, [(names[one.box], names[one.seat], one, endings[word_of(one.game)]) for _number, one in results])
        for number, results in groupby(rows, key=lambda row: row[0])
    ]
    totals = account([result for _number, result in rows], len(names))
    worth = [(names[one.payer], names[one.payee], one.points, one.points * session.stake) for one in settle(totals)]
    board = {"profile": session.profile, **({"id": position_id(JACQUET_START)} if session.jacquet else {})}
    context = {
        "session": session,
        "form": form,
        "games": games,
        "totals": list(zip(names, totals, strict=True)),
        "transfers": worth,
        "next_number": len(games) + 1,
        "board": urlencode(board),
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournament/rules/money_session.html", context, status=status)
