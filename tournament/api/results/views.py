"""The API for matches: reading them with all sheets, entering, correcting and voiding results, verifying records."""

from collections.abc import Callable
from typing import Any

from django.db.models import Case, F, QuerySet, When
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from matches.claims import Claim
from matches.history import load_history, load_sheet
from matches.models import SIDES, Match, Scoresheet
from players.errors import Conflict, Refusal
from players.statements import Statement
from rules.findings import CODES
from rules.profiles import VariantFault
from rules.records.known import parse_known
from rules.records.record import RecordError
from rules.records.replay import verify
from rules.score import Side
from rules.sheet import Terms
from tournament.api.access import ApiView, user_of
from tournament.api.fields import KeyField
from tournament.api.parsing import RecordParser, RecordTextParser, SGFParser
from tournament.api.players.serializers import VerdictSerializer
from tournament.api.results.serializers import (
    ErrorRatesSerializer,
    MatchDetail,
    MatchSerializer,
    ReserveSerializer,
    ResultSerializer,
    SheetDetail,
    SheetSerializer,
    VoidSerializer,
    WalkoverSerializer,
    claim_from,
    repair_from,
    void_from,
)
from tournament.api.schema import WRITE, problems
from tournament.models import Event
from tournament.models.team import PLACES, by_match, event_of, found_by_match, present_matches
from tournament.reporting.stakes import stakes_of_open
from tournament.results.boards import seat_reserve
from tournament.results.enter import submit_result, void_result
from tournament.results.error_rates import set_error_rates
from tournament.results.walkovers import walk_over
from tournament.roles.authors import NAMES, sees_names
from tournament.roles.claims import withholds_from
from tournament.roles.permissions import may, require
from tournament.roles.throttling import VerifyThrottle

ELSEWHERE = {
    *("length_invalid", "start_invalid", "crawford_done_invalid"),  # of terms that no event can have
    *("winner_invalid", "ending_invalid"),  # not well formed
    *(*VariantFault, "no_cube"),  # of variants that no event has
    *("jacoby_level", "game_count_impossible"),  # of money play, and of a final score with its number of games
}
REFUSALS = (
    *("award_without_side", "final_with_games", "walkover_with_games", "void_with_games", "sheet_empty"),
    "cube_too_large",
    *("award_after_the_end", "key_missing", "keys_differ", "played_at_out_of_range"),
    *(code for code, rule in CODES.items() if code not in ELSEWHERE and not rule.startswith("W")),
)
CONFLICTS = (
    *("confirm_warnings", "sheet_changed", "key_reused", "later_match_begun", "correction_closed"),
    *("event_finished", "match_not_in_draw"),
)
VOID_CONFLICTS = (
    *("sheet_changed", "nothing_to_void", "later_match_begun", "correction_closed", "walkover_of_absence"),
    *("event_finished", "match_not_in_draw"),
)
REPAIR_REFUSALS = ("reason_missing", "stand_without_result")
KEY_HEADER = OpenApiParameter(
    "Idempotency-Key", OpenApiTypes.STR, OpenApiParameter.HEADER, description="Instead of `key` in the body."
)


def find_match(match_id: int) -> Match:
    """Find a present match with all that the API shows of it. Raises Http404."""
    for match in _WHOLE_MATCH.find(Match, match_id):
        return match
    raise Http404


_STANDS = Case(When(acceptance__taken_back_at__isnull=True, then=F("acceptance__reason")))
"""The reason for which the match was accepted; null where that was taken back."""


def _shown() -> QuerySet[Match]:
    return (
        present_matches()
        .select_related(*SIDES, *PLACES)
        .annotate(record_verdict=F("record__verdict"), accepted_for=_STANDS)
    )


def match_for(request: Request, match_id: int, action: str) -> Match:
    """Find the match, if the user may take this action there. Raises Http404, Forbidden, or Conflict outside a draw."""
    return event_and_match_for(request, match_id, action)[1]


def event_and_match_for(request: Request, match_id: int, action: str) -> tuple[Event, Match]:
    """Find the match and its event as :func:`match_for` does."""
    event = found_by_match(_EVENTS, match_id)
    matches = _MATCH.find(Match, match_id) if event is not None else []
    if event is None or not matches:
        find_match(match_id)
        raise Conflict("match_not_in_draw", _("This match does not belong to a draw."))
    require(request.user, event, action)
    return event, matches[0]


_EVENTS = by_match(lambda: Event.objects.select_related("tournament"))
_MATCH = Statement(lambda match: Match.objects.filter(pk=match))
_WHOLE_MATCH = Statement(lambda match: _shown().filter(pk=match))


