"""The rules engine's refusals: findings about a score sheet, and errors about notation and plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


def gettext_noop(message: str) -> str:
    """Return the message unchanged; the call marks an English template for extraction."""
    return message


class Word(str):
    """An English word or label among the params of a sentence, which is translated with it."""

    __slots__ = ()


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check: an error refuses the sheet, a warning asks for a second confirmation.

    ``code`` is stable; ``game`` and ``row`` (of a record) count from 1, and are None where no single one is meant.
    ``template`` is English with ``%(name)s`` placeholders for ``params``; the caller translates it before showing it.
    ``rule`` is the invariant or rule row behind it, such as ``I7``.
    """

    code: str
    severity: Severity
    game: int | None
    row: int | None
    template: str
    params: Mapping[str, object] = field(hash=False)
    rule: str

    @property
    def message(self) -> str:
        """The whole sentence in English."""
        return self.template % self.params

    def as_dict(self) -> dict[str, object]:
        """Return code, severity, game, row and message, ready for JSON."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "game": self.game,
            "row": self.row,
            "message": self.message,
        }


class _PositionError(ValueError):
    """A ValueError whose message ends with the ID of the position it happened in, if there is one."""

    def __init__(self, message: str, position_id: str | None = None) -> None:
        super().__init__(message if position_id is None else f"{message} Position: {position_id}")
        self.position_id = position_id


class NotationError(_PositionError):
    """The text is not in the expected notation."""


class IllegalPlay(_PositionError):  # noqa: N818
    """The rules do not allow the play."""


class AmbiguousPlay(_PositionError):  # noqa: N818
    """The text fits several plays with different results."""
