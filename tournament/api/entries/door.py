"""The API for the door: check-in, waiting list, departures, replaced players, lateness, merged duplicates."""

from collections.abc import Callable
from functools import partial

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Player
from tournament.api.access import ApiView, user_of
from tournament.api.entries.door_serializers import (
    DoorSerializer,
    DoorViewSerializer,
    DuplicateSerializer,
    LatenessSerializer,
    LeaveSerializer,
    ReplacementSerializer,
)
from tournament.api.entries.serializers import EntrySerializer
from tournament.api.entries.views import (
    BUY_IN_CONFLICTS,
    CONFIRMED_QUERY,
    ENTRY_REFUSALS,
    answer_entry,
    find_entry_to_change,
    is_confirmed,
)
from tournament.api.events.views import event_for
from tournament.api.players.serializers import PlayerSerializer
from tournament.api.results.ruling_serializers import RulingSerializer
from tournament.api.results.views import KEY_HEADER, key_from, match_for
from tournament.api.schema import ACT, WRITE, problems
from tournament.entries import attendance, identity
from tournament.entries.lists import EntryLine
from tournament.models import Entry
from tournament.results.rulings import Lateness, rule_late
from tournament.roles.permissions import require_merger

GONE = ("entry_gone", "event_finished")
Act = Callable[..., Entry]


def _act(request: Request, entry_id: int, service: Act, *, action: str = "change_entries") -> Response:
    entry = find_entry_to_change(request, entry_id, action)
    service(entry, by=user_of(request), at=timezone.now())
    return answer_entry(entry_id)