def may_repair(request: Request) -> Callable[[Event], bool]:
    """Return how to ask whether the user may repair results of an event: the service asks once it has the lock."""
    return lambda event: may(request.user, event, "repair_result")


def _answer_match(request: Request, match_id: int) -> Response:
    match = find_match(match_id)
    history = load_history(match)
    sheets = tuple(SheetDetail.of(history.terms_of(row), row) for row in history.sheets)
    stakes = stakes_of_open(match, timezone.now())
    shown, context = MatchDetail(match, sheets, len(history.rulings), stakes), names_for(request, match)
    data = dict(MatchSerializer(shown, context=context).data)
    if withholds_from(request.user, match, history.reports):
        data["sheets"] = []
    return Response(data)


def names_for(request: Request, match: Match) -> dict[str, object]:
    """Return what serializers of the match need to know about the names of its staff. Asks nothing for a visitor."""
    return {NAMES: request.user.is_authenticated and sees_names(request.user, event_of(match))}


def answer_sheet(match: Match, number: int, status: int) -> Response:
    """Answer with the sheet that has this number, as it is now."""
    return _answer_sheet(*load_sheet(match.pk, number), status)


def _answer_sheet(terms: Terms, sheet: Scoresheet, status: int) -> Response:
    return Response(_SHEETS.to_representation(SheetDetail.of(terms, sheet)), status=status)


_SHEETS = SheetSerializer(context={NAMES: True})
"""For people who may enter results. It remembers nothing of what it shows; making its fields anew takes longer than
showing a sheet."""


def claim_sent(request: Request) -> tuple[Claim, dict[str, Any]]:
    """Return the claim about a result in the request, and the checked body. Raises what :func:`key_from` raises."""
    sent = ResultSerializer.valid(request.data)
    return claim_from(sent, key_from(request, sent.get("key", ""))), sent


def key_from(request: Request, key: str) -> str:
    """Return the idempotency key from the body or header. Raises Refusal if there is none or if the two differ."""
    header = request.headers.get("Idempotency-Key", "")
    if header:
        try:
            KeyField().run_validation(header)
        except ValidationError as error:
            message = _("A submission needs a key of 1 to 64 characters.")
            raise ValidationError({"Idempotency-Key": [ErrorDetail(message, code="invalid")]}) from error
    if key and header and key != header:
        raise Refusal("keys_differ", _("The key in the body differs from the one in the header."))
    if not (key or header):
        raise Refusal("key_missing", _("A submission needs a key, so that sending it twice does no harm."))
    return key or header


class MatchView(ApiView):
    @extend_schema(
        summary="Show a match with every score sheet claimed for it",
        description="Includes superseded and void sheets, in their order: the history of the result. While the match "
        "is in dispute, only those who settle it are shown any.",
        responses={200: MatchSerializer} | problems(),
    )
    def get(self, request: Request, match_id: int) -> Response:
        return _answer_match(request, match_id)


