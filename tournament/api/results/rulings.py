"""The API for rulings, which everybody may read and a director of the tournament makes."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches.history import load_history
from rules.findings import CODES
from tournament.api.access import ApiView, user_of
from tournament.api.results.ruling_serializers import NewRulingSerializer, RulingSerializer, ruling_from
from tournament.api.results.serializers import repair_from
from tournament.api.results.views import ELSEWHERE, KEY_HEADER, find_match, key_from, match_for, may_repair, names_for
from tournament.api.schema import WRITE, problems
from tournament.results.rulings import preview_ruling, rule_match
from tournament.roles.authors import NAMES
from tournament.roles.claims import withholds_from

REFUSALS = (
    *("reason_missing", "key_missing", "keys_differ", "cube_too_large", "ruling_on_award"),
    *("award_after_the_end", "stand_without_result"),
    *("penalty_invalid", "penalty_none", "penalty_after_end", "penalty_both_lost", "penalty_both_won"),
    *("annul_after_next_game", "annul_after_recording", "annul_in_time", "no_crawford_double"),
    *("length_not_another", "length_already_reached", "length_games_needed", "resumed_after_end"),
    "crawford_done_invalid",
    *(code for code, rule in CODES.items() if code not in {*ELSEWHERE, "final_invalid"} and not rule.startswith("W")),
)
CONFLICTS = (
    *("sheet_changed", "ruling_changed", "key_reused", "later_match_begun"),
    *("event_finished", "match_not_in_draw"),
)


class RulingsView(ApiView):
    keeps_keys = True

    @extend_schema(
        operation_id="matches_rulings_list",
        summary="List the rulings on a match, in their order",
        responses={200: RulingSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = find_match(match_id)
        names = names_for(request, match)
        history = load_history(match)
        data: list[Any] = list(RulingSerializer(history.ruled(), many=True, context=names).data)
        if withholds_from(request.user, match, history.reports):
            data = [{**ruled, "before": None, "after": None} for ruled in data]
        return Response(data)

    @extend_schema(
        summary="Make a ruling on a match",
        description="It changes the terms, the score sheet or both, and the draw advances with it. With "
        "`preview` the answer says what it would change, and nothing is stored.",
        parameters=[KEY_HEADER],
        request=NewRulingSerializer,
        responses={
            201: RulingSerializer,
            200: OpenApiResponse(RulingSerializer, "A preview, or the ruling of a repeated submission."),
        }
        | problems(*WRITE, refusals=REFUSALS, conflicts=CONFLICTS),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "rule_match")
        data = NewRulingSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        asked = ruling_from(data.validated_data, key_from(request, data.validated_data.get("key", "")))
        by, now = user_of(request), timezone.now()
        if data.validated_data["preview"]:
            preview = preview_ruling(match, request=asked, by=by, at=now)
            return Response(RulingSerializer(preview, context={NAMES: True}).data)
        repair, allowed = repair_from(data.validated_data), may_repair(request)
        ruled, is_new = rule_match(match, request=asked, repair=repair, may_repair=allowed, by=by, at=now)
        return Response(RulingSerializer(ruled, context={NAMES: True}).data, status=201 if is_new else 200)
