"""An event done again from its log alone, step by step, as a new event beside it."""

from datetime import datetime
from typing import Any

from matches.models import Conclusion, Match
from matches.rulings import RulingRequest
from matches.services import Claim, current_sheet
from rules.rulings import RulingKind
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tournament.models import Event, Fixture, LogEntry
from tournament.reconcile import Repair
from tournament.services.draw import cancel_draw, make_draw
from tournament.services.entries import (
    keep_apart,
    remove_entry,
    restore_entry,
    return_entry,
    seed_entry,
    withdraw_entry,
)
from tournament.services.events import create_event, finish_event, reopen_event
from tournament.services.reports import confirm_result, dispute_result, report_result
from tournament.services.results import end_advance, enter_result, void_result
from tournament.services.rulings import rule_match, take_ruling_back


class Replay:
    """``event`` is the new one: made on the terms of ``original``, and then by the rows of its log."""

    def __init__(self, original: Event) -> None:
        stage = original.stages.get(number=1)
        self.event = create_event(
            original.tournament,
            name=original.name,
            format=stage.format,
            options=stage.options,
            tiebreaks=original.tiebreaks,
            by=None,
            at=original.created_at,
        )
        self.entries: dict[int, int] = {}
        for row in original.log.order_by("id"):
            if row.verb != "create_event":
                getattr(self, row.verb)(row, row.detail, {"by": row.actor, "at": row.at})

    def _entry(self, old: int):
        return self.event.entries.get(pk=self.entries[old])

    def _match(self, detail: dict[str, Any]) -> Match:
        place = {"stage__event": self.event, "stage__number": detail.get("stage", 1), "key": detail["fixture"]}
        return Fixture.objects.get(**place).match

    def _claim(self, row: LogEntry) -> Claim:
        said = row.detail["claim"]
        return Claim(
            key=f"row-{row.pk}",
            base=row.detail.get("base", 0),
            games=tuple(GameResult(Side(a), cube, Level(b), Ending(c)) for a, cube, b, c in said["games"]),
            final=tuple(said["final"]) if said["final"] else None,
            conclusion=Conclusion(said["conclusion"]),
            awarded_to=Side(said["awarded_to"]) if said["awarded_to"] else None,
            confirmed=True,
            reason=row.detail["reason"],
        )

    def add_entries(self, row, detail, who) -> None:
        for kept in detail["kept"]:
            self.entries[kept["id"]] = restore_entry(self.event, kept=kept, **who).pk

    def remove_entry(self, row, detail, who) -> None:
        for kept in detail["kept"]:
            remove_entry(self._entry(kept["id"]), **who)

    def seed_entry(self, row, detail, who) -> None:
        seed_entry(self._entry(detail["entry"]), seed=detail["seed"], **who)

    def keep_apart(self, row, detail, who) -> None:
        keep_apart(self._entry(detail["entry"]), family=detail["family"], **who)

    def withdraw_entry(self, row, detail, who) -> None:
        withdraw_entry(self._entry(detail["entry"]), **who)

    def return_entry(self, row, detail, who) -> None:
        return_entry(self._entry(detail["entry"]), **who)

    def make_draw(self, row, detail, who) -> None:
        self.event.stages.filter(number=detail.get("stage", 1)).update(seed=detail["seed"])
        make_draw(self.event, **who)

    def cancel_draw(self, row, detail, who) -> None:
        cancel_draw(self.event, **who)

    def finish_event(self, row, detail, who) -> None:
        finish_event(self.event, **who)

    def reopen_event(self, row, detail, who) -> None:
        reopen_event(self.event, **who)

    def enter_result(self, row, detail, who) -> None:
        played_at = datetime.fromisoformat(detail["played_at"]) if "played_at" in detail else None
        enter_result(self._match(detail), claim=self._claim(row), repair=repair(detail), played_at=played_at, **who)

    correct_result = enter_result

    def void_result(self, row, detail, who) -> None:
        reason = detail["reason"]
        void_result(self._match(detail), base=detail["sheet"], reason=reason, repair=repair(detail), **who)

    def report_result(self, row, detail, who) -> None:
        report_result(self._match(detail), claim=self._claim(row), side=side(detail), **who)

    def confirm_result(self, row, detail, who) -> None:
        confirm_result(self._match(detail), number=detail["sheet"], side=side(detail), **who)

    def dispute_result(self, row, detail, who) -> None:
        reason = detail["reason"]
        dispute_result(self._match(detail), number=detail["sheet"], side=side(detail), reason=reason, **who)

    def end_advance(self, row, detail, who) -> None:
        end_advance(self._match(detail), reason=detail["reason"], repair=repair(detail), **who)

    def ruling(self, row, detail, who) -> None:
        match, said = self._match(detail), detail["said"]
        if detail["kind"] == RulingKind.UNDONE:
            take_ruling_back(match.rulings.last(), reason=detail["reason"], **who)
            return
        sheet = current_sheet(match)
        games = said["games"]
        request = RulingRequest(
            kind=RulingKind(detail["kind"]),
            key=f"row-{row.pk}",
            reason=detail["reason"],
            base=sheet.number if sheet else 0,
            ruling_count=match.rulings.count(),
            games=None
            if games is None
            else tuple(GameResult(Side(a), cube, Level(b), Ending(c)) for a, cube, b, c in games),
            final=tuple(said["final"]) if said["final"] else None,
            penalty_points=tuple(said["penalty_points"]),
            score=tuple(said["score"]),
            crawford_done=said["crawford_done"],
            next_begun=said["next_begun"],
            played_to=said["played_to"],
            awarded_to=Side(said["awarded_to"]) if said.get("awarded_to") else None,
        )
        rule_match(match, request=request, repair=repair(detail), **who)


def repair(detail: dict[str, Any]) -> Repair | None:
    return Repair(detail["repair"]) if detail.get("repair") else None


def side(detail: dict[str, Any]) -> Side | None:
    return Side(detail["side"]) if detail["side"] else None
