"""An event on paper: its rows as they were read, and what a change makes of them, on copies and in memory alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from django.db.models import prefetch_related_objects

from matches.claims import Claim
from matches.models import SIDES, Match, Ruling, Scoresheet, SheetSource, SheetState
from matches.services import Sheets, judge_claim, new_lines, new_sheet, prefetched_sheet, read_sheets
from players.models import User
from players.statements import Statement, columns_of
from tournament.corrections.memory import Memory, known_of, remembering
from tournament.draw.advance import (
    absent_sides,
    claim_instead,
    claim_of_absence,
    unattended_matches,
    who_never_came,
    winner_by_absence,
)
from tournament.draw.chain import Chain
from tournament.draw.outcomes import match_has_begun, results_of
from tournament.draw.reconcile import (
    PLANNED,
    Repair,
    drawn_from,
    fill_fixture,
    moved_among,
    new_matches,
    planned_values,
    refuse_to_move,
    was_played,
)
from tournament.draw.steps import not_in_draw
from tournament.formats.plan import Pairing, seated
from tournament.models import Advance, Board, Fixture, Stage
from tournament.results.enter import entry_let_stand, require_reason, winner_of
from tournament.roles.permissions import require_author

_MATCH_OF_FIXTURE = Fixture._meta.get_field("match")
_MATCH_OF_BOARD = Board._meta.get_field("match")


@dataclass(frozen=True, slots=True)
class Subject:
    """The match that a change is made to, with its players, all its score sheets and its rulings, as they were read."""

    match: Match
    sheets: Sheets
    rulings: Sequence[Ruling]


def read_subject(match: Match) -> Subject:
    """Read the match, in at most five queries."""
    match = Match.objects.select_related(*SIDES).get(pk=match.pk)
    rulings = _RULINGS.find(Ruling, match.pk)
    prefetch_related_objects(rulings, "by")
    return Subject(match, read_sheets(match), rulings)


_RULINGS = Statement(lambda match: Ruling.objects.filter(match=match).values_list(*columns_of(Ruling)))


class Paper:
    """The rows of an event while one change is made to them.

    What was read is never touched: a row that changes is replaced by a copy, so an unchanged fixture is the same object
    before and after. Whatever a service decides is asked of the same functions; rows that do not exist yet have numbers
    below 0. No urn is opened: it must be used on paper (:func:`tournament.draw.lots.on_paper`).
    """

    def __init__(self, chain: Chain, subject: Subject, memory: Memory, *, by: User | None) -> None:
        self.subject = subject
        self.event, self.stages, self.entries = chain.event, chain.stages, chain.entries
        self.rows = {stage.pk: list(chain.fixtures[stage.pk]) for stage in chain.stages}
        self.by = by
        self._read, self._memory = chain, memory
        self._made = 0

    def chain(self) -> Chain:
        """Return the chain of the rows as they are now."""
        return remembering(self._read, self._memory, {pk: list(rows) for pk, rows in self.rows.items()})

    def begin(self, at: datetime) -> tuple[Fixture, datetime]:
        """Return the fixture and the moment of the step, as :func:`tournament.draw.steps.lock_fixture` does."""
        for fixtures in self.rows.values():
            for fixture in fixtures:
                if self._is_of_subject(fixture):
                    return fixture, self._memory.moment(self.event, at)
        raise not_in_draw()

    def _is_of_subject(self, fixture: Fixture) -> bool:
        if fixture.match_id is not None or not self.event.has_teams:
            return fixture.match_id == self.subject.match.pk
        return any(match.pk == self.subject.match.pk for match in fixture.matches.values())

    def with_entries(self, fixture: Fixture) -> Fixture:
        """Return the fixture with its two entries loaded."""
        seated = copy(fixture)
        seated.entry_a, seated.entry_b = (
            self.entries.get(fixture.entry_a_id or 0),
            self.entries.get(fixture.entry_b_id or 0),
        )
        return seated

    def stage_of(self, fixture: Fixture) -> Stage:
        return next(stage for stage in self.stages if stage.pk == fixture.stage_id)

    def require_author(self, verb: str) -> None:
        """Raise Forbidden as the row of the log with this verb would be refused."""
        require_author(self.by, self.event, verb)

    # What a service writes about one match.

    def change_match(self, fixture: Fixture, match: Match, **values: object) -> tuple[Fixture, Match]:
        """Give the match these values; return the fixture and the match as they are now."""
        old = next(one for one in fixture.matches.values() if one.pk == match.pk)
        new = copy(old)
        for name, value in values.items():
            setattr(new, name, value)
        changed = copy(fixture)
        if fixture.match_id is not None:
            _MATCH_OF_FIXTURE.set_cached_value(changed, new)
        else:
            _set_boards(
                changed, [_board(board, new if board.match is old else board.match) for board in _boards(fixture)]
            )
        self._replace(fixture, changed)
        return changed, new

    def enter(
        self, fixture: Fixture, sheets: Sheets, claim: Claim, *, source: SheetSource, at: datetime, **terms: object
    ) -> tuple[Fixture, Scoresheet]:
        """Make the claim the match's current sheet, and the players leave their table if it decides the match.

        ``terms`` are values of the match that change with it. Raises as :func:`matches.services.submit_sheet` does.
        """
        judged = judge_claim(sheets, claim, at=at)
        sheet = new_sheet(sheets, claim, judged, source=source, by=self.by, at=at)
        sheet.pk = self._number()
        _keep(sheet, "lines", new_lines(sheet, claim))
        own = next(one for one in fixture.matches.values() if one.pk == sheets.match.pk)
        is_over = judged.state == SheetState.CONFIRMED
        reports = [] if is_over else [one for one in own.open_sheets if one.state in Scoresheet.REPORTS]
        calls = [] if is_over else own.open_calls  # type: ignore[attr-defined]
        changed, sheet.match = self.change_match(
            fixture, sheets.match, open_sheets=[sheet, *reports], open_calls=calls, **terms
        )
        return changed, sheet

    def end_advances(self, fixture: Fixture) -> Fixture:
        """End the rulings on who advances from the fixture; return it as it is now."""
        for match in list(fixture.matches.values()):
            if match.standing_advances:  # type: ignore[attr-defined]
                fixture, _match = self.change_match(fixture, match, standing_advances=[])
        return fixture

    def winner(self, fixture: Fixture, sheet: Scoresheet | None) -> int | None:
        """Return the winning entry, as :func:`tournament.results.enter.winner_of` does."""
        if fixture.match_id is None:
            return next((result.winner for result in results_of([fixture])), None)
        return winner_of(fixture, sheet)

    def follow(
        self,
        fixture: Fixture,
        match: Match,
        sheet: Scoresheet | None,
        *,
        advanced: int | None,
        repair: Repair | None,
        reason: str,
        at: datetime,
    ) -> None:
        """Advance the draw by the match's sheet, as :func:`tournament.results.enter.follow_result` does."""
        require_reason(repair, reason)
        by_ruling = standing_advances(fixture)
        if by_ruling:
            if self.winner(fixture, sheet) in {None, by_ruling[0].entry_id}:
                self.end_advances(fixture)
        elif repair is Repair.STAND and (stays := entry_let_stand(advanced, self.winner(fixture, sheet))) is not None:
            ruling = Advance(match_id=match.pk, entry_id=stays, at=at)
            self.change_match(fixture, match, standing_advances=[ruling])
        self.advance(self.stage_of(fixture), repair=repair, at=at)

    # What the draw makes of it.

    def advance(self, stage: Stage, *, repair: Repair | None, at: datetime) -> None:
        """Bring the stage and later ones into line, as :func:`tournament.draw.advance.advance` does."""
        chain = self._reconcile(stage, repair=repair, at=at)
        while any(entry.left_at is not None for entry in self.entries.values()):
            drawn = [one for one in self.stages[stage.number - 1 :] if one.drawn_at is not None]
            given = sum(self._void_unattended(later, chain, at=at) for later in drawn)
            given = given or sum(self._walk_over(later, chain, at=at) for later in drawn)
            if not given:
                break
            chain = self._reconcile(stage, repair=None, at=at)

    def _reconcile(self, stage: Stage, *, repair: Repair | None, at: datetime) -> Chain:
        chain = self.chain()
        if repair is Repair.REPLAY:
            while fallen := [fixture for fixture in self._to_be_moved(chain, stage) if was_played(fixture)]:
                for fixture in fallen:
                    self._detach(fixture)
                chain = self.chain()
        refuse_to_move(self._to_be_moved(chain, stage), repair)
        for later in drawn_from(chain, stage):
            pairings = _planned(chain, later)
            for fixture in _moved_in(chain, later):
                self._detach(fixture)
            self._carry_out(later, pairings, at)
        return chain

    def _to_be_moved(self, chain: Chain, stage: Stage) -> list[Fixture]:
        """Return the fixtures that :func:`tournament.draw.reconcile.to_be_moved` finds."""
        return [fixture for one in drawn_from(chain, stage) for fixture in _moved_in(chain, one)]

    def _carry_out(self, stage: Stage, pairings: Sequence[Pairing], at: datetime) -> None:
        rows = self.rows[stage.pk]
        fixtures = {fixture.key: fixture for fixture in rows}
        planned = [self._as_planned(stage, pairing, fixtures.get(pairing.key), at) for pairing in pairings]
        # As the database gives them.
        rows[:] = sorted(planned, key=attrgetter("bracket", "round", "number"))

    def _as_planned(self, stage: Stage, pairing: Pairing, fixture: Fixture | None, at: datetime) -> Fixture:
        known = known_of(fixture) if fixture is not None else None
        if fixture is not None and known is not None and known.in_line is pairing:
            return fixture
        entry_a, entry_b = (self.entries.get(seated(seat) or 0) for seat in (pairing.a, pairing.b))
        needs_match = entry_a is not None and entry_b is not None and (fixture is None or not fixture.matches)
        if fixture is not None and not needs_match and PLANNED(fixture) == planned_values(pairing):
            if known is not None:
                known.in_line = pairing
            return fixture
        changed = copy(fixture) if fixture is not None else Fixture(pk=self._number(), stage=stage, key=pairing.key)
        if fixture is None:
            _set_boards(changed, [])
        fill_fixture(changed, pairing, entry_a, entry_b)
        if needs_match and entry_a is not None and entry_b is not None:
            made = new_matches(self.event, pairing.length, entry_a, entry_b, at)
            for match in made:
                match.pk = self._number()
            if self.event.has_teams:
                boards = [Board(pk=self._number(), number=number) for number, _match in enumerate(made, 1)]
                _set_boards(changed, [_board(board, match) for board, match in zip(boards, made, strict=True)])
            else:
                _set_match(changed, made[0])
        return changed

    def _detach(self, fixture: Fixture) -> None:
        """Take the matches from the fixture; what they had is void, or it was nothing."""
        changed = copy(fixture)
        _set_match(changed, None)
        _set_boards(changed, [])
        self._replace(fixture, changed)

    def _walk_over(self, stage: Stage, chain: Chain, *, at: datetime) -> int:
        given = 0
        gone = {entry.pk for entry in self.entries.values() if entry.left_at is not None}
        for fixture in self._fixtures_of(stage, gone):
            waiting = [match for match in fixture.matches.values() if not match_has_begun(match)]
            absent = absent_sides(fixture, self.entries) if waiting else {}
            if absent:
                winner = winner_by_absence(chain, stage, fixture, absent, at=at)
                self._enter_of_absence(fixture, waiting, claim_of_absence(winner, list(absent.values())), at=at)
                given += len(waiting)
        return given

    def _void_unattended(self, stage: Stage, chain: Chain, *, at: datetime) -> int:
        given = 0
        gone, came = who_never_came(chain)
        for fixture in self._fixtures_of(stage, gone.keys() - came):
            unattended = unattended_matches(fixture, gone, came)
            sides = [gone[entry or 0] for entry in (fixture.entry_a_id, fixture.entry_b_id)] if unattended else []
            self._enter_of_absence(fixture, unattended, claim_of_absence(None, sides), at=at)
            given += len(unattended)
        return given

    def _fixtures_of(self, stage: Stage, entries: Iterable[int | None]) -> list[Fixture]:
        wanted = set(entries) - {None}
        return [one for one in self.rows[stage.pk] if one.entry_a_id in wanted or one.entry_b_id in wanted]

    def _enter_of_absence(self, fixture: Fixture, matches: Sequence[Match], claim: Claim, *, at: datetime) -> None:
        for match in matches:
            current = prefetched_sheet(match)
            sheets = Sheets(match, tuple(match.open_sheets), current, ())
            claimed = claim_instead(sheets, claim)
            fixture, _sheet = self.enter(fixture, sheets, claimed, source=SheetSource.ABSENCE, at=at)
            self.require_author("enter_result")

    def _replace(self, old: Fixture, new: Fixture) -> None:
        rows = self.rows[old.stage_id]
        rows[next(index for index, row in enumerate(rows) if row is old)] = new

    def _number(self) -> int:
        """Return a number for a row that is not stored."""
        self._made -= 1
        return self._made


