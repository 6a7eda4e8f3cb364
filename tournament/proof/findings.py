"""What a check of a draw file finds: what holds, what a reader should know, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a finding counts: only WRONG speaks against the draw; a NOTE is what a reader should know."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the file something was found; all None for the file as a whole. ``round`` is 0 for a draw as a whole."""

    chain: int | None = None
    link: int | None = None
    stage: int | None = None
    round: int = 0
    is_cancelled: bool = False

    def __str__(self) -> str:
        words = [("chain", self.chain), ("link", self.link), ("stage", self.stage), ("round", self.round)]
        found = [f"{word} {number}" for word, number in words if number]
        return ", ".join([*found, *(["cancelled"] if self.is_cancelled else [])])


WHOLE = Place()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked. ``code`` is stable; ``template % params`` is the English sentence.

    As text the ``place`` is such as ``link 3`` or ``stage 1, round 2``, and empty for the file as a whole.
    """

    verdict: Verdict
    code: str
    place: Place
    template: str
    params: Mapping[str, str | int]

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template % dict(self.params)


def ok(code: str, place: Place, template: str, **params: str | int) -> Finding:
    return Finding(Verdict.OK, code, place, template, params)


def note(code: str, place: Place, template: str, **params: str | int) -> Finding:
    return Finding(Verdict.NOTE, code, place, template, params)


def wrong(code: str, place: Place, template: str, **params: str | int) -> Finding:
    return Finding(Verdict.WRONG, code, place, template, params)
