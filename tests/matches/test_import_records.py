import json
import os
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from matches.audit import audit_free_matches, audit_rankings, audit_records
from matches.claims import claim_of
from matches.import_records import import_batch, import_record
from matches.models import GameLine, Match, Record, Scoresheet, SheetSource, SheetState, Verdict
from matches.ratings import rate_matches, rateable_sheets
from players.models import Player, RankingList
from players.services import create_player
from rules.records.formats import MAX_BYTES, loads
from rules.records.replay import verify
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tests.builders import AT
from tests.rules.records.binary import xg_of
from tests.rules.records.corpus import corpus

pytestmark = pytest.mark.django_db

RECORDS = Path(__file__).parent.parent / "data" / "records"
WHOLE = """\
; [EventDate "2025.02.28"]
; [EventTime "20.15"]

1 point match

 Game 1
 Ann : 0                        Bo : 0
  1) 31: 8/5 6/5                 63: 24/21 21/15
  2)                             Losses 1 point
      Wins 1 point and the match
"""

NOT_BEGUN = """\
1 point match

 Game 1
 Ann : 0                        Bo : 0
  1) 31: 8/5 6/5                 Losses 1 point
      Wins 1 point and the match
"""


def bring(text: str | bytes, name: str = "one.mat"):
    return import_record(text if isinstance(text, bytes) else text.encode(), name=name, at=AT)


def counts() -> tuple[int, int, int, int]:
    return Record.objects.count(), Match.objects.count(), Scoresheet.objects.count(), Player.objects.count()


def run(*arguments: object) -> tuple[int, list[str]]:
    """Return the exit code and the lines of ``manage.py import_records``."""
    out, code = StringIO(), 0
    try:
        call_command("import_records", *map(str, arguments), stdout=out)
    except SystemExit as end:
        code = end.code
    return code, out.getvalue().splitlines()


def test_proved_record_makes_players_a_match_and_a_confirmed_sheet():
    record = bring(WHOLE).record
    match = record.match
    sheet = match.sheets.get()
    assert (record.verdict, record.finding, record.name) == (Verdict.PROVED, None, "one.mat")
    assert (bytes(record.data), record.sha256) == (WHOLE.encode(), sha256(WHOLE.encode()).hexdigest())
    assert (match.side_a.name, match.side_b.name, match.length, match.crawford) == ("Ann", "Bo", 1, True)
    assert (sheet.state, sheet.source) == (SheetState.CONFIRMED, SheetSource.RECORD)
    assert claim_of(sheet).games == (GameResult(Side.A, 1, Level.SINGLE, Ending.RESIGNED),)
    assert counts() == (1, 1, 1, 2)


def test_match_was_played_when_the_record_says_in_local_time():
    assert bring(WHOLE).record.match.sheets.get().at == datetime(2025, 2, 28, 19, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ('; [EventDate "2025.02.28"]\n', datetime(2025, 2, 27, 23, 0, tzinfo=UTC)),
        ('; [EventDate "2025.02.30"]\n; [EventTime "20.15"]\n', AT),
        ('; [EventDate "2025.02.28"]\n; [EventTime "25.15"]\n', datetime(2025, 2, 27, 23, 0, tzinfo=UTC)),
        ('; [EventDate "0001.01.01"]\n; [EventTime "00.00"]\n', AT),
        ('; [EventDate "2125.02.28"]\n', AT),
        ("", AT),
    ],
)
def test_unreadable_or_future_time_becomes_the_time_of_the_import(tags, expected):
    text = tags + WHOLE.partition("\n\n")[2]
    assert bring(text).record.match.sheets.get().at == expected


def test_same_bytes_again_change_nothing():
    first = bring(WHOLE)
    before = counts()
    again = bring(WHOLE, name="copy.mat")
    assert (first.known, again.known, again.record.pk) == (False, True, first.record.pk)
    assert counts() == before
    assert Record.objects.get().name == "one.mat"


def test_players_are_found_by_their_folded_name():
    ann = create_player(name="ÁNN", at=AT)
    assert bring(WHOLE).record.match.side_a == ann


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (WHOLE.replace("Bo : 0", "ann : 0"), "names_equal"),
        (WHOLE.replace("Bo : 0", "--- : 0"), "name_empty"),
        (WHOLE.replace("Bo : 0", f"{'B' * 81} : 0"), "name_too_long"),
    ],
)
def test_record_whose_players_cannot_be_identified_is_quarantined(text, code):
    assert verify(text.encode()).verdict == "proved"
    record = bring(text).record
    assert (record.verdict, record.finding["code"], record.match) == (Verdict.QUARANTINED, code, None)
    assert counts() == (1, 0, 0, 0)


