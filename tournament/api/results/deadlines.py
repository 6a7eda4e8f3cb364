"""The API for deadlines: moved by a director; extended, and answered with offers to play, by a private link."""

from datetime import date

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import MAX_REASON, Match
from tournament.api.access import ApiView, user_of
from tournament.api.fields import LineField, StrictSerializer
from tournament.api.results.views import match_for
from tournament.api.schema import WRITE, problems
from tournament.draw.deadlines import deadline_of, rule_of
from tournament.draw.steps import not_in_draw
from tournament.entries.deadlines import extend_by_link, offer_by_link
from tournament.entries.links import entry_by_link
from tournament.formats.unplayed import NAMES
from tournament.models import Entry
from tournament.models.team import find_fixture
from tournament.results.deadlines import MOST_DAYS_OFFERED, move_deadline

CONFLICTS = ("deadline_none", "match_has_a_result", "event_finished", "match_not_in_draw")
MY_CONFLICTS = (*CONFLICTS, "deadline_over", "match_begun", "match_of_others", "entry_gone")


class NewDeadlineSerializer(StrictSerializer):
    to = serializers.DateField(help_text="The last day to play, in the zone of the tournament.")
    reason = LineField(max_length=MAX_REASON)


class NewOfferSerializer(StrictSerializer):
    days = serializers.ListField(
        child=serializers.DateField(),
        max_length=MOST_DAYS_OFFERED,
        help_text="The days on which the entry has offered to play; none if its opponent does not answer.",
    )


class OfferSerializer(serializers.Serializer):
    entry = serializers.IntegerField(source="entry_id")
    days = serializers.ListField(child=serializers.DateField())
    made_at = serializers.DateTimeField()


class DeadlineSerializer(serializers.Serializer):
    """The deadline of a match. Between teams it is that of all their boards."""

    deadline = serializers.DateField(help_text="The last day to play, in the zone of the tournament.")
    is_extended = serializers.BooleanField(help_text="It was moved or extended for this match.")
    unplayed = serializers.ChoiceField(
        choices=[(rule.value, name) for rule, name in NAMES.items()],
        help_text="What becomes of a match that nobody begins by its deadline.",
    )
    decided_on = serializers.DateField(
        allow_null=True, help_text="The first day on which that happens; null if the director decides."
    )
    extended_by = serializers.ListField(
        child=serializers.IntegerField(), help_text="The entries that have used their own extension."
    )
    offers = OfferSerializer(many=True, help_text="When the entries have offered to play.")


class MatchDeadlineView(ApiView):
    @extend_schema(
        summary="Move the deadline of a match",
        description="To today or a later day, for this match alone. Between teams send it for any board.",
        request=NewDeadlineSerializer,
        responses={200: DeadlineSerializer}
        | problems(
            *WRITE,
            refusals=("deadline_out_of_range", "reason_missing", "reason_unprintable"),
            conflicts=CONFLICTS,
        ),
    )
    def put(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "move_deadline")
        data = NewDeadlineSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        move_deadline(match, **data.validated_data, by=user_of(request), at=timezone.now())
        return _answer(match)


class MyExtensionView(ApiView):
    authentication_classes = ()
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Extend the deadline of a match of one's own, with the private link",
        description="By the days that the event allows, once in each match.",
        request=None,
        auth=[],
        responses={200: DeadlineSerializer}
        | problems(409, 410, conflicts=(*MY_CONFLICTS, "extension_none", "extension_used")),
    )
    def post(self, request: Request, token: str, match_id: int) -> Response:
        entry, match = _own_match(token, match_id)
        extend_by_link(entry, match, at=timezone.now())
        return _answer(match)


class MyOffersView(ApiView):
    authentication_classes = ()
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Note an offer to play a match of one's own, with the private link",
        description="Where a side that has offered to play wins against one that has not. Until the days of grace are "
        "over; it wins if the opponent has a whole day to answer it.",
        request=NewOfferSerializer,
        auth=[],
        responses={200: DeadlineSerializer}
        | problems(
            400,
            409,
            410,
            413,
            415,
            refusals=("offer_out_of_range",),
            conflicts=(*MY_CONFLICTS, "offers_unused", "offers_too_many"),
        ),
    )
    def post(self, request: Request, token: str, match_id: int) -> Response:
        entry, match = _own_match(token, match_id)
        data = NewOfferSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        offer_by_link(entry, match, days=data.validated_data["days"], at=timezone.now())
        return _answer(match)


def _own_match(token: str, match_id: int) -> tuple[Entry, Match]:
    """Find the entry behind the private link, and the match. Raises Http404, and LinkEnded for an old link."""
    entry = entry_by_link(token)
    match = Match.objects.filter(pk=match_id).first()
    if entry is None or match is None:
        raise Http404
    return entry, match


def _answer(match: Match) -> Response:
    fixture = find_fixture(match)
    if fixture is None:
        raise not_in_draw()
    stage = fixture.stage
    last, rule = deadline_of(fixture, stage, stage.event.tournament.zone) or date.max, rule_of(stage)
    shown = {
        "deadline": last,
        "is_extended": fixture.play_by is not None,
        "unplayed": rule.rule.value,
        "decided_on": rule.decided_on(last),
        "extended_by": fixture.extended_by,
        "offers": [
            {"entry_id": one.entry_id, "days": [date.fromisoformat(day) for day in one.days], "made_at": one.made_at}
            for one in fixture.offers.all()
        ],
    }
    return Response(DeadlineSerializer(shown).data)
