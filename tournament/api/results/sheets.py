"""The API of a score keeper: a phone reads and sends the sheet of one side, whose private link authenticates it.

No cookie is read. The token of a link is a secret, and stands in the address alone: it is neither stored nor logged.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.http import Http404, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from matches.claims import Claim, check_claim
from matches.history import load_history
from matches.models import SIDES, Match
from matches.side_sheets import sheet_of_side
from players.errors import Conflict, Refusal
from rules.score import Side
from tournament.api.access import ApiView
from tournament.api.problems import MEDIA_TYPE, problem_of
from tournament.api.results.sheet_serializers import (
    AnswerSerializer,
    HandedSerializer,
    Place,
    SheetClaimSerializer,
    SheetProblemSerializer,
    SheetStateSerializer,
    games_kept,
    state_as_dict,
)
from tournament.api.results.views import REFUSALS as RESULT_REFUSALS
from tournament.api.schema import WRITE, problems
from tournament.draw.steps import not_in_draw
from tournament.entries.handed import take_handed
from tournament.entries.links import entry_by_link
from tournament.entries.report import confirm_by_link, dispute_by_link, report_by_link, withdraw_by_link
from tournament.models import Entry
from tournament.models.team import find_fixture
from tournament.roles.throttling import AddressThrottle, LinkThrottle
from tournament.snapshot import take_snapshot

NOT_OF_SIDES = ("key_missing", "keys_differ", "played_at_out_of_range")
REFUSALS = (*(code for code in RESULT_REFUSALS if code not in NOT_OF_SIDES), "phones_off")
OTHERS = ("match_of_others", "match_not_in_draw")
CONFLICTS = (
    *("report_changed", "result_confirmed", "key_reused", "report_disputed", "entry_gone", "later_match_begun"),
    *("event_finished", *OTHERS),
)
CLAIM_CONFLICTS = ("confirm_warnings", *CONFLICTS)
ANSWER_CONFLICTS = (*CONFLICTS, "report_gone")


def _problems(*, refusals: tuple[str, ...] = (), conflicts: tuple[str, ...]) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the problems of an operation whose conflicts come with the sheet as it is now."""
    found = problems(*WRITE, 410, 429, refusals=refusals, conflicts=conflicts)
    described = found[409, MEDIA_TYPE]
    return found | {(409, MEDIA_TYPE): OpenApiResponse(SheetProblemSerializer, described.description)}


def find_own(token: str, match_id: int) -> tuple[Entry, Match, Side]:
    """Find the entry behind the link, the match and the entry's side in it.

    Raises Http404 for a text that is no link and for no match, LinkEnded, and Conflict for a match of others.
    """
    entry = entry_by_link(token)
    match = Match.objects.select_related(*SIDES).filter(pk=match_id).first()
    if entry is None or match is None:
        raise Http404
    fixture = find_fixture(match)
    if fixture is None:
        raise not_in_draw()
    if entry.pk not in (fixture.entry_a_id, fixture.entry_b_id):
        raise Conflict("match_of_others", _("This match is between other players."))
    return entry, match, Side.A if entry.pk == fixture.entry_a_id else Side.B


def state_of(entry: Entry, match: Match, side: Side) -> dict[str, object]:
    """Return what the side is told of the match. Raises Conflict if it belongs to no draw any more."""
    event = take_snapshot(entry.event_id)
    fixture = event.fixture_of(match.pk)
    if fixture is None:
        raise not_in_draw()
    played = next((board for board in fixture.boards if board.match_id == match.pk), fixture)
    history = load_history(Match.objects.select_related(*SIDES).get(pk=match.pk))
    sheet = sheet_of_side(history, side, confirm_minutes=event.confirm_minutes)
    return state_as_dict(history.match, Place(event, fixture, played), side, sheet)


def _answer(entry: Entry, match: Match, side: Side) -> Response:
    response = Response(SheetStateSerializer(state_of(entry, match, side)).data)
    patch_cache_control(response, private=True, no_store=True)
    return response