def test_record_with_a_name_that_two_players_share_is_quarantined():
    for _ in range(2):
        create_player(name="Bo", at=AT)
    record = bring(WHOLE).record
    assert (record.verdict, record.finding["code"], counts()) == (Verdict.QUARANTINED, "player_ambiguous", (1, 0, 0, 2))


def test_incomplete_record_makes_a_live_sheet_of_its_finished_games():
    data = (RECORDS / "gnubg-7pt.mat").read_bytes()
    head, game_2, _rest = data.partition(b" Game 2\n")
    second, game_3, third = _rest.partition(b" Game 3\n")
    started = head + game_2 + second + game_3 + b"\n".join(third.split(b"\n")[:3])
    record = bring(started).record
    sheet = record.match.sheets.get()
    assert (record.verdict, sheet.state) == (Verdict.INCOMPLETE, SheetState.LIVE)
    assert claim_of(sheet).games == verify(data).games[:2]


def test_incomplete_record_without_a_finished_game_makes_a_match_without_a_sheet():
    record = bring("\n".join(WHOLE.splitlines()[:8])).record
    assert (record.verdict, record.match.sheets.count()) == (Verdict.INCOMPLETE, 0)


@pytest.mark.parametrize(
    ("text", "verdict", "code", "place"),
    [
        (WHOLE.replace("8/5 6/5", "8/4 6/5"), Verdict.REFUSED, None, (1, 1)),
        ("\0", Verdict.REFUSED, "record_not_text", (None, None)),
        (WHOLE.replace("Bo : 0", ": 0"), Verdict.QUARANTINED, "name_missing", (None, None)),
    ],
)
def test_record_that_does_not_hold_is_kept_with_its_finding_and_makes_nothing(text, verdict, code, place):
    record = bring(text).record
    assert record.verdict == verdict
    assert record.finding["code"] == (code or verify(text.encode()).finding.code)
    assert (record.finding["game"], record.finding["row"]) == place
    assert record.finding["template"] % record.finding["params"] == record.finding["message"]
    assert counts() == (1, 0, 0, 0)


def test_crawford_rule_is_that_of_the_record():
    text = '; [Crawford "Off"]\n' + WHOLE
    assert bring(text).record.match.crawford is False


def test_record_that_says_it_is_unrated_or_was_never_begun_is_not_rated():
    unrated = bring('; [Unrated "On"]\n' + WHOLE).record
    not_begun = bring(NOT_BEGUN).record
    rated = bring(WHOLE.replace("Bo :", "Cy :")).record
    assert [record.verdict for record in (unrated, not_begun, rated)] == [Verdict.PROVED] * 3
    assert [record.finding and record.finding["code"] for record in (unrated, not_begun)] == ["unrated", "not_begun"]
    assert [sheet.match_id for sheet in rateable_sheets()] == [rated.match_id]


def test_a_match_is_known_again_in_any_format_with_and_without_remarks():
    text = (RECORDS / "gnubg-3pt-analysed.mat").read_bytes()
    first = bring((RECORDS / "gnubg-3pt-analysed.sgf").read_bytes())
    bare = b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(b";"))
    again = [bring(data) for data in (text, bare, text.replace(b" ", b"  "), xg_of(loads(text)))]
    assert (first.record.verdict, first.replay) == (Verdict.PROVED, again[0].replay)
    assert [(one.known, one.record.pk, one.same_bytes) for one in again] == [(True, first.record.pk, False)] * 4
    assert counts() == (1, 1, 1, 2)


def test_a_batch_is_imported_as_its_records_one_by_one():
    names = ("galaxy-5pt.mat", "gnubg-3pt.mat", "gnubg-3pt-illegal.txt", "studio-7pt.sgf", "studio-7pt.mat")
    files = [(name, (RECORDS / name).read_bytes()) for name in names]
    files += [("empty.mat", b""), ("copy.mat", files[0][1]), ("bad.mat", WHOLE.replace("Bo :", "--- :").encode())]
    done = import_batch(files, at=AT)
    assert [(str(one.record.verdict), one.known) for one in done] == [
        ("proved", False),
        ("proved", False),
        ("quarantined", False),
        ("proved", False),
        ("proved", True),
        ("refused", False),
        ("proved", True),
        ("quarantined", False),
    ]
    assert [one.record.pk for one in import_batch(files, at=AT)] == [one.record.pk for one in done]
    assert counts() == (6, 3, 3, 6)
    for one in done[:2]:
        assert claim_of(one.record.match.sheets.get()).games == one.replay.games
    assert list(audit_records()) == []


