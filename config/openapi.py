"""How the OpenAPI document of the API is made and shown."""

from typing import Any

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Sixprime",
    "DESCRIPTION": "Backgammon tournaments, from the draw to the ranking list. Errors are problem details (RFC 9457) "
    "with a stable code.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # By subject, all closed; the operation in an address is open.
    "SWAGGER_UI_SETTINGS": {"docExpansion": "none", "deepLinking": True},
    "REDOC_DIST": "SIDECAR",
    "OAS_VERSION": "3.1.0",
    "ENUM_NAME_OVERRIDES": {
        "SideEnum": ["A", "B"],
        "PhoneSideEnum": ["a", "b"],
        "KindEnum": "tournament.api.results.ruling_serializers.KINDS",
        "FixtureStateEnum": ["waiting", "ready", "live", "done", "bye"],
        "EventReportStateEnum": ["arrived", "returned", "answered", "queued", "accepted"],
        "DecisionEnum": ["accepted", "returned", "queued"],
        "RakeEnum": ["none", "percent", "per-entry"],
        "PrizeTableKindEnum": ["template", "percent", "fixed"],
        "DepartureEnum": ["withdrawn", "no-show", "disqualified"],
        "RowFateEnum": ["new", "same", "changed", "ambiguous", "refused"],
        "EntryOutcomeEnum": ["enters", "waits", "already", "refused"],
        "PhaseEnum": ["money", "before", "crawford", "after", "plain", "over"],
    },
}