class SideView(ApiView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes: Sequence[type[AddressThrottle]] = (LinkThrottle,)

    def conflict(self, conflict: Conflict, entry: Entry, match: Match, side: Side) -> HttpResponseBase:
        """Answer with the problem and the sheet as it is now."""
        problem = problem_of(conflict)
        told = problem.as_dict() if problem is not None else {}
        body = {**told, "sheet": SheetStateSerializer(state_of(entry, match, side)).data}
        return JsonResponse(body, status=conflict.status, content_type=f"{MEDIA_TYPE}; charset=utf-8")


@contextmanager
def _placed() -> Iterator[None]:
    """Let a refusal of games name the first one as a field of the request."""
    try:
        yield
    except Refusal as refusal:
        games = [finding.game for finding in refusal.findings if finding.game is not None]
        refusal.field = refusal.field or (f"games.{games[0] - 1}" if games else "")
        raise


class SheetView(SideView):
    @extend_schema(
        summary="Show the sheet of one side of a match, by its private link",
        description="What the side has reported, what the opponent and the desk say, and what the rules allow.",
        responses={200: SheetStateSerializer} | problems(410, conflicts=OTHERS),
        auth=[],
    )
    def get(self, request: Request, token: str, match_id: int) -> Response:
        return _answer(*find_own(token, match_id))

    @extend_schema(
        summary="Send the sheet of one side of a match, by its private link",
        description="The whole sheet replaces the side's report. The same `key` again changes nothing. A sheet that "
        "continues the report is taken whatever `base` it names; any other on an outdated `base` is a conflict, which "
        "comes with the sheet as it is. Two sides whose sheets end the match alike have confirmed it. With `confirmed` "
        "false, legal but unlikely games are answered with `confirm_warnings`: send the same again with true.",
        request=SheetClaimSerializer,
        responses={200: SheetStateSerializer}
        | _problems(refusals=(*REFUSALS, "report_not_over"), conflicts=CLAIM_CONFLICTS),
        auth=[],
    )
    def put(self, request: Request, token: str, match_id: int) -> HttpResponseBase:
        entry, match, side = find_own(token, match_id)
        sent = SheetClaimSerializer.valid(request.data)
        games, confirmed = games_kept(sent["games"]), sent["confirmed"]
        claim = Claim(key=sent["key"], base=sent["base"], games=games, confirmed=confirmed)
        try:
            with _placed():
                if sent["agree"]:
                    _require_end(match, claim)
                if claim.games:
                    report_by_link(entry, match, claim=claim, at=timezone.now(), agrees=sent["agree"])
                else:
                    withdraw_by_link(entry, match, base=claim.base, at=timezone.now())
        except Conflict as conflict:
            return self.conflict(conflict, entry, match, side)
        return _answer(entry, match, side)


class YesView(SideView):
    @extend_schema(
        summary="Confirm the opponent's report, by the private link of an entry",
        request=AnswerSerializer,
        responses={200: SheetStateSerializer}
        | _problems(refusals=("report_is_own", "report_not_over"), conflicts=ANSWER_CONFLICTS),
        auth=[],
    )
    def post(self, request: Request, token: str, match_id: int) -> HttpResponseBase:
        entry, match, side = find_own(token, match_id)
        number = AnswerSerializer.valid(request.data)["number"]
        try:
            confirm_by_link(entry, match, number=number, at=timezone.now())
        except Conflict as conflict:
            return self.conflict(conflict, entry, match, side)
        return _answer(entry, match, side)


class NoView(SideView):
    @extend_schema(
        summary="Object to the opponent's report, by the private link of an entry",
        description="The objection stands until its author agrees, or until the desk settles it.",
        request=AnswerSerializer,
        responses={200: SheetStateSerializer}
        | _problems(refusals=("report_is_own", "report_not_over", "reason_unprintable"), conflicts=ANSWER_CONFLICTS),
        auth=[],
    )
    def post(self, request: Request, token: str, match_id: int) -> HttpResponseBase:
        entry, match, side = find_own(token, match_id)
        said = AnswerSerializer.valid(request.data)
        try:
            dispute_by_link(entry, match, **said, at=timezone.now())
        except Conflict as conflict:
            return self.conflict(conflict, entry, match, side)
        return _answer(entry, match, side)


class HandedView(SideView):
    throttle_classes = (AddressThrottle,)

    @extend_schema(
        summary="Deliver a sheet that was handed over without a network, and the opponent's yes",
        description="Both are signed with the private links of their sides; any phone may deliver them, also twice. "
        "Both are taken, or neither is. The answer is the sheet of the side that signed `sheet`.",
        request=HandedSerializer,
        responses={200: SheetStateSerializer}
        | problems(
            *WRITE,
            410,
            429,
            refusals=(*REFUSALS, "report_not_over", "report_is_own", "handed_invalid"),
            conflicts=(*ANSWER_CONFLICTS, "handed_outdated"),
        ),
        auth=[],
    )
    def post(self, request: Request) -> HttpResponseBase:
        sent = HandedSerializer.valid(request.data)
        entry, match, side = take_handed(sent["sheet"], sent["yes"], at=timezone.now())
        return _answer(entry, match, side)


def _require_end(match: Match, claim: Claim) -> None:
    """Raise Refusal if the games that somebody calls the whole match do not end it."""
    is_over = check_claim(match.terms, claim)[0].over if claim.games else False
    if not is_over:
        raise Refusal("report_not_over", _("The match is not over by these games: there is nothing to agree on yet."))
