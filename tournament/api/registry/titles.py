"""The API for titles: what a player has and needs, who has reached one, awards, and the tables of a federation."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import Refusal
from players.models import Player, Title, TitleRules
from players.registry.models import MAX_CODE
from players.registry.roles import require_federation
from players.registry.titles import set_title_table
from tournament.api.access import ApiView, user_of
from tournament.api.fields import IdField, LineField, StrictDateField, StrictSerializer
from tournament.api.registry.bodies import find_federation
from tournament.api.schema import WRITE, problems
from tournament.registry.titles import Tracked, award_title, candidates, matches_missing, record_norm, what_is_missing


class ReachedTitleSerializer(serializers.Serializer):
    code = serializers.CharField()
    on = serializers.DateField(help_text="The day on which it was reached.")


class ReachedNormSerializer(serializers.Serializer):
    kind = serializers.CharField()
    on = serializers.DateField()
    matches = serializers.ListField(child=serializers.IntegerField())


class TitleProgressSerializer(serializers.Serializer):
    """How far a player is from the next title of a federation."""

    federation = serializers.CharField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    award = ReachedTitleSerializer(allow_null=True, help_text="A title that is reached and not awarded yet.")
    next = serializers.CharField(allow_null=True, help_text="The code of the next title; null if there is none.")
    missing = serializers.CharField(help_text="What is missing for it, in a sentence.")
    points = serializers.IntegerField(help_text="Points of the analysed matches that count.")
    missing_points = serializers.IntegerField()
    pr = serializers.DecimalField(9, 2, allow_null=True, help_text="The performance rating over them.")
    pr_needed = serializers.DecimalField(9, 3, allow_null=True)
    thirds = serializers.IntegerField(help_text="Thirds of norms that count.")
    missing_thirds = serializers.IntegerField()
    norms = ReachedNormSerializer(many=True, help_text="Norms that are reached and not recorded yet.")
    missing_matches = serializers.IntegerField(allow_null=True, help_text="How many matches the next norm needs.")
    missing_for_norm = serializers.CharField(help_text="The same in a sentence; empty if norms follow from no matches.")


def told(tracked: Tracked) -> dict[str, Any]:
    """Return what a client reads of it."""
    progress, norm = tracked.progress, tracked.progress.norm
    reached = norm.reached if norm else ()
    return {
        "federation": tracked.federation.code,
        "player": tracked.player.pk,
        "name": tracked.player.name,
        "award": progress.award and {"code": progress.award[0].code, "on": progress.award[1]},
        "next": progress.next and progress.next.code,
        "missing": what_is_missing(progress),
        "points": progress.performance.points,
        "missing_points": progress.missing_points,
        "pr": progress.performance.shown,
        "pr_needed": progress.next and progress.next.limit,
        "thirds": progress.thirds,
        "missing_thirds": progress.missing_thirds,
        "norms": [{"kind": norm.rule.kind, "on": one.on, "matches": one.matches} for one in reached] if norm else [],
        "missing_matches": norm and norm.missing,
        "missing_for_norm": matches_missing(progress),
    }


class AwardedTitleSerializer(serializers.ModelSerializer):
    class Meta:
        model = Title
        fields = ["issuer", "code", "on"]


class PlayerTitlesSerializer(serializers.Serializer):
    titles = AwardedTitleSerializer(many=True)
    progress = TitleProgressSerializer(many=True, help_text="In each federation that has a table of titles.")


class AwardSerializer(StrictSerializer):
    """A `title` to award, or the day `norm_on` of a norm to record."""

    player = IdField()
    title = LineField(most=MAX_CODE, required=False, default="", allow_blank=True)
    norm_on = StrictDateField(required=False, allow_null=True, default=None)


class FederationTitlesView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="List who has reached a title or a norm, or is near a title",
        description="For officers of the federation. First those who have reached what is not recorded yet.",
        responses={200: TitleProgressSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str) -> Response:
        federation, by = find_federation(code), user_of(request)
        require_federation(by, federation)
        found = candidates(federation, timezone.localdate(), by=by)
        return Response(TitleProgressSerializer([told(one) for one in found], many=True).data)

    @extend_schema(
        summary="Award a title that a player has reached, or record a norm",
        description="For officers of the federation. It is recorded from the day on which it was reached.",
        request=AwardSerializer,
        responses={201: TitleProgressSerializer(many=True)}
        | problems(
            *WRITE,
            refusals=("award_unclear",),
            conflicts=("title_not_reached", "norm_not_reached", "player_merged", "title_held"),
        ),
    )
    def post(self, request: Request, code: str) -> Response:
        federation, by, now = find_federation(code), user_of(request), timezone.now()
        require_federation(by, federation)
        sent = AwardSerializer.valid(request.data)
        if bool(sent["title"]) == (sent["norm_on"] is not None):
            raise Refusal("award_unclear", _("Name a title, or the day of a norm."), field="title")
        player = get_object_or_404(Player, pk=sent["player"])
        if sent["title"]:
            award_title(federation, player, sent["title"], by=by, at=now)
        else:
            record_norm(federation, player, sent["norm_on"], by=by, at=now)
        found = candidates(federation, timezone.localdate(now), by=by)
        return Response(TitleProgressSerializer([told(one) for one in found], many=True).data, status=201)


class TitleTableSerializer(serializers.ModelSerializer):
    class Meta:
        model = TitleRules
        fields = ["valid_from", "rules", "at"]


class NewTitleTableSerializer(StrictSerializer):
    """`rules` hold `titles` (each `code`, `name`, `pr`, `norms`), `least`, `shortest`, `window`, `months`, `norm`
    (`kind`, `matches`, `below`, `shortest`, `months`, `most`), `clocked`, `sanction` and `members`."""

    valid_from = StrictDateField()
    rules = serializers.DictField()


class TitleTablesView(ApiView):
    @extend_schema(
        summary="List the tables of titles of a federation, the oldest first",
        responses={200: TitleTableSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, code: str) -> Response:
        return Response(TitleTableSerializer(find_federation(code).title_rules.all(), many=True).data)

    @extend_schema(
        summary="Give the federation a table of titles from a day on",
        description="For its officers. What held before is kept.",
        request=NewTitleTableSerializer,
        responses={201: TitleTableSerializer}
        | problems(*WRITE, refusals=("title_table_invalid", "time_out_of_range"), conflicts=("title_table_same",)),
    )
    def post(self, request: Request, code: str) -> Response:
        federation, by = find_federation(code), user_of(request)
        require_federation(by, federation)
        sent = NewTitleTableSerializer.valid(request.data)
        made = set_title_table(federation, **sent, by=by, at=timezone.now())
        return Response(TitleTableSerializer(made).data, status=201)
