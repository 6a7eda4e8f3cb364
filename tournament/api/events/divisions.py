"""The API for the divisions of a league, and for its next season."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from tournament.api.access import ApiView, user_of
from tournament.api.events.again import TournamentAgainSerializer
from tournament.api.events.serializers import TournamentSerializer
from tournament.api.events.views import DAY_REFUSALS, TERMS_REFUSALS
from tournament.api.fields import IdField, NumberField, StrictSerializer, TextField
from tournament.api.schema import WRITE, problems
from tournament.models import Division, Tournament
from tournament.roles.permissions import require
from tournament.setup.divisions import MOST_MOVE, DivisionRule, divisions_of, set_divisions
from tournament.setup.next_season import Proposal, hold_next_season, propose_season

MOST_DIVISIONS, MOST_PLAYERS = 64, 2048
PROPOSAL_CONFLICTS = ("season_exists", "no_divisions", "season_unfinished", "standings_stale")


class DivisionRuleSerializer(StrictSerializer):
    event = IdField()
    up = NumberField(within=(0, MOST_MOVE), required=False, default=0, help_text="How many go up after the season.")
    down = NumberField(within=(0, MOST_MOVE), required=False, default=0, help_text="How many go down after it.")


class NewDivisionsSerializer(StrictSerializer):
    """The divisions, the top one first; none if empty."""

    divisions = DivisionRuleSerializer(many=True, max_length=MOST_DIVISIONS)  # type: ignore[call-arg]


class DivisionSerializer(serializers.ModelSerializer):
    event = serializers.IntegerField(source="event_id")
    name = serializers.CharField(source="event.name")

    class Meta:
        model = Division
        fields = ["event", "name", "level", "up", "down"]


class PlacedSerializer(serializers.Serializer):
    """An entry of this season, and the division proposed for the next."""

    entry = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField()
    place_to = serializers.IntegerField()
    division = serializers.IntegerField(help_text="The event in which they have played.")
    proposed = serializers.IntegerField(
        allow_null=True, help_text="The event whose next season they enter; null for none."
    )
    why = serializers.CharField(help_text="`stays`, `up`, `down` or `left`.")
    is_tied = serializers.BooleanField(help_text="The place is shared across the line between two divisions.")


class WaitsSerializer(serializers.Serializer):
    """An entry on a waiting list of this season."""

    entry = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    division = serializers.IntegerField(help_text="The event for whose next season it waits too.")


class RaisedSerializer(serializers.Serializer):
    """A division with a limit below the number of those who are placed in it."""

    division = serializers.IntegerField()
    limit = serializers.IntegerField(help_text="Its limit of entries in this season.")
    to = serializers.IntegerField(help_text="Its limit in the next one, if the proposal is not changed.")


class ProposalSerializer(serializers.Serializer):
    digest = serializers.CharField(help_text="To be sent back, so that what was read is what is made.")
    divisions = DivisionSerializer(many=True)
    placed = PlacedSerializer(many=True)
    waiting = WaitsSerializer(many=True, help_text="In order of their lists; entered after all who are placed.")
    raised = RaisedSerializer(many=True, help_text="Limits that are raised, so that all who are placed get places.")


class ChosenPlaceSerializer(StrictSerializer):
    entry = IdField()
    division = IdField(allow_null=True, help_text="An event of this season; null for none.")


class NextSeasonSerializer(TournamentAgainSerializer):
    digest = TextField(max_length=64, help_text="That of the proposal.")
    changed = ChosenPlaceSerializer(  # type: ignore[call-arg]
        many=True, required=False, default=list, max_length=MOST_PLAYERS, help_text="Where it is not as proposed."
    )


class DivisionsView(ApiView):
    @extend_schema(
        summary="List the divisions of a league, the top one first",
        responses={200: DivisionSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        return Response(DivisionSerializer(divisions_of(tournament), many=True).data)

    @extend_schema(
        summary="Set the divisions of a league, in place of those before",
        request=NewDivisionsSerializer,
        responses={200: DivisionSerializer(many=True)}
        | problems(
            *WRITE,
            refusals=(
                *("division_unknown", "division_twice", "division_of_many"),
                *("division_moves_out_of_range", "division_at_the_end"),
            ),
        ),
    )
    def put(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "change_tournament")
        rules = [DivisionRule(**one) for one in NewDivisionsSerializer.valid(request.data)["divisions"]]
        made = set_divisions(tournament, rules=rules, by=user_of(request), at=timezone.now())
        return Response(DivisionSerializer(made, many=True).data)


class NextSeasonView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Read who goes up and down (directors)",
        responses={200: ProposalSerializer} | problems(403, conflicts=PROPOSAL_CONFLICTS),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        return Response(ProposalSerializer(_proposal_for(request, tournament_id)).data)

    @extend_schema(
        summary="Create the next season as proposed, with its players entered",
        request=NextSeasonSerializer,
        responses={201: TournamentSerializer}
        | problems(
            *WRITE,
            refusals=("division_unknown", *TERMS_REFUSALS, *(set(DAY_REFUSALS) - {"time_out_of_range"})),
            conflicts=("season_changed", *PROPOSAL_CONFLICTS),
        ),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "change_tournament")
        sent = NextSeasonSerializer.valid(request.data)
        changed = {one["entry"]: one["division"] for one in sent.pop("changed")}
        new = hold_next_season(tournament, **sent, changed=changed, by=user_of(request), at=timezone.now())
        location = reverse("api:tournament", [new.pk])
        return Response(TournamentSerializer(new).data, status=201, headers={"Location": location})


def _proposal_for(request: Request, tournament_id: int) -> Proposal:
    tournament = get_object_or_404(Tournament, pk=tournament_id)
    require(request.user, tournament, "change_tournament")
    return propose_season(tournament)
