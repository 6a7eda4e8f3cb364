"""The API for the rules desk: what is legal, what is wrong with a play, who is ahead."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from rules.equity import win_probability
from rules.ids import position_id
from rules.profiles import PROFILES
from rules.score import Side
from tournament.api.access import ApiView
from tournament.api.rules.serializers import (
    DisputesAnswer,
    DisputeSerializer,
    EquityAnswer,
    EquityQuestion,
    JudgeAnswer,
    JudgeQuestion,
    PlaysAnswer,
    PlaysQuestion,
    ProfileQuestion,
)
from tournament.api.schema import problems
from tournament.referee.answers import Judgement, Plays, disputes, judge, list_plays
from tournament.roles.throttling import AddressThrottle


class RulesThrottle(AddressThrottle):
    """A rate limit, since a single question may be answered with a thousand plays."""

    scope = "rules"
    rate = "120/min"


class PlaysView(ApiView):
    throttle_classes = [RulesThrottle]

    @extend_schema(
        summary="List the legal plays of a roll",
        parameters=[PlaysQuestion],
        responses={200: PlaysAnswer} | problems(429),
    )
    def get(self, request: Request) -> Response:
        asked = _asked(PlaysQuestion, request)
        plays = _plays(asked)
        return Response(_listed(plays))


class JudgeView(ApiView):
    throttle_classes = [RulesThrottle]

    @extend_schema(
        summary="Judge a play: is it legal, and which rule does it break?",
        parameters=[JudgeQuestion],
        responses={200: JudgeAnswer} | problems(429),
    )
    def get(self, request: Request) -> Response:
        asked = _asked(JudgeQuestion, request)
        plays = _plays(asked)
        verdict = judge(plays, asked["play"])
        return Response(
            _listed(plays)
            | {
                "play": plays.text_of(asked["play"]),
                "legal": verdict.fault is None,
                "after": position_id(verdict.after.swapped()) if verdict.after else None,
                "fault": _fault(verdict),
                "follows": verdict.follows and DisputeSerializer(verdict.follows).data,
                "made": position_id(verdict.made.swapped()) if verdict.made and verdict.follows else None,
            }
        )


class DisputesView(ApiView):
    throttle_classes = [RulesThrottle]

    @extend_schema(
        summary="Show what follows an illegal play, an invalid or early roll, or a late double",
        parameters=[ProfileQuestion],
        responses={200: DisputesAnswer} | problems(429),
    )
    def get(self, request: Request) -> Response:
        slug = _asked(ProfileQuestion, request)["profile"]
        return Response({"profile": slug, "disputes": DisputeSerializer(disputes(PROFILES[slug]), many=True).data})


class EquityView(ApiView):
    throttle_classes = [RulesThrottle]

    @extend_schema(
        summary="Show how likely each side is to win the match from a score",
        parameters=[EquityQuestion],
        responses={200: EquityAnswer} | problems(429),
    )
    def get(self, request: Request) -> Response:
        asked = _asked(EquityQuestion, request)
        score, table = asked["score"], asked["table"]
        try:
            chances = [round(win_probability(score, side=side, table=table), 6) for side in Side]
        except ValueError as error:
            refusal = _("The tables cover at most 25 points to go for either side.")
            raise ValidationError(refusal, code="beyond_table") from error
        answer = {"table": table.slug, "source": table.source, "phase": score.phase, "a": chances[0], "b": chances[1]}
        return Response(answer)


def _plays(asked: dict) -> Plays:
    situation = asked["position"]
    return list_plays(situation.position, asked["roll"], PROFILES[asked["profile"]], situation.on_roll)


def _asked(serializer: type[Serializer], request: Request) -> dict:
    question = serializer(data=dict(request.query_params.items()))
    question.is_valid(raise_exception=True)
    return question.validated_data


def _fault(verdict: Judgement) -> dict[str, object] | None:
    fault = verdict.fault
    if fault is None:
        return None
    return {
        "code": fault.code,
        "message": fault.message,
        "rule": fault.rule,
        "filled_in": fault.filled_in,
        "move": verdict.move or None,
    }


def _listed(plays: Plays) -> dict[str, object]:
    written = [
        {"play": plays.text_of(written.play), "position": position_id(written.after.swapped())}
        for written in plays.written
    ]
    return {
        "position": position_id(plays.position),
        "roll": f"{plays.roll[0]}{plays.roll[1]}",
        "profile": plays.profile.slug,
        "plays": written,
    }
