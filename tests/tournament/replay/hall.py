"""The changes of a hall done again from the log."""

from datetime import datetime

from tournament.hall.announcements import announce, end_announcements, withdraw_announcement
from tournament.hall.calling import call_match, move_match, recall_match, start_match
from tournament.hall.tables import add_break, add_tables, remove_break, update_table


class ReplayedHall:
    """The verbs of tables, breaks and calls, for :class:`tests.tournament.replay.replaying.Replay`."""

    def add_tables(self, row, detail, who) -> None:
        for number in detail["tables"]:
            add_tables(self.tournament, first=number, last=number, **who)

    def update_table(self, row, detail, who) -> None:
        table = self.tournament.tables.get(number=detail["table"])
        now = {name: getattr(table, name) for name in ("event", "streamed", "out_of_order")}
        now |= {name: after for name, (_before, after) in detail["changes"].items() if name != "event"}
        if "event" in detail["changes"]:
            now["event"] = self.event if detail["changes"]["event"][1] else None
        update_table(self.tournament, number=table.number, **now, **who)

    def add_break(self, row, detail, who) -> None:
        starts_at, ends_at = (datetime.fromisoformat(detail[name]) for name in ("starts_at", "ends_at"))
        add_break(self.tournament, name=detail["name"], starts_at=starts_at, ends_at=ends_at, **who)

    def remove_break(self, row, detail, who) -> None:
        gone = self.tournament.breaks.get(starts_at=datetime.fromisoformat(detail["starts_at"]))
        remove_break(self.tournament, break_id=gone.pk, **who)

    def announce(self, row, detail, who) -> None:
        ends_at = detail["ends_at"] and datetime.fromisoformat(detail["ends_at"])
        event = self.event if row.event_id is not None else None
        announce(self.tournament, text=detail["text"], event=event, ends_at=ends_at, **who)

    def withdraw_announcement(self, row, detail, who) -> None:
        withdraw_announcement(self.tournament.announcements.get(text=detail["text"]), **who)

    def end_announcement(self, row, detail, who) -> None:
        end_announcements(at=who["at"])

    def call_match(self, row, detail, who) -> None:
        call_match(self._match(detail), table=detail["table"], **who)

    def start_match(self, row, detail, who) -> None:
        start_match(self._match(detail), **who)

    def move_match(self, row, detail, who) -> None:
        move_match(self._match(detail), table=detail["table"], **who)

    def recall_match(self, row, detail, who) -> None:
        recall_match(self._match(detail), **who)
