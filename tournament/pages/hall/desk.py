"""The director's desk: everything to be done in the hall now, each with a single tap."""

import uuid
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from matches.models import SIDES, Match
from players.errors import Conflict, Refusal
from players.models import Player, User
from players.statements import Statement, columns_of
from rules.score import Side
from tournament.changes.versions import Versions
from tournament.entries.page_requests import waiting_requests
from tournament.hall.announcements import current as announced
from tournament.hall.calling import call_match, call_ready, move_match, recall_match, start_match
from tournament.hall.desk import take_desk
from tournament.hall.director_calls import come_to_match, end_director_call
from tournament.hall.recent import read_recent
from tournament.hall.search import find_in_hall
from tournament.models import Event, PageRequest, Tournament
from tournament.models.team import event_of
from tournament.pages.following import find_tournament, tournament_for
from tournament.pages.hall.following import hall_page
from tournament.pages.hall.forms import AnnouncementForm, TableForm
from tournament.pages.match.forms import FinalForm, ReportForm, WalkoverForm
from tournament.pages.returning import Returned, refuse
from tournament.pictures.wall import clocks_of, read_starts
from tournament.results.enter import enter_result
from tournament.results.reports import confirm_result
from tournament.results.walkovers import walk_over
from tournament.roles.claims import SETTLES
from tournament.roles.permissions import Reach, forbidden, may, reaches_in, require


