"""The parameters of a query: each operation declares its own for the schema, and takes those and no others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.plumbing import build_basic_type, force_instance, is_basic_type
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from players.errors import Refusal
from tournament.api.narrowing import NARROWED

MAX_SHOWN = 40
MOMENT = "at"
"""The page middleware and the views answer for it themselves (:mod:`config.moments`)."""
ALWAYS = frozenset({MOMENT, NARROWED, api_settings.URL_FORMAT_OVERRIDE})
BOOLEANS = ("true", "false")


@dataclass(frozen=True, slots=True)
class Parameter:
    """What the schema says of the values of a parameter; nothing where its view reads them with a serializer."""

    kind: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def of(cls, schema: Mapping[str, Any], choices: tuple[str, ...] = ()) -> "Parameter":
        return cls(schema.get("type", ""), schema.get("minimum"), schema.get("maximum"), choices)

    def check(self, name: str, value: str) -> None:
        """Raise Refusal for a value that the schema does not allow."""
        if self.kind == "integer":
            self._check_number(name, value)
        choices = BOOLEANS if self.kind == "boolean" else self.choices
        if choices and value not in choices:
            named = {"name": name, "choices": ", ".join(choices)}
            raise _invalid(name, _("The parameter “%(name)s” must be one of: %(choices)s.") % named)

    def _check_number(self, name: str, value: str) -> None:
        is_number = value.isascii() and value.removeprefix("-").isdecimal() and len(value) <= MAX_SHOWN
        number = int(value) if is_number else None
        if self.least is None or self.most is None:
            if number is None:
                raise _invalid(name, _("The parameter “%(name)s” must be a whole number.") % {"name": name})
        elif number is None or not self.least <= number <= self.most:
            limits = {"name": name, "least": self.least, "most": self.most}
            sentence = _("The parameter “%(name)s” must be a whole number from %(least)s to %(most)s.")
            raise _invalid(name, sentence % limits)


def check_parameters(view: APIView, request: Request) -> None:
    """Raise Refusal for a parameter that the operation does not have, or that has a value that it cannot have."""
    handler = getattr(view, str(request.method).lower(), None)
    if not request.query_params or not hasattr(handler, "kwargs"):
        return
    method = "GET" if request.method == "HEAD" else str(request.method)
    known = _known.get((type(view), method))
    if known is None:
        known = _known[type(view), method] = _declared(view, method)
    for name, values in request.query_params.lists():
        if name not in known and name not in ALWAYS:
            raise _unknown(name, sorted({*known, NARROWED} if method == "GET" else known))
        if len(values) > 1:
            raise _twice(name)
        if name == NARROWED and method != "GET":
            raise _unknown(name, sorted(known))
        if name in known:
            known[name].check(name, values[0])


_known: dict[tuple[type, str], dict[str, Parameter]] = {}


def _declared(view: APIView, method: str) -> dict[str, Parameter]:
    """Return the parameters in the query of an operation by name, as the schema declares them."""
    schema = getattr(view, method.lower()).kwargs["schema"]()
    schema.view, schema.method = view, method
    found: dict[str, Parameter] = {}
    for declared in schema.get_override_parameters():
        if not isinstance(declared, OpenApiParameter):
            found.update(dict.fromkeys(force_instance(declared).fields, Parameter()))
        elif declared.location == OpenApiParameter.QUERY:
            kind: Any = build_basic_type(declared.type) if is_basic_type(declared.type) else declared.type
            found[declared.name] = Parameter.of(kind or {}, tuple(map(str, declared.enum or ())))
    paginator = getattr(view, "paginator", None) if method == "GET" else None
    if paginator is not None:
        for declared in [*schema.filter_parameters(), *paginator.get_schema_operation_parameters(view)]:
            found[declared["name"]] = Parameter.of(declared["schema"], tuple(declared["schema"].get("enum", ())))
    return found


def _unknown(name: str, known: list[str]) -> Refusal:
    if known:
        sentence = _("There is no parameter “%(name)s” here. The parameters are: %(known)s.")
    else:
        sentence = _("There is no parameter “%(name)s” here: this address takes none.")
    shown = name[:MAX_SHOWN]
    return Refusal("unknown_parameter", sentence % {"name": shown, "known": ", ".join(known)}, field=shown)


def _twice(name: str) -> Refusal:
    sentence = _("The parameter “%(name)s” is there more than once: send it once.")
    return Refusal("repeated_parameter", sentence % {"name": name}, field=name)


def _invalid(name: str, sentence: str) -> Refusal:
    return Refusal("invalid_parameter", sentence, field=name)
