"""The parameters of a system, declared as data: forms, the API and the stored profile of a list are made from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypeVar

from rules.errors import Word, gettext_noop

MAX_NUMBERS = 64

S = TypeVar("S")

ParameterValue = str | int | float | bool | tuple[float, ...] | None


class ParameterError(ValueError):
    """A parameter that does not exist or cannot have this value; ``template % params`` is the English sentence.

    ``code`` is stable. ``field`` is the name of the parameter, empty where the system itself does not exist.
    """

    def __init__(self, code: str, template: str, *, field: str = "", **params: str | float) -> None:
        super().__init__(template % {name: _written(value) for name, value in params.items()})
        self.code = code
        self.template = template
        self.params: Mapping[str, str | float] = params
        self.field = field


def _written(value: str | float) -> str | float:
    """Return a decimal number as people write it: not 1e+06."""
    return f"{value:,.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


class ParameterKind(StrEnum):
    """A whole number, a decimal number, one of several, yes or no, or decimal numbers in their order."""

    INT = "int"
    DECIMAL = "decimal"
    CHOICE = "choice"
    BOOL = "bool"
    DECIMALS = "decimals"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a system. ``label``, ``help`` and the names of the choices are English, to be translated.

    Numbers lie from ``least`` to ``most``. ``optional`` allows None, which stands for nothing. ``neutral`` says that
    the system is still the published one with another value: what it shows differs, or the sources do.
    """

    name: str
    kind: ParameterKind
    label: str
    default: ParameterValue
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: float = 0
    most: float = 0
    optional: bool = False
    neutral: bool = False

    def parse(self, value: object) -> ParameterValue:
        """Read ``value``, as a form or JSON has it, in the form this parameter takes. Raises ParameterError."""
        if value is None and self.optional:
            return None
        match self.kind:
            case ParameterKind.BOOL if isinstance(value, bool):
                return value
            case ParameterKind.CHOICE if isinstance(value, str) and value in dict(self.choices):
                return value
            case ParameterKind.INT if type(value) is int and self.least <= value <= self.most:
                return value
            case ParameterKind.DECIMAL if (number := self._number(value)) is not None:
                return number
            case ParameterKind.DECIMALS if isinstance(value, list | tuple) and 1 <= len(value) <= MAX_NUMBERS:
                numbers = tuple(number for one in value if (number := self._number(one)) is not None)
                if len(numbers) == len(value):
                    return numbers
        raise self._refused(value)

    def _refused(self, value: object) -> ParameterError:
        """Return what to say of a value that this parameter cannot have."""
        params: dict[str, str | float] = {"parameter": Word(self.label)}
        match self.kind:
            case ParameterKind.BOOL:
                template = gettext_noop("“%(parameter)s” is either true or false.")
            case ParameterKind.CHOICE:
                template = gettext_noop("“%(parameter)s” is one of: %(allowed)s.")
                params["allowed"] = ", ".join(slug for slug, _ in self.choices)
            case ParameterKind.DECIMALS if isinstance(value, list | tuple) and len(value) > MAX_NUMBERS:
                template = gettext_noop("“%(parameter)s” has at most %(limit)s numbers; these are %(count)s.")
                params |= {"limit": MAX_NUMBERS, "count": len(value)}
            case ParameterKind.DECIMALS:
                template = gettext_noop(
                    "“%(parameter)s” takes numbers from %(least)s to %(most)s, separated by spaces, at most %(limit)s."
                )
                params["limit"] = MAX_NUMBERS
            case ParameterKind.INT:
                template = gettext_noop("“%(parameter)s” is a whole number from %(least)s to %(most)s.")
            case ParameterKind.DECIMAL:
                template = gettext_noop("“%(parameter)s” is a number from %(least)s to %(most)s.")
        params |= {"least": float(self.least), "most": float(self.most)}
        return ParameterError("parameter_invalid", template, field=self.name, **params)

    def _number(self, value: object) -> float | None:
        if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
            return None
        try:
            # An int beyond the floats, and a text that is none, are no number of any parameter.
            number = float(Decimal(value) if isinstance(value, str) else value)
        except (InvalidOperation, OverflowError):
            return None
        return number if math.isfinite(number) and self.least <= number <= self.most else None


def read_parameters(declared: Sequence[Parameter], given: Mapping[str, object]) -> dict[str, ParameterValue]:
    """Return a value for each declared parameter: the one that is given, or its default. Raises ParameterError."""
    known = {parameter.name for parameter in declared}
    for name in given:
        if name not in known:
            raise ParameterError(
                "parameter_unknown",
                gettext_noop("There is no parameter “%(parameter)s”. Available: %(known)s."),
                field=str(name)[:40],
                parameter=str(name)[:40],
                known=", ".join(sorted(known)),
            )
    return {one.name: one.parse(given[one.name]) if one.name in given else one.default for one in declared}


def build(kinds: Mapping[str, type[S]], kind: str, parameters: Mapping[str, object], *, code: str, unknown: str) -> S:
    """Return the system of this kind; a parameter that is not given has its default.

    Raises ParameterError for a kind that does not exist, with this ``code`` and sentence, for a parameter that does
    not exist, and for a value that is impossible.
    """
    if kind not in kinds:
        raise ParameterError(code, unknown, slug=kind[:40], known=", ".join(kinds))
    declared: Sequence[Parameter] = kinds[kind].parameters  # type: ignore[attr-defined]
    return kinds[kind](**read_parameters(declared, parameters))


def parameters_of(system: object, declared: Sequence[Parameter]) -> dict[str, object]:
    """Return the values of a system's parameters as JSON has them; :func:`read_parameters` reads them back."""
    values = {parameter.name: getattr(system, parameter.name) for parameter in declared}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def is_as_published(system: object, declared: Sequence[Parameter]) -> bool:
    """Whether every parameter that is not neutral has its default."""
    return all(getattr(system, one.name) == one.default for one in declared if not one.neutral)