def test_a_quarantined_record_does_not_keep_out_a_better_one_of_the_same_match():
    guessed = bring(WHOLE.replace("Bo :", "Bö :").encode("latin-1")).record
    told = bring(WHOLE.replace("Bo :", "Bö :"))
    assert (guessed.verdict, told.known, told.record.verdict) == (Verdict.QUARANTINED, False, Verdict.PROVED)


def test_a_single_unlimited_game_makes_no_match_and_says_why():
    record = bring(WHOLE.replace("1 point match", "16 point match").replace(" and the match", "")).record
    assert (record.verdict, record.match, record.finding["code"]) == (Verdict.QUARANTINED, None, "single_game")


def test_record_that_begins_in_the_middle_or_holds_an_illegal_play_makes_no_match():
    middle = WHOLE.replace("1 point match", "3 point match").replace("Ann : 0", "Ann : 2").replace("Game 1", "Game 3")
    middle = bring(middle)
    illegal = bring((RECORDS / "gnubg-3pt-illegal.txt").read_bytes())
    assert [done.record.verdict for done in (middle, illegal)] == [Verdict.QUARANTINED] * 2
    assert [done.record.finding["code"] for done in (middle, illegal)] == ["start_unproved", "illegal_play"]
    assert counts() == (2, 0, 0, 0)


def test_money_session_makes_no_match_and_says_why():
    money = bring((RECORDS / "money" / "gnubg-money.mat").read_bytes())
    broken = bring((RECORDS / "money" / "gnubg-money.mat").read_bytes().replace(b"Doubles => 2", b"Doubles => 4"))
    assert (money.record.verdict, money.record.match) == (Verdict.QUARANTINED, None)
    assert money.record.finding["code"] == "money_session"
    assert money.record.finding["message"] == (
        "The record is valid, but it is of a money session, not of a match: a money session has no length and no "
        "winner."
    )
    assert (broken.record.verdict, broken.record.finding["code"]) == (Verdict.REFUSED, "cube_value")
    assert counts() == (2, 0, 0, 0)
    assert list(audit_records()) == []


def test_format_can_be_named():
    assert import_record(WHOLE.encode(), name="", at=AT, format="sgf").record.verdict == Verdict.REFUSED


def test_command_imports_a_folder_and_sums_up(tmp_path):
    (tmp_path / "a.mat").write_text(WHOLE)
    (tmp_path / "b.mat").write_text(WHOLE.replace("8/5 6/5", "8/4 6/5"))
    (tmp_path / "c.mat").write_bytes(b"x" * (MAX_BYTES + 1))
    (tmp_path / "d.mat").write_text(WHOLE.replace("Ann", "Åse"))
    (tmp_path / "e.mat").mkdir()
    (tmp_path / "note.txt").write_text("no record")
    code, lines = run(tmp_path, tmp_path / "none.mat")
    assert code == 1
    assert lines[-1] == "2 proved, 0 incomplete, 0 quarantined, 1 refused, 0 known, 3 unreadable."
    assert len(lines) == 7
    assert lines[0] == f"{tmp_path}/a.mat: proved"
    assert lines[2] == f"{tmp_path}/c.mat: unreadable: it has more than {MAX_BYTES} bytes"
    assert counts() == (3, 2, 2, 3)
    again, lines = run(tmp_path / "a.mat", tmp_path / "d.mat")
    assert (again, lines[-1]) == (0, "0 proved, 0 incomplete, 0 quarantined, 0 refused, 2 known, 0 unreadable.")
    assert counts() == (3, 2, 2, 3)


def test_command_prints_one_object_per_line(tmp_path):
    (tmp_path / "a.mat").write_text(WHOLE)
    code, lines = run(tmp_path, "--json")
    line, summary = map(json.loads, lines)
    assert (code, line) == (
        0,
        {
            "file": f"{tmp_path}/a.mat",
            "verdict": "proved",
            "length": 1,
            "games": 1,
            "plays": 2,
            "score": [1, 0],
            "finding": None,
            "known": False,
            "record": Record.objects.get().pk,
            "match": Match.objects.get().pk,
        },
    )
    assert summary["summary"]["proved"] == 1


