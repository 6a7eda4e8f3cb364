"""The API for undoing one of an event's most recent steps."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView
from tournament.api.events.views import event_for
from tournament.api.money.consent import CLOSED, CLOSED_CONFLICTS, CLOSED_REFUSALS, ConsentSerializer, consent_sent
from tournament.api.roles.serializers import LogEntrySerializer
from tournament.api.schema import WRITE, problems
from tournament.corrections.undo import undo_step
from tournament.log.public import as_public
from tournament.models import LogEntry
from tournament.roles.permissions import actions_of, require_undo


class UndoView(ApiView):
    @extend_schema(
        summary="Undo one of the last steps of an event",
        description="The answer is the log row that undid it; its detail names the undone row. For a step of side "
        f"pools, lots or terms: {CLOSED}",
        request=ConsentSerializer,
        responses={200: LogEntrySerializer}
        | problems(
            *WRITE,
            refusals=CLOSED_REFUSALS,
            conflicts=(
                *("undo_unknown", "undo_too_late", "undone_already", "undo_depends", "later_match_begun"),
                *(
                    "event_finished",
                    "event_drawn",
                    "entries_closed",
                    "draw_in_play",
                    "event_has_open_matches",
                    "entry_taken",
                ),
                *("late_entry_has_begun", "bye_gone", "walkover_of_absence"),
                *("not_merged", "merge_not_kept", "merged_since", "entered_since"),
                *("member_already", "member_gone", "entry_in_a_lot", "lot_sold", "lot_paid", "lot_prize_paid"),
                *("currency_in_use", *CLOSED_CONFLICTS),
            ),
        ),
    )
    def post(self, request: Request, event_id: int, row_id: int) -> Response:
        event = event_for(request, event_id, "undo")
        row = get_object_or_404(LogEntry.objects.select_related("event"), pk=row_id, event=event)
        by, consent = require_undo(request.user, row), consent_sent(request.data)
        undone = undo_step(row, consent=consent, by=by, at=timezone.now())
        (told,) = as_public([undone], actions_of(by, event))
        return Response(LogEntrySerializer(told).data)