@require_safe
@login_required
def desk(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament = find_tournament(tournament_slug)
    reaches = reaches_in(request.user, tournament)
    if not reaches["see_desk"].whole:
        raise forbidden(tournament, "see_desk")
    return desk_page(request, tournament, reaches)


def desk_page(
    request: HttpRequest,
    tournament: Tournament,
    reaches: Mapping[str, Reach],
    status: int = 200,
    said: Mapping[str, object] | None = None,
) -> HttpResponse:
    """Answer with the desk of somebody with these ``reaches``, and what is ``said`` about an act that was refused.

    ``said`` may hold a form of the desk that comes back.
    """
    return hall_page(
        request,
        tournament,
        template="hall/desk",
        at=timezone.now(),
        context=lambda versions: {**_context(request, tournament, reaches, versions), **(said or {})},
        allowed=[(action, reach.whole, sorted(reach.events)) for action, reach in reaches.items()],
        status=status,
    )


@require_safe
@login_required
def find(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the search results to a page that asks while somebody is typing."""
    tournament, _user = tournament_for(request, tournament_slug, "see_desk")
    return render(request, "tournament/hall/_found.html", _found(request, tournament))


@require_POST
@login_required
def act(request: HttpRequest, tournament_slug: str, match_id: str, action: str) -> HttpResponse:
    """Call, start, move or recall a match, enter, award or confirm its result, and show on the desk what came of it."""
    tournament = find_tournament(tournament_slug)
    match = _find_match(int(match_id))
    event = event_of(match) if match else None
    if match is None or event is None or event.deleted_at is not None or event.tournament_id != tournament.pk:
        require(request.user, tournament, "see_desk")
        return answer(request, tournament, _refuse_gone)
    do, needed = ACTS[action]
    user = require(request.user, event, needed)
    return answer(request, tournament, lambda: do(request, match, user), typed=_typed(request, match, action))


def _find_match(match_id: int) -> Match | None:
    """Find the match with its players; None if there is none with this id."""
    first, width = len(columns_of(Match)), len(columns_of(Player))
    for row in _MATCH.rows(match_id):
        match = Match.from_db(connection.alias, columns_of(Match), row[:first])
        for place, side in enumerate(SIDES):
            player = row[first + place * width : first + (place + 1) * width]
            if getattr(match, f"{side}_id") is not None:
                setattr(match, side, Player.from_db(connection.alias, columns_of(Player), player))
        return match
    return None


_MATCH = Statement(
    lambda pk: Match.objects.filter(pk=pk).values_list(
        *columns_of(Match), *(f"{side}__{column}" for side in SIDES for column in columns_of(Player))
    )
)


def _typed(request: HttpRequest, match: Match, action: str) -> Returned | None:
    """Return what was typed for the match, to come back to its row."""
    return Returned(action, match.pk, FORMS[action](request.POST)) if action in FORMS else None


@require_POST
@login_required
def call_all(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Call the ready matches, or only those of the event by which the desk is filtered."""
    tournament, user = tournament_for(request, tournament_slug, "call_match")
    event = tournament.events.filter(slug=_slug_asked(request)).first()
    return answer(request, tournament, lambda: _call_all(tournament, event, user))


def _context(
    request: HttpRequest, tournament: Tournament, reaches: Mapping[str, Reach], versions: Versions
) -> dict[str, object]:
    """Return the whole desk, or with ``?event=`` and the slug of an event on it only the matches of that event."""
    found = _found(request, tournament) if request.GET.get("q") else {}
    whole, slug = take_desk(tournament, at=timezone.now(), versions=versions), _slug_asked(request)
    whole = whole.without_claims(reaches[SETTLES])
    event = next((event for event in whole.events if event.slug == slug), None)
    return {
        "desk": whole.of_event(event.id) if event else whole,
        "events": whole.events,
        "clocks": clocks_of(whole, read_starts(tournament)),
        "recent": read_recent(tournament, reaches),
        "open_matches": len(whole.matches),
        "asked_event": event,
        "key": uuid.uuid4().hex,
        "may": {action for action, reach in reaches.items() if reach.whole},
        "may_call": reaches["call_match"],
        "may_settle": reaches[SETTLES],
        "may_confirm": reaches["confirm_report"],
        "page_requests": _page_requests(tournament, reaches["change_entries"], event.id if event else None),
        **_announcing(tournament, reaches["announce"]),
        **found,
    }


def _announcing(tournament: Tournament, reach: Reach) -> dict[str, object]:
    """Return what is announced, and the form of those who may announce something."""
    form = {"announce_form": AnnouncementForm(tournament=tournament, reach=reach)} if reach else {}
    return {"announcements": announced(tournament, None, timezone.now()), "may_announce": reach, **form}


def _page_requests(tournament: Tournament, reach: Reach, event: int | None) -> list[PageRequest]:
    """Return the players who ask for their page, of those whom somebody with this ``reach`` may let in."""
    waiting = waiting_requests(tournament, timezone.now()) if reach else ()
    return [one for one in waiting if one.entry.event_id in reach and event in (None, one.entry.event_id)]


def _slug_asked(request: HttpRequest) -> str:
    """Return the slug of the event by which the desk is filtered, as typed; empty for all events."""
    return (request.POST if request.method == "POST" else request.GET).get("event", "")[:80]


def _found(request: HttpRequest, tournament: Tournament) -> dict[str, object]:
    asked = request.GET.get("q", "")[:80]
    return {"asked": asked, "tournament": tournament, "found": find_in_hall(tournament, asked, at=timezone.now())}


def answer(
    request: HttpRequest, tournament: Tournament, do: Callable[[], str], *, typed: Returned | None = None
) -> HttpResponse:
    """Answer with the result and a signal that the desk has changed, or, without a script, with the whole page."""
    context: Mapping[str, object]
    try:
        context, status = {"said": do()}, 200
    except Refusal as refusal:
        context, status = {"refusal": refusal}, refusal.status
    if request.htmx:  # type: ignore[attr-defined]
        answer = render(request, "tournament/hall/_desk_said.html", context, status=status)
        # A typing error is corrected in the form as it stands; after any other answer the hall has changed.
        return answer if status == Refusal.status else trigger_client_event(answer, "event-changed")
    if status != 200:
        if typed is not None and status == Refusal.status:
            refuse(typed.form, context["refusal"])  # type: ignore[arg-type]
            context = {"returned": typed}
        elif typed is not None:
            context = {**context, "returned": typed}
        return desk_page(request, tournament, reaches_in(request.user, tournament), status, context)
    messages.success(request, str(context["said"]))
    slug = _slug_asked(request)
    way_back = redirect("desk", tournament.slug)
    if slug:
        way_back["Location"] += f"?{urlencode({'event': slug})}"
    return way_back


def _call(request: HttpRequest, match: Match, director: User) -> str:
    call = call_match(match, table=_table(request), by=director, at=timezone.now())
    if call.table is None:
        return _("%(match)s: called.") % {"match": match}
    return _("%(match)s: table %(table)s.") % {"match": match, "table": call.table.number}


def _start(request: HttpRequest, match: Match, director: User) -> str:
    call = start_match(match, by=director, at=timezone.now())
    if call.table is None:
        return _("%(match)s: started.") % {"match": match}
    return _("%(match)s: started at table %(table)s.") % {"match": match, "table": call.table.number}


def _move(request: HttpRequest, match: Match, director: User) -> str:
    table = _table(request)
    if table is None:
        raise Refusal("table_missing", _("Choose a table."))
    call = move_match(match, table=table, by=director, at=timezone.now())
    return _("%(match)s: table %(table)s.") % {"match": match, "table": call.table_number}


def _recall(request: HttpRequest, match: Match, director: User) -> str:
    recall_match(match, by=director, at=timezone.now())
    return _("%(match)s: recalled.") % {"match": match}


def _enter(request: HttpRequest, match: Match, director: User) -> str:
    form = FinalForm(request.POST)
    if not form.is_valid():
        raise Refusal("score_missing", _("Give both scores as numbers."))
    at = timezone.now()
    enter_result(
        match, claim=form.claim(()), may_repair=lambda event: may(director, event, "repair_result"), by=director, at=at
    )
    a, b = form.cleaned_data["final_a"], form.cleaned_data["final_b"]
    return _("%(match)s: %(a)s–%(b)s.") % {"match": match, "a": a, "b": b}


def _walkover(request: HttpRequest, match: Match, director: User) -> str:
    form = WalkoverForm(request.POST)
    if not form.is_valid():
        raise Refusal("walkover_missing", _("Choose who came."))
    to = form.cleaned_data["to"]
    walk_over(match, to=Side(to) if to else None, key=form.cleaned_data["key"], by=director, at=timezone.now())
    if not to:
        return _("%(match)s: void, neither side came.") % {"match": match}
    name = match.name_a if to == Side.A else match.name_b
    return _("%(match)s: walkover for %(name)s.") % {"match": match, "name": name}


def _confirm(request: HttpRequest, match: Match, director: User) -> str:
    form = ReportForm(request.POST)
    if not form.is_valid():
        raise Refusal("report_missing", _("Choose the report to confirm."))
    confirm_result(match, number=form.cleaned_data["number"], by=director, at=timezone.now())
    return _("%(match)s: result confirmed.") % {"match": match}


def _come(request: HttpRequest, match: Match, director: User) -> str:
    come_to_match(match, by=director, at=timezone.now())
    return _("%(match)s: the players see that you are coming.") % {"match": match}


def _helped(request: HttpRequest, match: Match, director: User) -> str:
    end_director_call(match, by=director, at=timezone.now())
    return _("%(match)s: the call for the director is done.") % {"match": match}


def _refuse_gone() -> str:
    raise Conflict("match_not_in_draw", _("This match is no longer in the draw. The desk now shows the current state."))


def _call_all(tournament: Tournament, event: Event | None, director: User) -> str:
    calls = call_ready(tournament, event=event, by=director, at=timezone.now())
    return ngettext("%(count)s match called.", "%(count)s matches called.", len(calls)) % {"count": len(calls)}


def _table(request: HttpRequest) -> int | None:
    form = TableForm(request.POST)
    if not form.is_valid():
        raise Refusal("table_missing", _("Give the number of the table."))
    return form.cleaned_data["table"]


FORMS: dict[str, type[TableForm | FinalForm]] = {"call": TableForm, "move": TableForm, "enter": FinalForm}
"""What can be typed for a match, by the last word of the address."""

ACTS: dict[str, tuple[Callable[[HttpRequest, Match, User], str], str]] = {
    "call": (_call, "call_match"),
    "start": (_start, "call_match"),
    "move": (_move, "call_match"),
    "recall": (_recall, "call_match"),
    "come": (_come, "call_match"),
    "helped": (_helped, "call_match"),
    "enter": (_enter, "enter_result"),
    "walkover": (_walkover, "enter_result"),
    "confirm": (_confirm, "confirm_report"),
}
"""What can be done with one match, by the last word of the address, and the action that must be allowed."""
