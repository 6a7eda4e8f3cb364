"""A tournament with one event replayed from its log alone, row by row, as a new one beside it."""

from datetime import datetime
from typing import Any

from django.db.models import Q

from matches.claims import Claim
from matches.models import Conclusion, Match
from matches.rulings import RulingRequest
from matches.services import AGAIN, current_sheet
from players.models import Player
from rules.rulings import RulingKind
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tests.tournament.ladders import ReplayedChallenges, ReplayedDeadlines
from tests.tournament.replay.hall import ReplayedHall
from tests.tournament.replay.public_value import ReplayedPublicValue
from tournament.draw.hand import change_draw, end_changes
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.play_offs import enter_play_off, void_play_off
from tournament.draw.reconcile import Repair
from tournament.entries.attendance import (
    check_in,
    leave_event,
    leave_out_absent,
    move_up,
    put_to_wait,
    set_door,
    undo_check_in,
    undo_leaving,
)
from tournament.entries.checking import check_in_all, undo_check_in_all
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.renew import renew_links
from tournament.entries.seeding import Seeding, SeedingRow, set_seeding
from tournament.entries.self_entry import set_self_entry
from tournament.entries.services import (
    add_entries,
    keep_apart,
    remove_entries,
    remove_entry,
    restore_entry,
    return_entry,
    seed_entry,
    set_home_evening,
    withdraw_entry,
)
from tournament.events.deletion import delete_event, restore_event
from tournament.events.services import create_event, finish_event, reopen_event, update_event
from tournament.events.stages import add_stage, remove_stage
from tournament.events.terms import EventTerms
from tournament.formats.moves import MoveKind
from tournament.models import Appointment, Event, Fixture, LogEntry, PlayOff, Role, Tournament
from tournament.results.boards import seat_reserve
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.error_rates import set_error_rates
from tournament.results.reports import (
    confirm_by_time,
    confirm_result,
    dispute_result,
    report_result,
    withdraw_result,
)
from tournament.results.rulings import rule_match, take_ruling_back
from tournament.results.walkovers import void_walkover, walk_over

ROLES = "who may do what: it changes nothing of an event"
MONEY = "the book of the cash: its rows are added and never changed, and tournament.ledger_audit sums them again"
TOURNAMENT = "about the tournament as a whole, and no word of its events"
DIRECTOR = "somebody asks for help at a table: it changes nothing of an event"
TEMPLATES = "what a director keeps of the settings for another event: it changes nothing of this one"
PLAYERS = "of two rows of players, whom all tournaments share: the event done again is of who plays as whom now"
LISTS = "what counts for an official list: it changes nothing of the draw or the results"
BESIDE = "a record stands beside the score sheet: it changes nothing of a result"
NOT_REPLAYED = {
    **dict.fromkeys(("create_tournament", "update_tournament", "delete_tournament", "restore_tournament"), TOURNAMENT),
    **dict.fromkeys(("set_site_address", "set_divisions"), TOURNAMENT),
    **dict.fromkeys(("invite", "withdraw_invitation", "accept_invitation", "change_role", "take_role"), ROLES),
    **dict.fromkeys(("set_money", "settle_accounts", "reverse_payment"), MONEY),
    **dict.fromkeys(("open_side_pool", "join_side_pool", "leave_side_pool"), MONEY),
    **dict.fromkeys(("make_lots", "dissolve_lot", "sell_lot"), MONEY),
    **dict.fromkeys(("merge_players", "undo_merge", "delete_person"), PLAYERS),
    "begin_chain": "what a draw does by itself where the server has lost its secret: it is done with the draw",
    "import_event": "the file tells what was done, and the log of the event begins after it",
    **dict.fromkeys(("call_director", "answer_director", "end_director_call"), DIRECTOR),
    **dict.fromkeys(("attach_record", "detach_record"), BESIDE),
    "answer_page_request": "somebody is let in to the page that they have: it changes nothing of an event",
    **dict.fromkeys(("save_template", "remove_template"), TEMPLATES),
    **dict.fromkeys(("redeclare", "sanction_event", "withdraw_sanction", "rule_on_rating"), LISTS),
    **dict.fromkeys(("accept_report", "return_report", "queue_report", "answer_report"), LISTS),
}
"""The verbs whose rows are left out, and why; every other verb of the log has a method in :class:`Replay`."""


