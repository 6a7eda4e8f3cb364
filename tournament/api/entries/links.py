"""The API for private links: read, and made anew, by those who run the event."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.entries.door_serializers import EntryLinkSerializer
from tournament.api.entries.views import find_entry_to_change
from tournament.api.events.views import event_for
from tournament.api.schema import ACT, problems
from tournament.draw.chain import load_people
from tournament.entries.renew import renew_links

CONFLICTS = ("entry_gone", "event_finished")


class EntryLinkView(ApiView):
    permission_classes = [IsAuthenticated]
    tells_secrets = True

    @extend_schema(
        summary="Get the private link of an entry (directors)",
        description="Not for a token that may only read: whoever holds the link can report results.",
        responses={200: EntryLinkSerializer} | problems(403),
    )
    def get(self, request: Request, entry_id: int) -> Response:
        return Response(EntryLinkSerializer(find_entry_to_change(request, entry_id)).data)

    @extend_schema(
        summary="Give an entry a new private link",
        description="The old link answers 410 from then on, and nothing can be reported with it.",
        request=None,
        responses={200: EntryLinkSerializer} | problems(*ACT, conflicts=CONFLICTS),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        (renewed,) = renew_links(entry.event, entries=[entry_id], by=user_of(request), at=timezone.now())
        return Response(EntryLinkSerializer(renewed).data)


class EntryLinksView(ApiView):
    permission_classes = [IsAuthenticated]
    tells_secrets = True

    @extend_schema(
        summary="List the private links of an event (directors)",
        description="Not for a token that may only read: whoever holds a link can report results.",
        responses={200: EntryLinkSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        return Response(EntryLinkSerializer(load_people(event.entries.order_by("number")), many=True).data)

    @extend_schema(
        summary="Give all entries of an event new private links",
        description="The old links answer 410 from then on, and nothing can be reported with them.",
        request=None,
        responses={200: EntryLinkSerializer(many=True)} | problems(*ACT, conflicts=CONFLICTS),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        renewed = renew_links(event, by=user_of(request), at=timezone.now())
        return Response(EntryLinkSerializer(renewed, many=True).data)
