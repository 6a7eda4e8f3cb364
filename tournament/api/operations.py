"""What the schema says of every operation, so that none has to say it of itself: keys, versions and limits."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from rest_framework.serializers import ListSerializer

from tournament.api.narrowing import NARROWED
from tournament.api.problems import MEDIA_TYPE
from tournament.api.schema import ANYWHERE, MEANINGS

TEXT = {"type": "string"}
PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
OF_READING = {
    "If-None-Match": "The `ETag` of an earlier answer: as long as nothing has changed, a 304 without content."
}
OF_WRITING = {
    "Idempotency-Key": "1 to 64 characters. The same request under the same key is carried out once.",
    "If-Match": "The `ETag` of what is written to, as it was read: a write to another version is refused.",
}


FIELDS = {
    "in": "query",
    "name": NARROWED,
    "schema": TEXT,
    "description": "Names of fields, with commas between them: the answer, or each row of a list, has these alone.",
}


class ApiSchema(AutoSchema):
    def filter_parameters(self) -> list[dict[str, Any]]:
        """Return what the rows of a list may be filtered by, as the schema declares it."""
        found: list[dict[str, Any]] = self._get_filter_parameters()
        return found

    def _map_serializer_field(self, field: Any, direction: str, bypass_extensions: bool = False) -> Any:
        """Map the field, with how many a list of objects may have."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)
        most = getattr(field, "max_length", None) if isinstance(field, ListSerializer) else None
        if most is not None and isinstance(schema, dict) and schema.get("type") == "array":
            schema["maxItems"] = most
        return schema

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation is None:
            return None
        is_reading = method.upper() == "GET"
        is_writing = not is_reading and getattr(self.view, "takes_keys", True)
        headers = OF_READING if is_reading else OF_WRITING if is_writing else {}
        parameters = operation.setdefault("parameters", [])
        declared = {parameter["name"] for parameter in parameters}
        parameters += [
            {"in": "header", "name": name, "schema": TEXT, "description": description}
            for name, description in headers.items()
            if name not in declared
        ]
        responses = operation["responses"]
        if is_reading and "application/json" in responses.get("200", {}).get("content", {}):
            parameters.append(FIELDS)
        if is_reading:
            responses.setdefault("304", {"description": "Nothing has changed."})
        for status in (412, 422, 429) if is_writing else (429,):
            named = ", ".join(f"`{code}`" for code in ANYWHERE[status])
            described = {"content": PROBLEM, "description": f"{MEANINGS[status]} Codes: {named}."}
            responses.setdefault(str(status), described)
        operation["responses"] = dict(sorted(responses.items()))
        return operation
