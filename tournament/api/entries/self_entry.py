"""The API for players who enter themselves, and for the director who lets them."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, user_of
from tournament.api.entries.serializers import NewMemberSerializer
from tournament.api.entries.views import ENTRY_REFUSALS, line_sent
from tournament.api.events.views import event_for, find_event
from tournament.api.fields import KeyField, StrictBooleanField, StrictDateTimeField, StrictSerializer
from tournament.api.schema import WRITE, problems
from tournament.entries.enrolment import MAX_MEMBERS
from tournament.entries.links import link_of
from tournament.entries.self_entry import enter_oneself, set_self_entry
from tournament.models import Entry, Event
from tournament.roles.throttling import AskThrottle


class SelfEntrySerializer(NewMemberSerializer):
    """Either ``name``, or ``player`` for a known one. A team has a ``name`` and ``members``."""

    key = KeyField(help_text="Makes a repeated request the same entry.")
    members = NewMemberSerializer(  # type: ignore[call-arg]
        many=True,
        required=False,
        default=list,
        max_length=MAX_MEMBERS,
        help_text="In the order of the boards, then the reserves.",
    )


class OwnEntrySerializer(serializers.Serializer):
    """An entry as the player who has just made it sees it."""

    entry = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    waiting = serializers.BooleanField(help_text="On the waiting list.")
    link = serializers.SerializerMethodField(help_text="The path of the entry's private page. A secret.")

    def get_link(self, entry: Entry) -> str:
        return link_of(entry)


class SelfEntrySwitchSerializer(StrictSerializer):
    """Whether players enter themselves; null for until the draw."""

    open = StrictBooleanField()
    until = StrictDateTimeField(required=False, allow_null=True, default=None)


class SelfEntryViewSerializer(serializers.ModelSerializer):
    class Meta:
        model = Event
        fields = ["id", "self_entry", "self_entry_until"]


class SelfEntriesView(ApiView):
    permission_classes = [AllowAny]
    throttle_classes = [AskThrottle]

    @extend_schema(
        summary="Enter an event oneself",
        description="Without an account, where the event says `self_entry`. Beyond its limit the entry waits.",
        request=SelfEntrySerializer,
        auth=[],
        responses={201: OwnEntrySerializer}
        | problems(
            *WRITE,
            429,
            refusals=(*ENTRY_REFUSALS, "self_entry_by_director"),
            conflicts=(
                *("self_entry_closed", "self_entry_over", "entries_closed", "entry_gone", "event_finished"),
                "key_reused",
            ),
        ),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = find_event(event_id)
        sent = SelfEntrySerializer.valid(request.data)
        key = sent.pop("key")
        entry = enter_oneself(event, line=line_sent(sent), key=key, at=timezone.now())
        return Response(OwnEntrySerializer(entry).data, status=201)


class SelfEntryView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Let players enter an event themselves, or stop that",
        request=SelfEntrySwitchSerializer,
        responses={200: SelfEntryViewSerializer}
        | problems(
            *WRITE,
            refusals=("self_entry_until_passed", "time_out_of_range"),
            conflicts=("entries_closed", "event_finished"),
        ),
    )
    def put(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_event")
        sent = SelfEntrySwitchSerializer.valid(request.data)
        changed = set_self_entry(event, **sent, by=user_of(request), at=timezone.now())
        return Response(SelfEntryViewSerializer(changed).data)
