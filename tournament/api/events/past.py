"""The API for an event as it stood at any given moment."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView
from tournament.api.events.serializers import EventSerializer
from tournament.api.events.views import find_event
from tournament.api.schema import problems
from tournament.past.event import find_moment, snapshot_at
from tournament.past.public import without_claims


class EventAtView(ApiView):
    @extend_schema(
        summary="Show an event as it stood at a moment",
        description="A time as ISO 8601, or the number of a row of the event's history. Read only.",
        responses={200: EventSerializer} | problems(400, refusals=("moment_unknown",)),
    )
    def get(self, request: Request, event_id: int, moment: str) -> Response:
        event = find_event(event_id)
        shown = without_claims(snapshot_at(event.pk, find_moment(event, moment)))
        return Response(EventSerializer(shown).data)
