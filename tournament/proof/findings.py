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
class Finding:
    """One thing that was checked. ``code`` is stable; ``template % params`` is the English sentence.

    ``place`` says where in the draw: ``link 3``, ``stage 1, round 2``; empty for the file as a whole.
    """

    verdict: Verdict
    code: str
    place: str
    template: str
    params: Mapping[str, str | int]

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template % dict(self.params)


def ok(code: str, place: str, template: str, **params: str | int) -> Finding:
    return Finding(Verdict.OK, code, place, template, params)


def note(code: str, place: str, template: str, **params: str | int) -> Finding:
    return Finding(Verdict.NOTE, code, place, template, params)


def wrong(code: str, place: str, template: str, **params: str | int) -> Finding:
    return Finding(Verdict.WRONG, code, place, template, params)
