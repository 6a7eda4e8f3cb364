"""The API for setting up in one go: occasions, tournaments and events held again, and a director's own templates."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from players.models import MAX_NAME
from tournament.api.access import ApiView, user_of
from tournament.api.events.serializers import OPTIONS_SCHEMA, EventSerializer, TournamentSerializer
from tournament.api.events.views import DAY_REFUSALS, NAME_REFUSALS, TERMS_REFUSALS, answer_snapshot, event_for
from tournament.api.fields import IdField, LineField, StrictDateField, StrictDateTimeField, StrictSerializer
from tournament.api.schema import ACT, WRITE, problems
from tournament.formats import parse_options
from tournament.formats.occasions import OCCASIONS, Occasion
from tournament.models import EventTemplate, Tournament
from tournament.roles.permissions import require
from tournament.setup.duplicate import duplicate_event, duplicate_tournament
from tournament.setup.settings import make_event
from tournament.setup.templates import find_template, remove_template, save_template
from tournament.snapshot import take_snapshot


class OccasionSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.SerializerMethodField()
    description = serializers.SerializerMethodField()
    format = serializers.CharField(help_text="A slug of `/formats/`.")
    options = serializers.SerializerMethodField(help_text="To be sent with the format when an event is created.")
    asks = serializers.ListField(child=serializers.CharField(), help_text="The options that a form should ask for.")
    days = serializers.IntegerField(help_text="How many days a tournament of this kind lasts.")

    def get_name(self, occasion: Occasion) -> str:
        return _(occasion.name)

    def get_description(self, occasion: Occasion) -> str:
        return _(occasion.description)

    @extend_schema_field(OPTIONS_SCHEMA)
    def get_options(self, occasion: Occasion) -> dict[str, object]:
        return parse_options(occasion.format, occasion.options).as_dict()


class TournamentAgainSerializer(StrictSerializer):
    starts_on = StrictDateField()
    name = LineField(
        most=MAX_NAME,
        required=False,
        allow_blank=True,
        help_text="Left out, it is the old name with its day replaced.",
    )


class EventAgainSerializer(StrictSerializer):
    name = LineField(
        most=MAX_NAME, required=False, allow_blank=True, help_text="Left out, it is the old name with a number."
    )
    starts_at = StrictDateTimeField(required=False, allow_null=True, help_text="The planned start.")


class TemplateSerializer(serializers.ModelSerializer):
    format = serializers.SerializerMethodField()

    class Meta:
        model = EventTemplate
        fields = ["id", "name", "event", "format", "created_at"]

    def get_format(self, template: EventTemplate) -> str:
        return template.settings["terms"]["format"]


class NewTemplateSerializer(StrictSerializer):
    name = LineField(most=MAX_NAME)


class FromTemplateSerializer(StrictSerializer):
    template = IdField(help_text="The id of one of your `/templates/`.")
    name = LineField(
        most=MAX_NAME,
        required=False,
        allow_blank=True,
        help_text="Left out, it is that of the event it was saved from.",
    )


class OccasionsView(ApiView):
    @extend_schema(
        summary="List the occasions, each with the format and options that suit it",
        responses={200: OccasionSerializer(many=True)} | problems(),
    )
    def get(self, request: Request) -> Response:
        return Response(OccasionSerializer(OCCASIONS.values(), many=True).data)


class TournamentAgainView(ApiView):
    @extend_schema(
        summary="Create a tournament like this one, from another day",
        description="With its place, time zone, tables and breaks, and the settings of each event; without entries and "
        "roles. All dates move by as many days as the first.",
        request=TournamentAgainSerializer,
        responses={201: TournamentSerializer}
        | problems(*WRITE, refusals=(*TERMS_REFUSALS, *(set(DAY_REFUSALS) - {"time_out_of_range"}))),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        require(request.user, tournament, "change_tournament")
        new = duplicate_tournament(
            tournament, **_sent(TournamentAgainSerializer, request), by=user_of(request), at=timezone.now()
        )
        location = reverse("api:tournament", [new.pk])
        return Response(TournamentSerializer(new).data, status=201, headers={"Location": location})


class EventAgainView(ApiView):
    @extend_schema(
        summary="Create another event like this one in the same tournament, without entries",
        request=EventAgainSerializer,
        responses={201: EventSerializer} | problems(*WRITE, refusals=TERMS_REFUSALS),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_event")
        require(request.user, event.tournament, "create_event")
        sent = _sent(EventAgainSerializer, request)
        return _created(duplicate_event(event, **sent, by=user_of(request), at=timezone.now()).pk)


class SaveTemplateView(ApiView):
    @extend_schema(
        summary="Save the settings of an event as a template of your own",
        request=NewTemplateSerializer,
        responses={201: TemplateSerializer}
        | problems(*WRITE, refusals=NAME_REFUSALS, conflicts=("template_taken", "templates_too_many")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_event")
        sent = _sent(NewTemplateSerializer, request)
        saved = save_template(event, name=sent["name"], by=user_of(request), at=timezone.now())
        return Response(TemplateSerializer(saved).data, status=201)


class TemplatesView(ApiView):
    @extend_schema(summary="List your own templates", responses={200: TemplateSerializer(many=True)} | problems())
    def get(self, request: Request) -> Response:
        return Response(TemplateSerializer(user_of(request).event_templates.all(), many=True).data)


class TemplateView(ApiView):
    @extend_schema(summary="Remove one of your templates", responses={204: None} | problems(*ACT))
    def delete(self, request: Request, template_id: int) -> Response:
        user = user_of(request)
        remove_template(get_object_or_404(EventTemplate, pk=template_id, owner=user), by=user, at=timezone.now())
        return Response(status=204)


class FromTemplateView(ApiView):
    @extend_schema(
        summary="Create an event from one of your templates",
        request=FromTemplateSerializer,
        responses={201: EventSerializer} | problems(*WRITE, refusals=(*TERMS_REFUSALS, "template_unknown")),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = get_object_or_404(Tournament, pk=tournament_id)
        user = require(request.user, tournament, "create_event")
        sent = _sent(FromTemplateSerializer, request)
        template = find_template(user, sent["template"])
        name = sent.get("name") or template.settings["terms"]["name"]
        event = make_event(tournament, template.settings, name=name, copy_of=template.name, by=user, at=timezone.now())
        return _created(event.pk)


def _sent(serializer: type[StrictSerializer], request: Request) -> dict[str, Any]:
    data = serializer(data=request.data)
    data.is_valid(raise_exception=True)
    return dict(data.validated_data)


def _created(event_id: int) -> Response:
    location = reverse("api:event", [event_id])
    return answer_snapshot(take_snapshot(event_id), status=201, headers={"Location": location})
