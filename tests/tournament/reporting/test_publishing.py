"""From an event that declares a list to a file that a stranger checks with one command."""

import io
import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.lists.draft import cut_on, draft_next
from matches.lists.files import list_file
from matches.models import Match, Scoresheet, SheetState
from players.lists.models import OfficialList, Publication
from players.models import Membership, Player
from players.services import create_player
from tests.builders import AT, build_director, build_event, open_matches, play_out
from tests.tournament.reporting.lists import build_list, build_officer, enrol
from tournament.career.delete_person import delete_person
from tournament.events.services import finish_event
from tournament.models import Event, EventReport, ReportState
from tournament.reporting.counting import verdict_on
from tournament.reporting.decide import rule_on_rating
from tournament.reporting.reports import decide_report
from tournament.reporting.source import SOURCE

pytestmark = pytest.mark.django_db


@pytest.fixture
def official_list() -> OfficialList:
    return build_list()


@pytest.fixture
def event(official_list: OfficialList) -> Event:
    """A knockout of four members, played to its end."""
    event = build_event(build_director(), players=4, rated_for=(official_list.slug,))
    enrol(official_list, *Player.objects.all())
    play_out(event)
    return event


def accept(event: Event, official_list: OfficialList) -> None:
    finish_event(event, by=None, at=AT + timedelta(days=1))
    report = EventReport.objects.get(event=event, official_list=official_list)
    officer, at = build_officer(official_list), AT + timedelta(days=2)
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=at)


def run(*words: str) -> tuple[int, list[str]]:
    """The exit code and the lines that a command prints."""
    out, code = io.StringIO(), 0
    try:
        call_command(*words, stdout=out)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, out.getvalue().splitlines()


def kept(publication: Publication, folder: Path) -> Path:
    path = folder / f"{publication.number}.json"
    path.write_bytes(b"".join(list_file(publication)))
    return path


def test_only_accepted_reports_count_for_a_list(event, official_list):
    until = AT + timedelta(days=365)
    assert list(SOURCE.counted(official_list, None, until)) == []
    assert set(SOURCE.why_not(official_list, Match.objects.values_list("pk", flat=True)).values()) == {"not_accepted"}
    accept(event, official_list)
    counted = list(SOURCE.counted(official_list, None, until))
    assert sorted(one.match for one in counted) == sorted(Match.objects.values_list("pk", flat=True))
    assert SOURCE.why_not(official_list, [one.match for one in counted]) == {}


def test_why_matches_do_not_count_is_asked_in_a_few_queries_however_many_there_are(event, official_list):
    accept(event, official_list)
    matches = list(Match.objects.order_by("pk"))
    voided, ruled, counts = matches
    Scoresheet.objects.filter(match=voided).update(state=SheetState.VOID)
    rule_on_rating(ruled, official_list, verdict="out", reason="a game was missing", by=None, at=AT)
    other = build_event(build_director("other"), players=2, rated_for=(official_list.slug,), name="Other")
    [running] = open_matches(other)
    gone = 10**9
    found = {voided.pk: "not_decided", ruled.pk: "ruled_out", running.pk: "not_accepted", gone: "event_deleted"}
    with CaptureQueriesContext(connection) as one:
        assert SOURCE.why_not(official_list, [ruled.pk]) == {ruled.pk: "ruled_out"}
    with CaptureQueriesContext(connection) as all_of_them:
        assert SOURCE.why_not(official_list, [*found, counts.pk]) == found
    assert len(all_of_them) == len(one)
    Event.objects.filter(pk=event.pk).update(deleted_at=AT)
    assert set(SOURCE.why_not(official_list, [match.pk for match in matches]).values()) == {"event_deleted"}


def test_one_match_is_judged_by_what_was_decided_of_it_and_its_event(event, official_list):
    match = Match.objects.order_by("pk")[0]
    with CaptureQueriesContext(connection) as read:
        assert verdict_on(official_list, event, match).counts
    asked = [one["sql"] for one in read if "tournament_sanction" in one["sql"] or "ratingruling" in one["sql"]]
    assert [f"IN ({event.pk})" in sql or f"IN ({match.pk})" in sql for sql in asked] == [True, True]


def test_a_list_is_published_and_checked_from_the_command_line(event, official_list, tmp_path):
    accept(event, official_list)
    days = ["--of", "2026-06-01", "--matches-until", "2026-05-31"]
    code, lines = run("publish_list", "dbf", *days, "--dry-run")
    assert (code, len(lines)) == (0, 7)
    assert not Publication.objects.exists()
    digest = lines[-1].split()[1].rstrip(".")
    run("publish_list", "dbf", *days, "--digest", digest)
    publication = Publication.objects.get()
    assert publication.sha256 == digest
    path = kept(publication, tmp_path)
    code, lines = run("verify_list", str(path), "--key", publication.key)
    assert (code, lines[-1]) == (0, "This list holds.")
    file = json.loads(path.read_text())
    file["document"]["lines"][0]["value"] = "1999.00"
    path.write_text(json.dumps(file))
    code, lines = run("verify_list", str(path))
    assert code == 1
    assert [line.split("\t")[0] for line in lines if "\t" in line] == ["digest_differs", "signature_wrong", "differs"]
    assert "/document/lines/0/value" in lines[-2]
    with pytest.raises(CommandError):
        run("publish_list", "dbf", *days)


def test_a_key_that_is_not_the_publishers_is_named(event, official_list, tmp_path):
    accept(event, official_list)
    run("publish_list", "dbf", "--of", "2026-06-01", "--matches-until", "2026-05-31")
    code, lines = run("verify_list", str(kept(Publication.objects.get(), tmp_path)), "--key", "0" * 16)
    assert (code, lines[-2].split("\t")[0]) == (1, "key_differs")


def test_matches_of_a_deleted_person_go_on_counting(event, official_list):
    accept(event, official_list)
    OfficialList.objects.update(criteria={"members": 1})
    official_list.refresh_from_db()
    run("publish_list", "dbf", "--of", "2026-06-01", "--matches-until", "2026-05-31")
    assert Publication.objects.get().matches == 3
    player = Match.objects.order_by("pk").first().side_a
    Membership.objects.filter(player=player).update(number="17", paid_on=AT.date(), source="paper")
    delete_person(player, typed=player.name, by=None, at=AT + timedelta(days=3))
    cut = cut_on(date(2026, 7, 1), matches_until=date(2026, 6, 30), members_on=date(2026, 7, 1))
    draft = draft_next(official_list, cut, at=AT + timedelta(days=400), source=SOURCE)
    assert (draft.corrections, player.pk in [line.player for line in draft.made.lines]) == ((), False)
    day = AT.date()
    kept = Membership.objects.filter(player=player).values_list("starts", "ends", "number", "paid_on", "source")
    assert list(kept) == [(day, day, "", None, "")]


def test_memberships_of_a_deleted_person_who_has_not_played_go(official_list):
    player = create_player(name="Ann Holm", country="DK", at=AT)
    enrol(official_list, player)
    delete_person(player, typed="Ann Holm", by=None, at=AT)
    assert not Membership.objects.exists()
