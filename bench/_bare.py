"""The anchor of a result: a bare transaction of the seven statements that no program could leave out."""

import time
import uuid
from functools import partial

from django.db import connection, transaction

from matches.models import Scoresheet, SheetChange
from rules.score import Side
from tests.builders import build_event, build_tournament, open_matches, win
from tournament.models import LogEntry

SHEET = "number, state, source, side, claimed_by_id, final_a, final_b, conclusion, awarded_to, reason, at, played_at"
CHANGE = "sheet_id, state, side, reason, by_id, at"
ROW = "tournament_id, event_id, actor_id, verb, detail, words, way, address, agent, at"


class BareTransaction:
    """The statements of a result, on rows of a small event of its own in the same database.

    They are: read the event for update, read the match, insert a score sheet and its change, update the fixture, insert
    a row of the log, update the event.
    """

    def __init__(self, director) -> None:
        event = build_event(director, tournament=build_tournament(director, "Anchor"))
        match = open_matches(event)[0]
        sheet = win(match, Side.A, by=director)
        self.event, self.match, self.fixture = event.pk, match.pk, match.fixture.pk
        self.sheet = read(Scoresheet, SHEET, sheet.pk)
        self.change = read(SheetChange, CHANGE, sheet.changes.get().pk)
        self.row = read(LogEntry, ROW, LogEntry.objects.filter(event=event).latest("pk").pk)
        self.number = 1

    def seconds(self) -> float:
        """Return the processor time of one transaction, to its commit."""
        lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
        self.number += 1
        began = time.process_time()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM tournament_event WHERE id = %s{lock}", [self.event])  # noqa: S608
            cursor.fetchone()
            cursor.execute("SELECT * FROM matches_match WHERE id = %s", [self.match])
            cursor.fetchone()
            insert = partial(add, cursor)
            _number, _state, *rest = self.sheet
            insert(
                "matches_scoresheet",
                f"match_id, key, {SHEET}",
                [self.match, uuid.uuid4().hex, self.number, "superseded", *rest],
            )
            insert("matches_sheetchange", CHANGE, self.change)
            cursor.execute("UPDATE tournament_fixture SET entry_a_id = entry_a_id WHERE id = %s", [self.fixture])
            insert("tournament_logentry", ROW, self.row)
            cursor.execute("UPDATE tournament_event SET version = version + 1 WHERE id = %s", [self.event])
        return time.process_time() - began


def read(model, columns: str, pk: int) -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {model._meta.db_table} WHERE id = %s", [pk])  # noqa: S608
        return cursor.fetchone()


def add(cursor, table: str, columns: str, values) -> None:
    places = ", ".join(["%s"] * len(values))
    cursor.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", values)  # noqa: S608
