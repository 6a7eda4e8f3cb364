"""The changes to a match whose cost can be seen before: each is made by its service, or tried out on paper."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.claims import Claim, claim_of, score_of
from matches.error_rates import rates_of
from matches.history import Ruled, load_history
from matches.models import RULED, Match, Scoresheet, SheetSource, SheetState
from matches.rulings import (
    RulingRequest,
    change_terms,
    claim_proposed,
    key_is_reused,
    known_ruling,
    new_ruling,
    propose,
)
from matches.services import Sheets, prefetched_reports, sheet_of, sheet_seen, sheet_to_void
from players.models import User
from rules.score import MatchScore
from rules.sheet import Terms
from tournament.changes.record import require_running
from tournament.corrections.paper import Paper, standing_advances
from tournament.draw.calls import prefetched_call
from tournament.draw.reconcile import Repair
from tournament.results.dates import confirmed_date, require_played_at
from tournament.results.enter import (
    MayRepair,
    end_advance,
    enter_result,
    nobody_advanced,
    nothing_stands,
    refuse_of_absence,
    require_open,
    require_reason,
    verb_of,
    void_result,
)
from tournament.results.rulings import Lateness, lateness_request, rule_late, rule_match


@dataclass(frozen=True)
class Correction(ABC):
    """A change to a match with all that it takes but two: the repair, and the reason for it.

    Called, it is made. :meth:`on_paper` leaves the rows as it would, and raises what it would raise, for somebody who
    may repair.
    """

    match: Match
    by: User | None = field(kw_only=True)
    at: datetime = field(kw_only=True)

    @abstractmethod
    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> object:
        """Make the change."""

    @abstractmethod
    def on_paper(self, paper: Paper, repair: Repair, reason: str) -> object:
        """Make the change on paper."""


@dataclass(frozen=True)
class EnterResult(Correction):
    """A claim that becomes the match's current sheet; the reason for the repair is its own, if it gives one."""

    claim: Claim

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> object:
        claim = self._because(reason)
        return enter_result(self.match, claim=claim, repair=repair, may_repair=may_repair, by=self.by, at=self.at)

    def _because(self, reason: str) -> Claim:
        return replace(self.claim, reason=self.claim.reason or reason)

    def on_paper(self, paper: Paper, repair: Repair, reason: str) -> None:
        claim, sheets = self._because(reason), paper.subject.sheets
        fixture, at = paper.begin(self.at)
        if sheet_of(sheets, claim) is not None:
            return
        before = sheet_seen(sheets, claim)
        require_running(paper.event)
        require_open(paper.event, fixture, before, claim.reason, may_repair=True)
        confirmed = confirmed_date(before)
        advanced = paper.winner(fixture, before) if repair is Repair.STAND else None
        fixture, sheet = paper.enter(fixture, sheets, claim, source=SheetSource.DESK, at=at)
        require_played_at(fixture, confirmed, claim, at)
        paper.follow(fixture, self.match, sheet, advanced=advanced, repair=repair, reason=claim.reason, at=at)
        paper.require_author(verb_of(claim, before))


@dataclass(frozen=True)
class VoidResult(Correction):
    """The match's result is taken back; ``given`` is the reason for it, if there is one."""

    base: int
    given: str = ""

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> object:
        given = self.given or reason
        return void_result(
            self.match, base=self.base, reason=given, repair=repair, may_repair=may_repair, by=self.by, at=self.at
        )

    def on_paper(self, paper: Paper, repair: Repair, reason: str) -> None:
        reason = self.given or reason
        fixture, at = paper.begin(self.at)
        require_running(paper.event)
        if repair is Repair.STAND:
            raise nothing_stands()
        require_open(paper.event, fixture, paper.subject.sheets.current, reason, may_repair=True)
        sheet_to_void(paper.subject.sheets, base=self.base)
        refuse_of_absence(paper.with_entries(fixture))
        own = next(match for match in fixture.matches.values() if match.pk == self.match.pk)
        left: dict[str, object] = {"open_sheets": list(prefetched_reports(own))}
        if rates_of(own) is not None:
            left |= {"rate_a": None, "rate_b": None}
        fixture, _match = paper.change_match(fixture, own, **left)
        fixture = paper.end_advances(fixture)
        require_reason(repair, reason)
        paper.advance(paper.stage_of(fixture), repair=repair, at=at)
        paper.require_author("void_result")