class ResultView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Enter or correct the result of a match",
        description="All games so far, or only a final score, or an award. `base` 0 enters the first sheet; the "
        "number of the current sheet replaces it. The rules check the whole sheet, and the draw "
        "advances with it. Legal but unlikely games are answered with `confirm_warnings`: send the "
        "same again with `confirmed`.",
        parameters=[KEY_HEADER],
        request=ResultSerializer,
        responses={
            201: SheetSerializer,
            200: OpenApiResponse(SheetSerializer, "The sheet of a repeated submission."),
        }
        | problems(*WRITE, refusals=(*REFUSALS, *REPAIR_REFUSALS), conflicts=CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        claim, data = claim_sent(request)
        sheet, is_new = submit_result(
            match,
            claim=claim,
            repair=repair_from(data),
            may_repair=may_repair(request),
            by=user_of(request),
            at=timezone.now(),
        )
        # Whatever has been ruled since, it was claimed under these terms.
        return _answer_sheet(sheet.match.terms, sheet, 201) if is_new else answer_sheet(match, sheet.number, 200)


class VoidView(ApiView):
    @extend_schema(
        summary="Take back the result of a match",
        description="The entry that advanced by it leaves the next match again, unless that has begun.",
        request=VoidSerializer,
        responses={200: SheetSerializer} | problems(*WRITE, refusals=REPAIR_REFUSALS, conflicts=VOID_CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "void_result")
        data = VoidSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sheet = void_result(
            match,
            **void_from(data.validated_data),
            may_repair=may_repair(request),
            by=user_of(request),
            at=timezone.now(),
        )
        return answer_sheet(match, sheet.number, 200)


class ReserveView(ApiView):
    @extend_schema(
        summary="Seat a reserve of a team at a board",
        description="Before the match at it begins. The board's own member returns in the same way. The answer "
        "is the match that is played there now.",
        request=ReserveSerializer,
        responses={200: MatchSerializer}
        | problems(
            *WRITE,
            refusals=("match_without_teams", "not_a_reserve"),
            conflicts=(
                "match_begun",
                "reserve_taken",
                "player_at_another_table",
                "event_finished",
                "match_not_in_draw",
            ),
        ),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "seat_reserve")
        data = ReserveSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        seated = seat_reserve(
            match,
            side=Side(data.validated_data["side"]),
            player_id=data.validated_data["player"],
            by=user_of(request),
            at=timezone.now(),
        )
        return _answer_match(request, seated.pk)


class WalkoverView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Award a match as a walkover, or make it void",
        description="It is void if neither side came: nobody wins it, and the next opponent has a bye. Between teams "
        "send it for any board: every board without a result or a report becomes a walkover, or a forfeit where games "
        "were played.",
        parameters=[KEY_HEADER],
        request=WalkoverSerializer,
        responses={200: MatchSerializer}
        | problems(
            *WRITE,
            refusals=("key_missing", "keys_differ"),
            conflicts=(
                *("boards_decided", "match_begun", "sheet_changed", "key_reused", "later_match_begun"),
                *("event_finished", "match_not_in_draw"),
            ),
        ),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        data = WalkoverSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        walk_over(
            match,
            to=Side(sent["to"]) if sent["to"] else None,
            key=key_from(request, sent.get("key", "")),
            reason=sent["reason"],
            by=user_of(request),
            at=timezone.now(),
        )
        return _answer_match(request, match.pk)


class ErrorRatesView(ApiView):
    @extend_schema(
        summary="Set or correct the error rates of a match",
        description="Where the lower one is a second win, once the match has a confirmed result. Null takes them back.",
        request=ErrorRatesSerializer,
        responses={200: MatchSerializer}
        | problems(
            *WRITE,
            refusals=("rates_not_counted", "error_rate_out_of_range"),
            conflicts=("match_not_played", "event_finished", "match_not_in_draw", "later_match_begun"),
        ),
    )
    def put(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "enter_result")
        data = ErrorRatesSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        rates = data.validated_data["error_rates"]
        thousandths = None if rates is None else (int(rates[0] * 1000), int(rates[1] * 1000))
        set_error_rates(match, rates=thousandths, by=user_of(request), at=timezone.now())
        return _answer_match(request, match.pk)


class VerifyView(ApiView):
    takes_keys = False
    permission_classes = [AllowAny]
    parser_classes = [RecordTextParser, RecordParser, SGFParser]
    throttle_classes = [VerifyThrottle]

    @extend_schema(
        summary="Verify a match record",
        description=(
            "Replays every play, cube action and score of a record through the rules: `.mat` text in any "
            "of its dialects, GNU Backgammon's SGF, eXtreme Gammon's .xg or BGBlitz's .bgf, recognised by its content. "
            "Nothing is stored."
        ),
        parameters=[
            OpenApiParameter("start", str, description="The score at which the record begins, such as 1-0."),
            OpenApiParameter("length", str, description="The length of the match; 0 for money play."),
            OpenApiParameter("left", str, description="The player in the left column; with `right`."),
            OpenApiParameter("right", str, description="The player in the right column."),
            OpenApiParameter(
                "gave_up", str, description="The column of the player who gave up a game: `left` or `right`."
            ),
        ],
        request={
            "text/plain": OpenApiTypes.STR,
            "application/octet-stream": OpenApiTypes.BINARY,
            "application/x-go-sgf": OpenApiTypes.BINARY,
        },
        responses={200: VerdictSerializer} | problems(400, 413, 415, 429),
    )
    def post(self, request: Request) -> Response:
        data = request.data if isinstance(request.data, bytes) else b""
        asked = request.query_params
        names = asked.get("left", ""), asked.get("right", "")
        try:
            said = {key: asked.get(key, "") for key in ("start", "length", "gave_up")}
            known = parse_known(names=names, **said)
        except RecordError as error:
            raise ValidationError(_(error.finding.template) % error.finding.params, code=error.finding.code) from error
        return Response(VerdictSerializer(verify(data, known=known)).data)
