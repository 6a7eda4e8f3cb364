"""The API for a match record: what the rules say of it, and accepting it as a match without proof."""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from matches.accept_records import KNOWN, accept_record, standing_acceptance, take_back_acceptance
from matches.acceptance import MOST_WORDS, Acceptance
from matches.models import Record
from matches.told_findings import told_finding
from players.registry.roles import reach_of
from rules.records.headings import MAX_LENGTH
from rules.records.known import MAX_NAME
from tournament.api.access import ApiView, user_of
from tournament.api.fields import IdField, LineField, NumberField, PairField, StrictSerializer
from tournament.api.schema import WRITE, FindingSerializer, problems

REFUSALS = (
    *("reason_missing", "record_breaks_rule", "record_of_money", "known_start", "known_length", "known_names"),
    *("known_gave_up", "final_missing", "final_not_over", "final_not_of_record", "final_unreachable"),
    *("final_below_start", "names_equal"),
    *("player_ambiguous", "player_unknown", "name_empty", "name_too_long", "name_unprintable"),
)


class AcceptanceSerializer(serializers.ModelSerializer):
    """A record accepted as a match, which is not rated: when, why, and with what was known of it."""

    known = serializers.SerializerMethodField(help_text="The names in it are for officers of federations alone.")
    by = serializers.SerializerMethodField(help_text="For officers of federations, the user; null for others.")

    class Meta:
        model = Acceptance
        fields = ["match", "known", "reason", "by", "at"]

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_known(self, acceptance: Acceptance) -> dict[str, str]:
        known: dict[str, str] = acceptance.known
        by_name = self.context.get("names_officers")
        return known if by_name else {key: text for key, text in known.items() if key not in ("left", "right")}

    def get_by(self, acceptance: Acceptance) -> str | None:
        user = acceptance.by if self.context.get("names_officers") else None
        return user.username if user is not None else None


class RecordSerializer(serializers.ModelSerializer):
    """A record with the verdict of the rules; `match` is the one that it made, null unless it holds."""

    verdict = serializers.CharField(help_text="`proved`, `incomplete`, `quarantined` or `refused`.")
    finding = serializers.SerializerMethodField()
    acceptance = serializers.SerializerMethodField(help_text="Null unless it is accepted without proof.")

    class Meta:
        model = Record
        fields = ["id", "name", "sha256", "verdict", "finding", "match", "imported_at", "acceptance"]

    @extend_schema_field(FindingSerializer(allow_null=True))
    def get_finding(self, record: Record) -> dict[str, object] | None:
        return told_finding(record, by_name=bool(self.context.get("names_officers")))

    @extend_schema_field(AcceptanceSerializer(allow_null=True))
    def get_acceptance(self, record: Record) -> dict[str, object] | None:
        standing = standing_acceptance(record)
        return AcceptanceSerializer(standing, context=self.context).data if standing else None


class AcceptRecordSerializer(StrictSerializer):
    reason = LineField(max_length=MOST_WORDS, help_text="Why it is accepted; everybody reads it.")
    start = LineField(max_length=12, required=False, help_text="The score at which the record begins, such as 1-0.")
    length = LineField(max_length=3, required=False, help_text="The length of the match.")
    left = LineField(max_length=MAX_NAME, required=False, help_text="The player in the left column; with `right`.")
    right = LineField(max_length=MAX_NAME, required=False, help_text="The player in the right column.")
    gave_up = LineField(max_length=5, required=False, help_text="The column of the player who gave up a game.")
    final = PairField(
        child=NumberField(max_value=MAX_LENGTH),
        required=False,
        help_text="The final score, left column first, where the record does not show it; its games must allow it.",
    )
    left_player = IdField(required=False, help_text="The id of the left player, where the name does not tell.")
    right_player = IdField(required=False, help_text="The id of the right player, where the name does not tell.")


class TakeAcceptanceBackSerializer(StrictSerializer):
    reason = LineField(max_length=MOST_WORDS)


class RecordView(ApiView):
    @extend_schema(
        summary="Show an imported match record",
        description="One that made no match, and was not accepted as one, is shown to users who are signed in.",
        responses={200: RecordSerializer} | problems(),
    )
    def get(self, request: Request, record_id: int) -> Response:
        found = _record(record_id)
        if found.match_id is None and standing_acceptance(found) is None and not request.user.is_authenticated:
            raise NotAuthenticated
        return Response(_answer(request, found))


class AcceptanceView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Accept a record as a match, with a reason",
        description="For officers of federations: for a record that made no match, as it does not prove one. It is "
        "judged with what you know of it, and must break no rule. The match has a result and is not rated.",
        request=AcceptRecordSerializer,
        responses={201: RecordSerializer}
        | problems(
            *WRITE, refusals=REFUSALS, conflicts=("record_has_match", "record_attached"), denials=("not_an_officer",)
        ),
    )
    def post(self, request: Request, record_id: int) -> Response:
        found, by = _record(record_id), user_of(request)
        told = AcceptRecordSerializer.valid(request.data)
        final = told.get("final")
        accept_record(
            found,
            known={key: told[key] for key in KNOWN if key in told},
            reason=told["reason"],
            final=(final[0], final[1]) if final else None,
            players=(told.get("left_player"), told.get("right_player")),
            by=by,
            at=timezone.now(),
        )
        return Response(_answer(request, found), status=201)


class AcceptanceBackView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Take the acceptance of a record back",
        description="For officers of federations. The match is void.",
        request=TakeAcceptanceBackSerializer,
        responses={200: RecordSerializer}
        | problems(
            *WRITE, refusals=("reason_missing",), conflicts=("record_not_accepted",), denials=("not_an_officer",)
        ),
    )
    def post(self, request: Request, record_id: int) -> Response:
        found, by = _record(record_id), user_of(request)
        reason = TakeAcceptanceBackSerializer.valid(request.data)["reason"]
        take_back_acceptance(found, reason=reason, by=by, at=timezone.now())
        return Response(_answer(request, found))


def _answer(request: Request, record: Record) -> dict[str, object]:
    context = {"names_officers": reach_of(request.user).is_officer}
    return dict(RecordSerializer(record, context=context).data)


def _record(record_id: int) -> Record:
    return get_object_or_404(Record.objects.defer("data"), pk=record_id)
