"""The history of a match: each score sheet under the terms of its claim, and the scores that rulings changed.

A ruling keeps the previous values of the terms that it changed; undoing the later ones gives the terms of any moment.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch, prefetch_related_objects

from matches.claims import claim_of, score_of
from matches.models import Match, Ruling, Scoresheet, SheetChange, SheetState
from players.statements import Statement
from rules.rulings import PRINCIPLES, Principle, RulingKind
from rules.score import MatchScore
from rules.sheet import Terms


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling, counted from 1, with the score of the match before and after it."""

    number: int
    row: Ruling
    before: MatchScore
    after: MatchScore

    @property
    def scores(self) -> tuple[MatchScore, MatchScore]:
        """The scores before and after the ruling."""
        return self.before, self.after

    @property
    def sheet(self) -> int | None:
        """The number of the score sheet that the ruling made, if it made one."""
        return self.row.after_sheet + 1 if self.row.sheet_id else None

    @property
    def principle(self) -> Principle:
        """The rule that the ruling follows."""
        return PRINCIPLES[RulingKind(self.row.kind)]


@dataclass(frozen=True, slots=True)
class History:
    """All score sheets and rulings of a match, in order; reads ``sheet.lines`` and ``changes`` as prefetched."""

    match: Match
    sheets: tuple[Scoresheet, ...]
    rulings: tuple[Ruling, ...]

    @property
    def current(self) -> Scoresheet | None:
        return next((sheet for sheet in self.sheets if sheet.state in Scoresheet.CURRENT), None)

    @property
    def reports(self) -> tuple[Scoresheet, ...]:
        """The reports that nobody has confirmed."""
        return tuple(sheet for sheet in self.sheets if sheet.state in Scoresheet.REPORTS)

    @property
    def claims(self) -> tuple[Scoresheet, ...]:
        """The claims that may differ from each other: the live sheet and the reports."""
        return tuple(sheet for sheet in self.sheets if sheet.state in (SheetState.LIVE, *Scoresheet.REPORTS))

    @property
    def changes(self) -> tuple[SheetChange, ...]:
        """Every change of every sheet, in order. Reads ``sheet.changes`` as prefetched."""
        return tuple(
            sorted((change for sheet in self.sheets for change in sheet.changes.all()), key=lambda change: change.pk)
        )

    def terms_of(self, sheet: Scoresheet) -> Terms:
        """Return the terms under which the sheet was claimed."""
        return self.match.terms_without(ruling for ruling in self.rulings if ruling.after_sheet >= sheet.number)

    def ruled(self) -> tuple[Ruled, ...]:
        """Return what each ruling changed."""
        sheets = {sheet.number: sheet for sheet in self.sheets}
        ruled = []
        for index, row in enumerate(self.rulings):
            stood = sheets.get(row.after_sheet)
            if stood is not None and stood.state == SheetState.VOID:
                stood = None  # taken back before the ruling: a sheet that a ruling replaces is superseded
            if index and self.rulings[index - 1].after_sheet == row.after_sheet:
                stood = None  # set aside by the ruling before it, which made no sheet
            made = sheets.get(row.after_sheet + 1) if row.sheet_id else None
            before = _score_at(self.match.terms_without(self.rulings[index:]), stood)
            after = _score_at(self.match.terms_without(self.rulings[index + 1 :]), made)
            ruled.append(Ruled(index + 1, row, before, after))
        return tuple(ruled)


def load_history(match: Match) -> History:
    """Load the history of a match as it is now, in four queries."""
    changes = Prefetch("changes", queryset=SheetChange.objects.select_related("by"))
    sheets = match.sheets.select_related("claimed_by").prefetch_related("lines", changes)
    return History(match, tuple(sheets), tuple(match.rulings.select_related("by")))


def load_sheet(match: int, number: int) -> tuple[Terms, Scoresheet]:
    """Load one sheet of the match with this id, with its claimant, and the terms under which it was claimed.

    That is what :func:`load_history` says of it, without the rest of the history.
    """
    (sheet,) = _SHEET.find(Scoresheet, match, number)
    if sheet.final_a is None:
        prefetch_related_objects([sheet], "lines")
    return sheet.match.terms_without(_RULINGS_SINCE.find(Ruling, match, number)), sheet


_SHEET = Statement(
    lambda match, number: Scoresheet.objects.filter(match=match, number=number).select_related("match", "claimed_by")
)
_RULINGS_SINCE = Statement(
    lambda match, number: Ruling.objects.filter(match=match, after_sheet__gte=number).order_by("pk")
)


def _score_at(terms: Terms, sheet: Scoresheet | None) -> MatchScore:
    if sheet is None:
        return terms.opening
    claim = claim_of(sheet)
    return score_of(terms, claim.games, claim.final, claim.awarded_to)