class CheckInView(ApiView):
    @extend_schema(
        summary="Check an entry in",
        request=None,
        responses={200: EntrySerializer} | problems(*ACT, conflicts=("entry_out", *GONE)),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        return _act(request, entry_id, attendance.check_in, action="check_in")

    @extend_schema(
        summary="Undo the check-in of an entry", responses={200: EntrySerializer} | problems(*ACT, conflicts=GONE)
    )
    def delete(self, request: Request, entry_id: int) -> Response:
        return _act(request, entry_id, attendance.undo_check_in, action="check_in")


class WaitingView(ApiView):
    @extend_schema(
        summary="Put an entry on the waiting list",
        description="Before the draw, or from a bye that it took while its match has not begun.",
        request=None,
        responses={200: EntrySerializer}
        | problems(
            *ACT,
            conflicts=(
                "entry_out",
                "event_drawn",
                "entries_closed",
                "late_entry_has_begun",
                "walkover_of_absence",
                *GONE,
            ),
        ),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        return _act(request, entry_id, attendance.put_to_wait)

    @extend_schema(
        summary="Admit an entry from the waiting list",
        description="Before the draw it joins the field; after the draw it joins the next round, or takes a bye "
        "that is left. With `?confirmed=true` what `confirm_bye` says has been read.",
        parameters=[CONFIRMED_QUERY],
        responses={200: EntrySerializer}
        | problems(
            *ACT,
            conflicts=(
                "not_waiting",
                "event_full",
                "event_drawn",
                "entries_closed",
                "no_bye_left",
                "confirm_bye",
                *BUY_IN_CONFLICTS,
                *GONE,
            ),
        ),
    )
    def delete(self, request: Request, entry_id: int) -> Response:
        return _act(request, entry_id, partial(attendance.move_up, agreed=None if is_confirmed(request) else ""))


class DepartureView(ApiView):
    @extend_schema(
        summary="Take an entry out of play: withdrawn, no-show or disqualified",
        description="Its opponents have walkovers at once, in consolation and last chance too.",
        request=LeaveSerializer,
        responses={200: EntrySerializer}
        | problems(
            *WRITE,
            refusals=("reason_missing", "departure_is_whole"),
            conflicts=("entry_out", "not_in_main", "no_show_has_begun", "later_match_begun", "entries_closed", *GONE),
        ),
    )
    def post(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        data = LeaveSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        attendance.leave_event(entry, **data.validated_data, by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)

    @extend_schema(
        summary="Undo the departure of an entry",
        description="Walkovers that were given for it are taken back, unless somebody has played on.",
        responses={200: EntrySerializer}
        | problems(*ACT, conflicts=("entry_present", "drawn_without", "later_match_begun", "entries_closed", *GONE)),
    )
    def delete(self, request: Request, entry_id: int) -> Response:
        return _act(request, entry_id, attendance.undo_leaving)


class ReplacementView(ApiView):
    @extend_schema(
        summary="Give the place of an entry to another player",
        description="Possible until one of its matches is called. The draw stays as it was made.",
        request=ReplacementSerializer,
        responses={200: EntrySerializer}
        | problems(
            *WRITE,
            refusals=ENTRY_REFUSALS,
            conflicts=("entry_has_begun", "entry_out", "team_not_replaced", "entries_closed", *GONE),
        ),
    )
    def put(self, request: Request, entry_id: int) -> Response:
        entry = find_entry_to_change(request, entry_id)
        data = ReplacementSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        line = EntryLine(
            name=sent.get("name", ""), club=sent["club"], country=sent["country"], player_id=sent.get("player")
        )
        identity.replace_player(entry, line=line, by=user_of(request), at=timezone.now())
        return answer_entry(entry_id)


class DoorView(ApiView):
    @extend_schema(
        summary="Set entry limit, check-in and lateness penalty of an event",
        request=DoorSerializer,
        responses={200: DoorViewSerializer}
        | problems(
            *WRITE,
            refusals=("max_entries_out_of_range", "late_minutes_out_of_range"),
            conflicts=("entries_closed", "event_finished"),
        ),
    )
    def put(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_event")
        data = DoorSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        changed = attendance.set_door(event, **data.validated_data, by=user_of(request), at=timezone.now())
        return Response(DoorViewSerializer(changed).data)


class AbsentView(ApiView):
    @extend_schema(
        summary="Leave out everyone who has not checked in",
        description="They become no-shows, and waiting entries move up; before the draw only. The answer lists "
        "those left out.",
        request=None,
        responses={200: EntrySerializer(many=True)}
        | problems(*ACT, conflicts=("event_drawn", "entries_closed", "event_finished")),
    )
    def post(self, request: Request, event_id: int) -> Response:
        event = event_for(request, event_id, "change_entries")
        missing = attendance.leave_out_absent(event, by=user_of(request), at=timezone.now())
        entries = Entry.objects.filter(pk__in=[entry.pk for entry in missing])
        return Response(EntrySerializer(entries.select_related("player__club", "partner"), many=True).data)


class LatenessView(ApiView):
    keeps_keys = True

    @extend_schema(
        summary="Penalise a side that came late to a match",
        description="Before the match begins. The penalty points, by the policy of the event, are the opponent's "
        "starting score; more than half of the length loses the match. With `preview` nothing is "
        "stored.",
        parameters=[KEY_HEADER],
        request=LatenessSerializer,
        responses={
            201: RulingSerializer,
            200: OpenApiResponse(RulingSerializer, "A preview, or the ruling of a repeated submission."),
        }
        | problems(
            *WRITE,
            refusals=(
                *("lateness_not_penalised", "minutes_out_of_range", "not_late_enough", "penalty_both_lost"),
                *("key_missing", "keys_differ"),
            ),
            conflicts=("match_begun", "key_reused", "later_match_begun", "event_finished", "match_not_in_draw"),
        ),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "rule_match")
        data = LatenessSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        sent = data.validated_data
        late = Lateness(
            key=key_from(request, sent.get("key", "")), minutes_a=sent["minutes_a"], minutes_b=sent["minutes_b"]
        )
        ruled, is_new = rule_late(match, late=late, by=user_of(request), at=timezone.now(), preview=sent["preview"])
        created = is_new and not sent["preview"]
        return Response(RulingSerializer(ruled).data, status=201 if created else 200)


class MergeView(ApiView):
    @extend_schema(
        summary="Merge a duplicate into a player",
        description="For directors of every tournament that the two have entered. Whom the registry has anything of is "
        "for the officers of their federation.",
        request=DuplicateSerializer,
        responses={200: PlayerSerializer}
        | problems(
            *WRITE,
            conflicts=(
                *("merge_of_one", "player_merged", "players_have_met", "both_in_one_event", "players_are_two"),
                *("visibility_differs", "memberships_overlap"),
            ),
        ),
    )
    def post(self, request: Request, player_id: int) -> Response:
        kept = get_object_or_404(Player, pk=player_id)
        require_merger(request.user, [kept])
        data = DuplicateSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        gone = get_object_or_404(Player, pk=data.validated_data["duplicate"])
        by = require_merger(request.user, [kept, gone])
        merged = identity.merge_players(kept, gone, by=by, at=timezone.now())
        return Response(PlayerSerializer(merged).data)


class UndoMergeView(ApiView):
    @extend_schema(
        summary="Undo the merge of a duplicate",
        description="The duplicate is a separate player again, with everything that was theirs and what their "
        "entries have done since. For those who may merge the two. The answer is the duplicate.",
        responses={200: PlayerSerializer}
        | problems(*ACT, conflicts=("not_merged", "merge_not_kept", "merged_since", "entered_since")),
    )
    def delete(self, request: Request, player_id: int, duplicate_id: int) -> Response:
        kept = get_object_or_404(Player, pk=player_id)
        gone = get_object_or_404(Player, Q(merged_into=None) | Q(merged_into=kept), pk=duplicate_id)
        by = require_merger(request.user, [kept, gone])
        return Response(PlayerSerializer(identity.undo_merge(gone, by=by, at=timezone.now())).data)