@dataclass(frozen=True)
class EndAdvance(Correction):
    """The ruling on who advances from the match ends; ``given`` is the reason for it."""

    given: str

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> object:
        return end_advance(self.match, reason=self.given, repair=repair, may_repair=may_repair, by=self.by, at=self.at)

    def on_paper(self, paper: Paper, repair: Repair, reason: str) -> None:
        fixture, at = paper.begin(self.at)
        require_running(paper.event)
        if not standing_advances(fixture):
            raise nobody_advanced()
        fixture = paper.end_advances(fixture)
        require_reason(repair, self.given)
        paper.advance(paper.stage_of(fixture), repair=repair, at=at)
        if paper.subject.sheets.current is not None:
            paper.require_author("end_advance")


@dataclass(frozen=True)
class Rule(Correction):
    """A ruling on the match, with its own reason."""

    request: RulingRequest

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> Ruled:
        ruled, _is_new = rule_match(
            self.match, request=self.request, repair=repair, may_repair=may_repair, by=self.by, at=self.at
        )
        return ruled

    def on_paper(self, paper: Paper, repair: Repair | None, reason: str) -> Ruled:
        """Make the ruling on paper, and return what it changes."""
        return rule_on_paper(self, self.request, paper, repair)


@dataclass(frozen=True)
class RuleLate(Correction):
    """The ruling on a match for which a side came late: it changes no match that has begun, and takes no repair."""

    late: Lateness

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair = True) -> Ruled:
        ruled, _is_new = rule_late(self.match, late=self.late, by=self.by, at=self.at)
        return ruled

    def on_paper(self, paper: Paper, repair: Repair, reason: str) -> Ruled:
        """Make the ruling on paper, and return what it changes."""
        fixture, _at = paper.begin(self.at)
        call = prefetched_call(next(match for match in fixture.matches.values() if match.pk == self.match.pk))
        is_played = paper.subject.sheets.current is not None or (call is not None and call.started_at is not None)
        request = lateness_request(
            paper.event, paper.subject.match, self.late, paper.subject.rulings, is_played=is_played
        )
        return rule_on_paper(self, request, paper, None)


def rule_on_paper(change: Correction, request: RulingRequest, paper: Paper, repair: Repair | None) -> Ruled:
    """Make the ruling on paper as :func:`tournament.results.rulings.rule_match` does, and return what it changes."""
    fixture, at = paper.begin(change.at)
    sheets, rulings = paper.subject.sheets, paper.subject.rulings
    if not any(ruling.key == request.key for ruling in rulings):
        require_running(paper.event)
    advanced = paper.winner(fixture, sheets.current) if repair is Repair.STAND else None
    known = known_ruling(rulings, request)
    if known is not None:
        return next(ruled for ruled in load_history(change.match).ruled() if ruled.row == known)
    proposal = propose(paper.subject.match, rulings, sheets.current, request)
    match = Match(
        **{field.attname: getattr(paper.subject.match, field.attname) for field in Match._meta.concrete_fields}
    )
    before = change_terms(match, proposal.terms)
    terms = {name: getattr(match, name) for name in RULED}
    claim, sheet = claim_proposed(proposal, request), None
    if claim is None:
        fixture, _match = paper.change_match(fixture, change.match, open_sheets=[], **terms)
    else:
        under = replace(sheets, match=match)
        if sheet_of(under, claim) is not None:
            raise key_is_reused()
        fixture, sheet = paper.enter(fixture, under, claim, source=SheetSource.DESK, at=at, **terms)
    row = new_ruling(
        paper.subject.match, proposal, request, before=before, after_sheet=len(sheets.rows), by=change.by, at=at
    )
    paper.follow(fixture, change.match, sheet, advanced=advanced, repair=repair, reason=row.reason, at=at)
    paper.require_author("ruling")
    stood = None if rulings and rulings[-1].after_sheet == len(sheets.rows) else _stood(sheets)
    return Ruled(len(rulings) + 1, row, _score(paper.subject.match.terms, stood), _score(match.terms, sheet))


def _stood(sheets: Sheets) -> Scoresheet | None:
    """Return the last sheet, which stood before the ruling, unless it has been taken back."""
    last = sheets.rows[-1] if sheets.rows else None
    return last if last is not None and last.state != SheetState.VOID else None


def _score(terms: Terms, sheet: Scoresheet | None) -> MatchScore:
    if sheet is None:
        return terms.opening
    claim = claim_of(sheet)
    return score_of(terms, claim.games, claim.final, claim.awarded_to)
