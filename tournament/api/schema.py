"""The API's problems as its OpenAPI document describes them."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from tournament.api.money.consent import MovesSerializer
from tournament.api.problems import MEDIA_TYPE

MEANINGS = {
    400: "The request is not well formed, or was refused; nothing was stored.",
    401: "Nobody is signed in, or the token is not valid.",
    403: "This user may not do this.",
    404: "There is nothing at this address, or not in the requested format.",
    406: "Only JSON is available.",
    409: "The request is valid, but conflicts with what has happened in the meantime; nothing was stored.",
    410: "The private link has ended.",
    412: "This is not, or no longer, the version that `If-Match` names; nothing was stored. `ETag` is the present one.",
    413: "The body is too long.",
    415: "This address does not read bodies of this media type.",
    422: "The `Idempotency-Key` belongs to another request; nothing was stored.",
    429: "Too many requests; `Retry-After` says how many seconds to wait.",
    503: "The program cannot answer now, or others send slowly; `Retry-After` says when to ask again.",
}
SENTENCES: dict[str, str] = tomllib.loads(Path(__file__).with_name("codes.toml").read_text("utf-8"))
"""What each code means, as its own address says (:mod:`tournament.api.site.problems`)."""

ANYWHERE = {
    400: (
        *("invalid", "character_nul", "parse_error", "bad_request", "moment_not_shown"),
        *("unknown_parameter", "invalid_parameter", "repeated_parameter"),
    ),
    401: ("not_authenticated", "authentication_failed"),
    403: ("permission_denied", "role_missing", "scope_missing"),
    404: ("not_found",),
    406: ("not_acceptable",),
    409: ("changed_meanwhile", "busy", "event_deleted", "tournament_deleted", "answer_lost"),
    410: ("link_replaced", "link_closed"),
    412: ("version_changed", "no_version"),
    413: ("too_large",),
    415: ("unsupported_media_type",),
    422: ("key_reused",),
    429: ("throttled",),
    503: ("database_away", "disk_full", "storage_away", "body_late"),
}
"""The codes that any operation with such a problem may answer; an operation declares only those of its own."""

ACT = (403, 409)
WRITE = (*ACT, 413, 415)
AT = OpenApiParameter(
    "at",
    OpenApiTypes.STR,
    description="The moment to show: a time as ISO 8601, or the number of a row of the log. Addresses "
    "without this parameter answer `moment_not_shown`.",
)
PAST_REFUSALS = ("moment_unknown",)


class FieldErrorSerializer(serializers.Serializer):
    field = serializers.CharField(help_text="A path such as `games.2.cube`; empty for the request as a whole.")
    code = serializers.CharField()
    message = serializers.CharField()


class FindingSerializer(serializers.Serializer):
    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning"])
    game = serializers.IntegerField(allow_null=True, help_text="The number of the game, counted from 1.")
    row = serializers.IntegerField(allow_null=True, help_text="The row of a match record, counted from 1.")
    message = serializers.CharField(help_text="One sentence, in the requested language.")


class ProblemSerializer(serializers.Serializer):
    """Problem details, RFC 9457. Branch on `code`: it is stable; `detail` is for people."""

    type = serializers.CharField(help_text="The address that says what `code` means, relative to that of the request.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    findings = FindingSerializer(many=True, required=False)
    moves = MovesSerializer(required=False, help_text="What a change would move: with `confirm_moves` only.")


def problems(
    *statuses: int,
    refusals: Sequence[str] = (),
    conflicts: Sequence[str] = (),
    denials: Sequence[str] = (),
    strangers: Sequence[str] = (),
) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the responses for these statuses, with the operation's own codes for 400, 409, 403 and 401."""
    own = {400: refusals, 409: conflicts, 403: denials, 401: strangers}
    found = set(statuses) | {status for status, codes in own.items() if codes} | {400, 401, 404, 406, 503}
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemSerializer, _describe(status, own.get(status, ())))
        for status in sorted(found)
    }


def _describe(status: int, codes: Sequence[str]) -> str:
    named = ", ".join(f"`{code}`" for code in dict.fromkeys((*codes, *ANYWHERE[status])))
    return f"{MEANINGS[status]} Codes: {named}."
