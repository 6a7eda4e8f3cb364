"""The verdict of a replay, and how the replay stops where something does not hold."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

from rules.errors import Finding, Severity


class Verdict(StrEnum):
    """The verdict of a replay on a record.

    PROVED: the match is finished, or each game of a money session, and everything in it holds. INCOMPLETE: everything
    holds, but the record stops before that. QUARANTINED: no rule is broken, but something in it cannot be vouched for.
    REFUSED: it breaks a rule or cannot be read.
    """

    PROVED = "proved"
    INCOMPLETE = "incomplete"
    QUARANTINED = "quarantined"
    REFUSED = "refused"


def note(code: str, template: str, game: int | None = None, row: int | None = None, **params: object) -> Finding:
    """Return a note on a record: it takes nothing from the verdict."""
    return Finding(code, Severity.WARNING, game, row, template, params, "record")


class Stop(Exception):  # noqa: N818
    """The end of a replay, with a verdict and the finding."""

    verdict: ClassVar[Verdict]
    severity: ClassVar[Severity]

    def __init__(
        self,
        code: str,
        rule: str,
        template: str,
        game: int | None,
        row: int | None = None,
        params: Mapping[str, object] | None = None,
    ) -> None:
        self.finding = Finding(code, self.severity, game, row, template, params or {}, rule)


class Refused(Stop):
    verdict = Verdict.REFUSED
    severity = Severity.ERROR


class Doubtful(Stop):
    verdict = Verdict.QUARANTINED
    severity = Severity.WARNING
