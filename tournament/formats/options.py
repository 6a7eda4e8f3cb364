"""What a director can choose for a draw: options common to all formats, and each format's own, declared as fields.

Forms, the API and the adviser are built from the declarations; a format reads the values by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import cast

from rules.errors import Word, gettext_noop
from tournament.formats.errors import PlanError

MAX_LENGTH = 99
MAX_LENGTHS = 16
YEARS = (2000, 2199)

OptionValue = str | int | bool | tuple[int, ...]


class Seeding(StrEnum):
    """How the lines of a draw are filled."""

    RANDOM = "random"
    SEEDED = "seeded"


class OptionKind(StrEnum):
    """The kind of choice: one of several, a number, yes or no, match lengths from the final backwards, or a day."""

    CHOICE = "choice"
    NUMBER = "number"
    FLAG = "flag"
    LENGTHS = "lengths"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a format. ``label``, ``help`` and the names of the choices are English, to be translated.

    ``default`` holds when nothing is chosen; for lengths () means those of the main bracket. A number lies from
    ``least`` to ``most``. A day is written 2026-01-05, or is empty.
    """

    name: str
    kind: OptionKind
    label: str
    default: OptionValue
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0

    def parse(self, value: object) -> OptionValue:
        """Read ``value`` in the form this option takes. Raises PlanError for anything else."""
        match self.kind:
            case OptionKind.LENGTHS:
                return () if value in ([], ()) else parse_lengths(value)
            case OptionKind.FLAG if isinstance(value, bool):
                return value
            case OptionKind.NUMBER if type(value) is int and self.least <= value <= self.most:
                return value
            case OptionKind.CHOICE if type(value) in (str, int) and str(value) in dict(self.choices):
                return str(value)
            case OptionKind.DATE if isinstance(value, str) and (not value or _is_day(value)):
                return value
        raise self._refused()

    def _refused(self) -> PlanError:
        """Return what to say of a value that this option cannot have."""
        params: dict[str, str | int] = {"option": self.name, "parameter": Word(self.label)}
        match self.kind:
            case OptionKind.NUMBER:
                template = gettext_noop("“%(parameter)s” is a whole number from %(least)s to %(most)s.")
                params |= {"least": self.least, "most": self.most}
            case OptionKind.CHOICE:
                template = gettext_noop("“%(parameter)s” is one of: %(allowed)s.")
                params["allowed"] = ", ".join(slug for slug, _ in self.choices)
            case OptionKind.DATE:
                template = gettext_noop("“%(parameter)s” is a day from %(first)s to %(last)s, or empty.")
                params |= {"first": f"{YEARS[0]}-01-01", "last": f"{YEARS[1]}-12-31"}
            case _:
                template = gettext_noop("“%(parameter)s” is either true or false.")
        return PlanError("option_invalid", template, **params)


@dataclass(frozen=True, slots=True)
class Options:
    """What the director chose for a stage.

    ``lengths`` is read from the final backwards: the first is the final, the second the semifinals, the last holds
    for all earlier rounds. A format without a final uses the first for every match. ``own`` has a value for each of
    the format's fields.
    """

    lengths: tuple[int, ...]
    seeding: Seeding = Seeding.RANDOM
    own: Mapping[str, OptionValue] = field(default_factory=dict)

    @classmethod
    def parse(cls, data: Mapping[str, object], fields: Sequence[OptionField] = ()) -> Options:
        """Read the options in ``data``, which may be any JSON object, for a format with these ``fields`` of its own.

        ``lengths`` is required, ``seeding`` is random when absent, every other option its default. Raises PlanError for
        anything else.
        """
        known = {option.name: option for option in fields}
        for name in data:
            if name not in ("lengths", "seeding") and name not in known:
                raise PlanError("option_unknown", gettext_noop("There is no option “%(option)s”."), option=str(name))
        return cls(
            lengths=parse_lengths(data.get("lengths")),
            seeding=_parse_seeding(data),
            own={name: option.parse(data[name]) if name in data else option.default for name, option in known.items()},
        )

    def as_dict(self) -> dict[str, object]:
        """Return these options as a JSON object; :meth:`parse` reads it back."""
        own = {name: list(value) if isinstance(value, tuple) else value for name, value in self.own.items()}
        return {"lengths": list(self.lengths), "seeding": str(self.seeding), **own}

    def length(self, rounds_to_final: int, name: str = "lengths") -> int:
        """Return the match length of a round: 0 is the final, 1 the semifinals, and so on backwards.

        ``name`` is another option with lengths, such as those of a consolation; where it is empty, the main ones hold.
        """
        lengths = self.lengths if name == "lengths" else self._lengths_of(name) or self.lengths
        return lengths[min(rounds_to_final, len(lengths) - 1)]

    def _lengths_of(self, name: str) -> tuple[int, ...]:
        return cast("tuple[int, ...]", self.own[name])

    def number(self, name: str) -> int:
        """Return the value of a number option."""
        return cast("int", self.own[name])

    def choice(self, name: str) -> str:
        """Return the value of a choice option."""
        return cast("str", self.own[name])

    def flag(self, name: str) -> bool:
        """Whether a yes-or-no option is chosen."""
        return self.own[name] is True


def _is_day(text: str) -> bool:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    return day.isoformat() == text and YEARS[0] <= day.year <= YEARS[1]


def parse_lengths(value: object) -> tuple[int, ...]:
    """Read the match lengths in ``value``, starting with the final. Raises PlanError."""
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_LENGTHS:
        raise PlanError(
            "lengths_not_a_list",
            gettext_noop("The match lengths must be a list of 1 to %(most)s numbers, the final first."),
            most=MAX_LENGTHS,
        )
    for length in value:
        if type(length) is not int or not 1 <= length <= MAX_LENGTH:
            raise PlanError(
                "length_out_of_range",
                gettext_noop("A match length must be a whole number from 1 to %(most)s, not “%(length)s”."),
                most=MAX_LENGTH,
                length=str(length)[:40],
            )
    return tuple(value)


def _parse_seeding(data: Mapping[str, object]) -> Seeding:
    value = data.get("seeding", Seeding.RANDOM)
    if not isinstance(value, str) or value not in tuple(Seeding):
        raise PlanError(
            "seeding_unknown",
            gettext_noop("The seeding must be “random” or “seeded”, not “%(seeding)s”."),
            seeding=str(value)[:40],
        )
    return Seeding(value)


KEPT_APART = (
    ("none", gettext_noop("nobody")),
    ("club", gettext_noop("players of the same club")),
    ("country", gettext_noop("players of the same country")),
    ("club-country", gettext_noop("players of the same club, then of the same country")),
)
PROTECT = OptionField(
    name="protect",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Kept apart in round 1"),
    help=gettext_noop("As far as the field allows. Entries of the same family are always kept apart."),
    default="none",
    choices=KEPT_APART,
)