def test_command_survives_a_name_that_is_not_text(tmp_path):
    (tmp_path / os.fsdecode(b"\xff.mat")).write_text(WHOLE)
    code, lines = run(tmp_path)
    assert (code, lines[0]) == (0, f"{tmp_path}/�.mat: proved")
    assert Record.objects.get().name == "�.mat"


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.mat")), ids=lambda path: path.stem)
def test_every_kept_record_imports_as_it_replays(path):
    replay = verify(path.read_bytes())
    record = bring(path.read_bytes(), name=path.name).record
    assert record.verdict == replay.verdict.value
    if record.match:
        assert [claim_of(sheet).games for sheet in record.match.sheets.all()] == (
            [replay.games] if replay.games else []
        )
    assert [*audit_records(), *audit_free_matches()] == []


def test_audit_names_a_record_that_was_changed():
    record = bring(WHOLE).record
    Record.objects.update(data=WHOLE.replace("8/5 6/5", "8/4 6/5").encode())
    (difference,) = audit_records()
    assert (difference.check, difference.what, difference.stored) == ("records", "SHA-256", record.sha256)


@pytest.mark.parametrize(
    ("table", "change", "what"),
    [
        (Match, {"length": 3}, "length and Crawford rule"),
        (Match, {"crawford": False}, "length and Crawford rule"),
        (GameLine, {"winner": "B"}, "games of the current sheet"),
        (Scoresheet, {"state": "void"}, "games of the current sheet"),
    ],
)
def test_audit_names_a_match_that_differs_from_its_record(table, change, what):
    bring(WHOLE)
    table.objects.update(**change)
    assert [difference.what for difference in audit_records()] == [what]


def test_audit_names_a_verdict_and_a_finding_that_a_replay_does_not_give():
    bring(WHOLE.replace("8/5 6/5", "8/4 6/5"))
    Record.objects.update(finding={"code": "x", "game": 1})
    assert [difference.what for difference in audit_records()] == ["finding"]
    Record.objects.update(verdict=Verdict.QUARANTINED)
    assert [difference.what for difference in audit_records()] == ["verdict"]


def test_audit_names_a_match_of_unknown_origin():
    bring(WHOLE)
    match = Match.objects.get()
    Record.objects.all().delete()
    if not Match.objects.filter(pk=match.pk).exists():
        match = Match.objects.create(side_a=match.side_a, side_b=match.side_b, length=1, created_at=AT)
    assert [(difference.check, difference.what) for difference in audit_free_matches()] == [
        ("matches", "a match of no draw and no record")
    ]


def test_import_uses_the_clock_it_is_given():
    later = AT + timedelta(days=3)
    record = import_record(WHOLE.encode(), name="x", at=later).record
    assert (record.imported_at, record.match.created_at, record.match.side_a.created_at) == (later,) * 3


def test_record_of_an_old_match_leaves_a_ranking_list_of_its_time_as_it_was():
    rate_matches("fibs", at=AT)
    import_record(WHOLE.encode(), name="x", at=AT + timedelta(hours=1))
    assert Scoresheet.objects.get().at < AT
    assert list(audit_rankings()) == []
    rate_matches("fibs", at=AT + timedelta(hours=2))
    assert (RankingList.objects.get().matches, list(audit_rankings())) == (1, [])


def test_only_a_proved_record_is_rated():
    bring(WHOLE)
    assert rateable_sheets().count() == 1
    Record.objects.update(verdict=Verdict.INCOMPLETE)
    assert rateable_sheets().count() == 0


@pytest.mark.skipif("CORPUS_DIR" not in os.environ, reason="CORPUS_DIR names no folder of match records")
def test_every_record_of_the_corpus_imports_rates_and_passes_the_audit():
    paths = corpus(".mat")
    code, lines = run(*paths, "--json")
    counted = json.loads(lines[-1])["summary"]
    assert (code, counted["refused"], counted["known"], counted["unreadable"]) == (0, 0, 0, 0)
    assert sum(counted.values()) == len(paths) == Record.objects.count()
    rate_matches("fibs", at=AT + timedelta(days=900))
    assert [*audit_records(), *audit_free_matches(), *audit_rankings()] == []