class Replay(ReplayedChallenges, ReplayedDeadlines, ReplayedHall, ReplayedPublicValue):
    """``event`` is the new one, in a ``tournament`` of its own: made by the rows of the log that ``original`` is in.

    A row that tells what followed from another one, such as the walkover of somebody who left, is not done by itself.
    """

    event: Event

    def __init__(self, original: Event) -> None:
        before = original.tournament
        self.tournament = Tournament.objects.create(
            name=before.name, slug=f"{before.slug}-again", starts_on=before.starts_on, created_at=before.created_at
        )
        for actor in before.log.exclude(actor=None).order_by().values_list("actor", flat=True).distinct():
            Appointment.objects.create(
                tournament=self.tournament, user_id=actor, role=Role.OWNER, since=before.created_at
            )
        self.entries: dict[int, int] = {}
        for row in before.log.filter(Q(event=original) | Q(event=None)).order_by("id"):
            if row.verb not in NOT_REPLAYED and not row.detail.get("absent"):
                getattr(self, row.verb)(row, row.detail, {"by": row.actor, "at": row.at})

    def _entry(self, old: int):
        return self.event.entries.get(pk=self.entries[old])

    def _match(self, detail: dict[str, Any]) -> Match:
        place = {"stage__event": self.event, "stage__number": detail.get("stage", 1), "key": detail["fixture"]}
        fixture = Fixture.objects.get(**place)
        return fixture.boards.get(number=detail["board"]).match if "board" in detail else fixture.match

    def _claim(self, row: LogEntry) -> Claim:
        said = row.detail["claim"]
        return Claim(
            key=f"{AGAIN}{row.pk}" if row.detail.get("again") else f"row-{row.pk}",
            base=row.detail.get("base", 0),
            games=tuple(GameResult(Side(a), cube, Level(b), Ending(c)) for a, cube, b, c in said["games"]),
            final=tuple(said["final"]) if said["final"] else None,
            conclusion=Conclusion(said["conclusion"]),
            awarded_to=Side(said["awarded_to"]) if said["awarded_to"] else None,
            confirmed=True,
            reason=row.detail["reason"],
            played_at=datetime.fromisoformat(row.detail["dated"]) if "dated" in row.detail else None,
        )

    def _line(self, people: list[int | None], **said: Any) -> EntryLine:
        """The line that names these people, by their ids where a line can."""
        names = [Player.objects.get(pk=player).name for player in people if player is not None]
        if len(names) == 1:
            return EntryLine(name=names[0], player_id=people[0], **said)
        return EntryLine(name=" & ".join(names), **said)

    def _line_of(self, kept: dict[str, Any]) -> EntryLine:
        if not kept["team"]:
            return self._line([kept["player_id"], kept["partner_id"]], seed=kept["seed"])
        members = [kept["player_id"], *(player for player, _board in sorted(kept["members"], key=lambda seat: seat[1]))]
        lines = tuple(EntryLine(name="", player_id=player) for player in members)
        return EntryLine(name=kept["team"], seed=kept["seed"], members=lines)

    # The event

    def create_event(self, row, detail, who) -> None:
        nonce = row.event.draw_chains.get(number=1).nonce
        self.event = create_event(self.tournament, terms(detail), nonce=nonce, **who)

    def update_event(self, row, detail, who) -> None:
        update_event(self.event, terms(detail), **who)

    def delete_event(self, row, detail, who) -> None:
        delete_event(self.event, typed=detail["name"], **who)

    def restore_event(self, row, detail, who) -> None:
        restore_event(self.event, **who)

    def add_stage(self, row, detail, who) -> None:
        said = {name: detail[name] for name in ("format", "options", "qualifiers", "carry")}
        add_stage(self.event, **said, **who)

    def remove_stage(self, row, detail, who) -> None:
        remove_stage(self.event, number=detail["stage"], **who)

    def set_door(self, row, detail, who) -> None:
        said = {name: detail[name] for name in ("max_entries", "check_in", "late_minutes")}
        set_door(self.event, **said, **who)

    def set_self_entry(self, row, detail, who) -> None:
        until = datetime.fromisoformat(detail["self_entry_until"]) if detail["self_entry_until"] else None
        set_self_entry(self.event, open=detail["self_entry"], until=until, **who)

    def change_draw(self, row, detail, who) -> None:
        a, b = (self._entry(entry) if entry is not None else None for entry in detail["entries"])
        stage = self.event.stages.get(number=detail["stage"])
        change_draw(stage, kind=MoveKind(detail["kind"]), a=a, b=b, reason=detail["reason"], **who)

    def end_draw_change(self, row, detail, who) -> None:
        end_changes(self.event.stages.get(number=detail["stage"]), numbers=detail["numbers"], **who)

    def enter_play_off(self, row, detail, who) -> None:
        winner, loser = (self._entry(entry) for entry in detail["entries"])
        enter_play_off(self.event.stages.get(number=detail["stage"]), winner=winner, loser=loser, **who)

    def void_play_off(self, row, detail, who) -> None:
        winner, loser = (self._entry(entry) for entry in detail["entries"])
        played = PlayOff.objects.get(stage__event=self.event, stage__number=detail["stage"], winner=winner, loser=loser)
        void_play_off(played, **who)

    # Entries and people

    def add_entries(self, row, detail, who) -> None:
        if detail.get("restored"):
            made = [restore_entry(self.event, kept=kept, **who) for kept in detail["kept"]]
        else:
            made = add_entries(self.event, lines=[self._line_of(kept) for kept in detail["kept"]], **who)
        self.entries |= {kept["id"]: entry.pk for kept, entry in zip(detail["kept"], made, strict=True)}

    def check_in(self, row, detail, who) -> None:
        check_in(self._entry(detail["entry"]), **who)

    def undo_check_in(self, row, detail, who) -> None:
        undo_check_in(self._entry(detail["entry"]), **who)

    def check_in_all(self, row, detail, who) -> None:
        check_in_all(self.event, only=[self.entries[old] for old in detail["entries"]], **who)

    def undo_check_in_all(self, row, detail, who) -> None:
        undo_check_in_all(self.event, only=[self.entries[old] for old in detail["entries"]], **who)

    def set_seeding(self, row, detail, who) -> None:
        rows = [
            SeedingRow(
                self.entries[told["entry"]], *(Seeding(told["seed"][now], told["family"][now]) for now in (1, 0))
            )
            for told in detail["rows"]
        ]
        set_seeding(self.event, rows=rows, **who)

    def move_up(self, row, detail, who) -> None:
        move_up(self._entry(detail["entry"]), **who)

    def put_to_wait(self, row, detail, who) -> None:
        put_to_wait(self._entry(detail["entry"]), **who)

    def leave_event(self, row, detail, who) -> None:
        said = {name: detail[name] for name in ("kind", "reason", "plays_on", "only_main")}
        leave_event(self._entry(detail["entry"]), **said, **who)

    def undo_leaving(self, row, detail, who) -> None:
        undo_leaving(self._entry(detail["entry"]), **who)

    def leave_out_absent(self, row, detail, who) -> None:
        leave_out_absent(self.event, **who)

    def replace_player(self, row, detail, who) -> None:
        replace_player(self._entry(detail["entry"]), line=self._line(detail["now"]), **who)

    def renew_links(self, row, detail, who) -> None:
        renew_links(self.event, entries=[self.entries[entry] for entry in detail["entries"]], **who)

    def seat_reserve(self, row, detail, who) -> None:
        seat_reserve(self._match(detail), side=Side(detail["side"]), player_id=detail["player"], **who)

    def set_error_rates(self, row, detail, who) -> None:
        rates = detail["rates"] and tuple(detail["rates"])
        set_error_rates(self._match(detail), rates=rates, **who)

    def set_home_evening(self, row, detail, who) -> None:
        set_home_evening(self._entry(detail["entry"]), weekday=detail["weekday"], **who)

    def remove_entry(self, row, detail, who) -> None:
        if len(detail["kept"]) == 1:
            remove_entry(self._entry(detail["kept"][0]["id"]), **who)
        else:
            remove_entries(self.event, ids=[self.entries[kept["id"]] for kept in detail["kept"]], **who)

    def seed_entry(self, row, detail, who) -> None:
        seed_entry(self._entry(detail["entry"]), seed=detail["seed"], **who)

    def keep_apart(self, row, detail, who) -> None:
        keep_apart(self._entry(detail["entry"]), family=detail["family"], **who)

    def withdraw_entry(self, row, detail, who) -> None:
        withdraw_entry(self._entry(detail["entry"]), **who)

    def return_entry(self, row, detail, who) -> None:
        return_entry(self._entry(detail["entry"]), **who)

    def make_draw(self, row, detail, who) -> None:
        if "urns" not in detail:
            self.event.stages.filter(number=detail.get("stage", 1)).update(seed=detail["seed"])
        make_draw(self.event, **who)

    def cancel_draw(self, row, detail, who) -> None:
        cancel_draw(self.event, **who)

    def finish_event(self, row, detail, who) -> None:
        finish_event(self.event, confirmed="rates_open" in detail, **who)

    def reopen_event(self, row, detail, who) -> None:
        reopen_event(self.event, **who)

    def enter_result(self, row, detail, who) -> None:
        played_at = datetime.fromisoformat(detail["played_at"]) if "played_at" in detail else None
        asked = {"claim": self._claim(row), "repair": repair(detail), "may_repair": True}
        enter_result(self._match(detail), **asked, played_at=played_at, **who)

    correct_result = enter_result

    def void_result(self, row, detail, who) -> None:
        asked = {"reason": detail["reason"], "repair": repair(detail), "may_repair": True}
        void_result(self._match(detail), base=detail["sheet"], **asked, **who)

    def walk_over(self, row, detail, who) -> None:
        match = self._match({**detail, "board": detail["boards"][0]["board"]})
        to = None if detail["neither"] else Side("AB"[detail["players"].index(detail["to"])])
        walk_over(match, to=to, key=f"row-{row.pk}", reason=detail["reason"], **who)

    def void_walkover(self, row, detail, who) -> None:
        given = self.event.log.filter(verb="walk_over", detail__fixture=detail["fixture"]).first().detail["boards"]
        match = self._match({**detail, "board": given[0]["board"]})
        void_walkover(match, boards=given, reason=detail["reason"], **who)

    def report_result(self, row, detail, who) -> None:
        agrees = detail.get("agrees", True)
        report_result(self._match(detail), claim=self._claim(row), side=side(detail), agrees=agrees, **who)

    def withdraw_report(self, row, detail, who) -> None:
        withdraw_result(self._match(detail), base=detail["sheet"], side=side(detail), at=who["at"])

    def confirm_by_time(self, row, detail, who) -> None:
        confirm_by_time(self._match(detail), number=detail["sheet"], at=who["at"])

    def confirm_result(self, row, detail, who) -> None:
        confirm_result(self._match(detail), number=detail["sheet"], side=side(detail), **who)

    def dispute_result(self, row, detail, who) -> None:
        reason = detail["reason"]
        dispute_result(self._match(detail), number=detail["sheet"], side=side(detail), reason=reason, **who)

    def end_advance(self, row, detail, who) -> None:
        asked = {"reason": detail["reason"], "repair": repair(detail), "may_repair": True}
        end_advance(self._match(detail), **asked, **who)

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
        rule_match(match, request=request, repair=repair(detail), may_repair=True, **who)


def terms(detail: dict[str, Any]) -> EventTerms:
    kept = detail["terms"]
    starts_at = datetime.fromisoformat(kept["starts_at"]) if kept["starts_at"] else None
    return EventTerms(**{**kept, "starts_at": starts_at})


def repair(detail: dict[str, Any]) -> Repair | None:
    return Repair(detail["repair"]) if detail.get("repair") else None


def side(detail: dict[str, Any]) -> Side | None:
    return Side(detail["side"]) if detail["side"] else None
