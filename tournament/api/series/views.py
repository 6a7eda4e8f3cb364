"""The API for series: everybody reads them, officers of the federation make and change them."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import Refusal
from players.registry.roles import require_federation
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.registry.bodies import find_federation
from tournament.api.schema import ACT, WRITE, problems
from tournament.api.series.serializers import (
    NewSeriesEventSerializer,
    NewSeriesSerializer,
    SeriesChangesSerializer,
    SeriesEventChangesSerializer,
    SeriesSerializer,
    SeriesTableSerializer,
    table_told,
)
from tournament.models import Event, Series, SeriesEvent
from tournament.series.make import (
    SeriesData,
    add_series_event,
    change_series,
    change_series_event,
    delete_series,
    make_series,
    remove_series_event,
)
from tournament.series.standings import table_of

TERMS = (
    *("name_empty", "name_too_long", "name_unprintable", "number_out_of_range", "point_system_unknown"),
    *("parameter_invalid", "parameter_unknown", "parameters_conflict"),
)


class SeriesListView(Api, generics.ListAPIView):
    serializer_class = SeriesSerializer
    pagination_class = Pages
    queryset = Series.objects.none()

    def get_queryset(self) -> QuerySet[Series]:
        found = Series.objects.filter(federation=find_federation(self.kwargs["code"]))
        return found.select_related("federation").order_by("-pk")

    @extend_schema(
        summary="List the series of a federation, the newest first",
        responses={200: SeriesSerializer(many=True)} | problems(),
    )
    def get(self, request: Request, code: str) -> Response:
        return self.list(request)

    @extend_schema(
        summary="Make a series",
        description="For officers of the federation. Its events are added one by one.",
        request=NewSeriesSerializer,
        responses={201: SeriesTableSerializer}
        | problems(*WRITE, refusals=(*TERMS, "address_empty", "address_invalid"), conflicts=("series_exists",)),
    )
    def post(self, request: Request, code: str) -> Response:
        federation, by = find_federation(code), user_of(request)
        require_federation(by, federation)
        sent = NewSeriesSerializer.valid(request.data)
        slug = sent.pop("slug")
        made = make_series(federation, SeriesData(**sent), slug=slug, by=by, at=timezone.now())
        return _told(made, status=201)


class SeriesView(ApiView):
    @extend_schema(
        summary="Show a series with its events and standings",
        description="Only events that have ended count. Players with equal points share their places.",
        responses={200: SeriesTableSerializer} | problems(),
    )
    def get(self, request: Request, code: str, slug: str) -> Response:
        return _told(_find(code, slug))

    @extend_schema(
        summary="Change a series",
        description="For officers of the federation. Parameters that are sent replace all of them.",
        request=SeriesChangesSerializer,
        responses={200: SeriesTableSerializer} | problems(*WRITE, refusals=TERMS, conflicts=("series_gone",)),
    )
    def patch(self, request: Request, code: str, slug: str) -> Response:
        series, by = _find(code, slug), user_of(request)
        require_federation(by, series.federation)
        sent = SeriesChangesSerializer.valid(request.data)
        kept: dict[str, Any] = {name: getattr(series, name) for name in ("name", "points", "best", "members_only")}
        changes_system = sent.get("points", series.points) != series.points
        kept["parameters"] = {} if changes_system else series.parameters
        return _told(change_series(series, SeriesData(**{**kept, **sent}), by=by))

    @extend_schema(
        summary="Delete a series",
        description="For officers of the federation. Its events and their results stay.",
        request=None,
        responses={204: None} | problems(*ACT, conflicts=("series_gone",)),
    )
    def delete(self, request: Request, code: str, slug: str) -> Response:
        delete_series(_find(code, slug), by=user_of(request))
        return Response(status=204)


class SeriesEventsView(ApiView):
    @extend_schema(
        summary="Add an event to a series",
        description="For officers of the federation. Any event for single players can be added, before it has ended "
        "too.",
        request=NewSeriesEventSerializer,
        responses={201: SeriesTableSerializer}
        | problems(
            *WRITE,
            refusals=("series_event_unknown", "series_event_of_many", "number_out_of_range"),
            conflicts=("series_event_twice", "series_events_too_many", "series_gone"),
        ),
    )
    def post(self, request: Request, code: str, slug: str) -> Response:
        series, by = _find(code, slug), user_of(request)
        require_federation(by, series.federation)
        sent = NewSeriesEventSerializer.valid(request.data)
        event = Event.objects.filter(pk=sent.pop("event")).first()
        if event is None:
            raise Refusal("series_event_unknown", _("There is no such event."), field="event")
        add_series_event(series, event, **sent, by=by)
        return _told(series, status=201)


class SeriesEventView(ApiView):
    @extend_schema(
        summary="Change what a series says of an event",
        description="For officers of the federation. `event_id` is the id of the event; what is left out stays.",
        request=SeriesEventChangesSerializer,
        responses={200: SeriesTableSerializer}
        | problems(*WRITE, refusals=("number_out_of_range",), conflicts=("series_event_gone",)),
    )
    def patch(self, request: Request, code: str, slug: str, event_id: int) -> Response:
        series, by = _find(code, slug), user_of(request)
        require_federation(by, series.federation)
        row = _find_event(series, event_id)
        kept = {name: getattr(row, name) for name in ("number", "division", "weight", "designated")}
        change_series_event(row, **{**kept, **SeriesEventChangesSerializer.valid(request.data)}, by=by)
        return _told(series)

    @extend_schema(
        summary="Remove an event from a series",
        description="For officers of the federation. `event_id` is the id of the event.",
        request=None,
        responses={204: None} | problems(*ACT, conflicts=("series_event_gone",)),
    )
    def delete(self, request: Request, code: str, slug: str, event_id: int) -> Response:
        series, by = _find(code, slug), user_of(request)
        require_federation(by, series.federation)
        remove_series_event(_find_event(series, event_id), by=by)
        return Response(status=204)


def _find(code: str, slug: str) -> Series:
    return get_object_or_404(Series.objects.select_related("federation"), federation__code=code.upper(), slug=slug)


def _find_event(series: Series, event_id: int) -> SeriesEvent:
    return get_object_or_404(SeriesEvent.objects.select_related("series__federation"), series=series, event=event_id)


def _told(series: Series, *, status: int = 200) -> Response:
    return Response(table_told(table_of(series)), status=status)