def _planned(chain: Chain, stage: Stage) -> Sequence[Pairing]:
    return () if chain.waits(stage) else chain.at(stage).plan.pairings


def _moved_in(chain: Chain, stage: Stage) -> list[Fixture]:
    """Return the same as :func:`tournament.draw.reconcile.moved_in`."""
    planned = {pairing.key: pairing for pairing in _planned(chain, stage)}
    fixtures = chain.fixtures[stage.pk]
    return moved_among(
        [one for one in fixtures if (line := known_of(one).in_line) is None or planned.get(one.key) is not line],
        planned,
    )


def standing_advances(fixture: Fixture) -> list[Advance]:
    """Return the standing rulings on who advances from the fixture. Reads its matches as loaded."""
    return [ruling for match in fixture.matches.values() for ruling in match.standing_advances]  # type: ignore[attr-defined]


def _boards(fixture: Fixture) -> list[Board]:
    return list(fixture.boards.all())


def _board(board: Board, match: Match) -> Board:
    """Return the board with this match."""
    if board.match_id == match.pk and board.match is match:
        return board
    changed = copy(board)
    changed.match_id = match.pk
    _MATCH_OF_BOARD.set_cached_value(changed, match)
    return changed


def _set_boards(fixture: Fixture, boards: list[Board]) -> None:
    _keep(fixture, "boards", boards)


def _set_match(fixture: Fixture, match: Match | None) -> None:
    # Not ``fixture.match = match``: two rows that refer to each other stay in memory until they are collected.
    fixture.match_id = match.pk if match is not None else None
    _MATCH_OF_FIXTURE.set_cached_value(fixture, match)


def _keep(row: Fixture | Scoresheet, name: str, found: Sequence[object]) -> None:
    """Let the row find these rows where it would ask the database."""
    known: Mapping[str, object] = getattr(row, "_prefetched_objects_cache", {})
    row._prefetched_objects_cache = {**known, name: found}  # type: ignore[union-attr]
