import errno
import re

import pytest
from django.db import IntegrityError, InterfaceError, OperationalError, ProgrammingError, connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.import_records import import_record
from matches.models import Match, Scoresheet
from players.models import Player, RankingList, Rating
from players.outages import refusal_of
from players.services import create_player
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_terms,
    build_tournament,
    claim,
    fixture_of,
    open_matches,
    play_out,
    win,
)
from tests.fresh import forget_everything
from tests.pages import text_of
from tests.processes import ROOT
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import update_event
from tournament.models import Entry, Event, Stage
from tournament.pages.event.front import TOURNAMENTS_ON_A_PAGE
from tournament.results.enter import enter_result, void_result

EVENT_PAGES = ("event", "pairings", "bracket", "screen", "standings", "entries", "history")
FORMATS = ("single-elimination", "round-robin")


def address(event: Event, name: str) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug])


def queries_of(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


@pytest.fixture
def stranger(db) -> Client:
    """A user who is signed in, but directs another tournament."""
    other = build_director("stranger")
    build_tournament(other, "Elsewhere")
    client = Client()
    client.force_login(other)
    return client


def submission(match: Match, **fields: object) -> dict[str, object]:
    return {"key": f"key-{Scoresheet.objects.count()}-{match.pk}", "base": 0, **fields}


def enter(client: Client, match: Match, way: str, **fields: object):
    return client.post(reverse("enter", args=[match.pk, way]), submission(match, **fields))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("page", EVENT_PAGES)
def test_everybody_reads_the_event_page_before_and_after_the_draw(client, as_director, director, format, drawn, page):
    event = build_event(director, players=5, format=format, drawn=drawn)
    for visitor in (client, as_director):
        assert visitor.get(address(event, page)).status_code == 200
        assert visitor.get(address(event, page) + "?fragment").status_code == 200


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("page", EVENT_PAGES)
def test_event_page_takes_the_same_queries_for_8_and_64_players(client, director, format, page):
    counts = []
    for players in (8, 64):
        event = build_event(director, players=players, format=format, tournament=build_tournament(director))
        for match in open_matches(event)[:3]:
            enter_result(match, claim=claim(games=(GameResult(Side.A, 2),)), by=director, at=AT)
        store_standings(event.pk)
        counts.append(queries_of(client, address(event, page)))
    assert counts[0] == counts[1]


def test_list_pages_take_the_same_queries_for_1_and_3_of_each(client, director):
    first = build_tournament(director, "First")
    pages = [reverse("home"), reverse("players"), reverse("rankings"), first.get_absolute_url()]
    build_event(director, players=4, tournament=first)
    few = [queries_of(client, page) for page in pages]
    for name in ("Second", "Third"):
        build_event(director, players=8, tournament=build_tournament(director, name))
        build_event(director, players=8, tournament=first)
    forget_everything()
    assert [queries_of(client, page) for page in pages] == few


def test_every_tournament_can_be_reached_from_the_first_page(client, director):
    for number in range(TOURNAMENTS_ON_A_PAGE + 1):
        build_tournament(director, f"Night {number}")
    assert "/t/night-0/" not in client.get("/").content.decode()
    assert "/t/night-0/" in client.get("/?page=2").content.decode()


def test_player_page_takes_the_same_queries_for_1_and_4_matches(client, director):
    play_out(build_event(director, players=2))
    page = reverse("player", args=[Player.objects.get(name="Player 1").pk])
    one = queries_of(client, page)
    play_out(build_event(director, players=4, format="round-robin", tournament=build_tournament(director, "More")))
    assert Match.objects.filter(Q(side_a__name="Player 1") | Q(side_b__name="Player 1")).count() == 4
    assert queries_of(client, page) == one


def test_equal_ratings_share_a_place_on_the_ranking_page(client, db):
    ranking_list = RankingList.objects.create(system="fibs", computed_at=AT, matches=4)
    for name, value in {"Al": 1500, "Bo": 1600, "Cy": 1500, "Di": 1400}.items():
        player = create_player(name=name, at=AT)
        Rating.objects.create(ranking_list=ranking_list, player=player, value=value, experience=5, matches=1, wins=0)
    page = client.get(reverse("ranking", args=["fibs"])).content.decode()
    assert re.findall(r'<td class="num">(\d+)</td>\s*<th scope="row" class="name"><a [^>]*>(\w+)<', page) == [
        ("1", "Bo"),
        ("2", "Al"),
        ("2", "Cy"),
        ("4", "Di"),
    ]


def test_standings_have_a_heading_for_each_value_even_while_a_change_is_counted(client, director):
    event = build_event(director, players=3, format="round-robin", tiebreaks=["point-difference", "buchholz"])
    store_standings(event.pk)
    update_event(event, build_terms(format="round-robin", tiebreaks=("head-to-head",)), by=director, at=AT)
    assert [slug for slug, _name in client.get(address(event, "standings")).context["tiebreaks"]] == [
        "point-difference",
        "buchholz",
    ]
    store_standings(event.pk)
    page = client.get(address(event, "standings"))
    assert [slug for slug, _name in page.context["tiebreaks"]] == ["head-to-head"]


def test_no_form_sends_a_key_that_the_program_gives(as_director, director):
    match = open_matches(build_event(director, players=2))[0]
    assert enter(as_director, match, "final", key="again-1", final_a=5, final_b=1).status_code == 400
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize("way", ["game", "sheet", "final", "award"])
def test_only_the_director_of_the_tournament_enters_results(client, stranger, director, way):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    assert enter(client, match, way, final_a=5, final_b=1).status_code == 302
    assert enter(stranger, match, way, final_a=5, final_b=1).status_code == 403
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize("action", ["draw", "cancel-draw", "finish", "reopen"])
def test_only_the_director_of_the_tournament_acts(client, stranger, director, action):
    event = build_event(director, players=2, drawn=action != "draw")
    path = reverse("act", args=[event.tournament.slug, event.slug, action])
    version = event.version
    assert client.post(path).status_code == 302
    assert stranger.post(path).status_code == 403
    event.refresh_from_db()
    assert event.version == version


def test_entry_of_another_event_is_not_taken_out_through_this_one(as_director, director):
    here = build_event(director, players=2, drawn=False)
    there = build_event(director, players=0, drawn=False, tournament=build_tournament(director, "There"))
    entry = here.entries.first()
    path = reverse("remove-entry", args=[there.tournament.slug, there.slug, entry.pk])
    assert as_director.post(path).status_code == 404
    assert Entry.objects.filter(pk=entry.pk).exists()


def test_game_is_entered_and_the_next_page_shows_the_score(as_director, director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    answer = enter(as_director, match, "game", winner="A", cube=2, level=2, ending="bearoff")
    assert answer.status_code == 302
    assert [(line.cube, line.level) for line in match.sheets.get().lines.all()] == [(2, 2)]


def test_game_sent_twice_is_one_game(as_director, director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    fields = {"key": "same", "base": 0, "winner": "A", "cube": 1, "level": 1, "ending": "bearoff"}
    for _time in range(2):
        assert as_director.post(reverse("enter", args=[match.pk, "game"]), fields).status_code == 302
    assert match.sheets.get().lines.count() == 1


def test_result_of_a_sheet_that_changed_meanwhile_is_told_what_happened(as_director, director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    win(match, Side.B, loser_points=2, by=director)
    answer = enter(as_director, match, "final", final_a=5, final_b=0)
    assert answer.status_code == 409
    assert "In the meantime director entered 2–5 for this match." in text_of(answer)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"final_a": 9, "final_b": 9}, 400),
        ({"final_a": "x", "final_b": 1}, 400),
        ({"final_a": -1, "final_b": 5}, 400),
        ({"final_a": 10**30, "final_b": 5}, 400),
        ({"final_a": 5}, 400),
        ({"final_a": 5, "final_b": 1, "key": ""}, 400),
        ({"final_a": 5, "final_b": 1, "key": "x\0"}, 400),
        ({"final_a": 5, "final_b": 1, "base": 10**30}, 400),
        ({"final_a": 5, "final_b": 1, "base": 3}, 409),
    ],
)
def test_bad_final_score_is_refused_and_nothing_is_stored(as_director, director, fields, status):
    event = build_event(director, players=2)
    answer = enter(as_director, open_matches(event)[0], "final", **fields)
    assert (answer.status_code, Scoresheet.objects.count()) == (status, 0)


def test_result_is_taken_back_only_with_a_reason(as_director, director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    win(match, Side.A)
    path = reverse("void", args=[match.pk])
    assert as_director.post(path, {"base": 1}).status_code == 400
    assert as_director.post(path, {"base": 1, "reason": "wrong players"}).status_code == 302
    assert match.sheets.get().state == "void"


def test_correction_that_later_matches_forbid_names_them(as_director, director):
    event = build_event(director, players=4)
    play_out(event)
    first = fixture_of(event, "M1-1")
    sheet = first.match.sheets.get(state="confirmed")
    loser = Side.B if fixture_of(event, "M2-1").entry_a == first.entry_a else Side.A
    final = {"final_a": 5, "final_b": 0} if loser is Side.A else {"final_a": 0, "final_b": 5}
    answer = enter(as_director, first.match, "final", base=sheet.number, **final)
    assert answer.status_code == 409
    assert "M2-1: " in answer.content.decode()


def test_page_of_a_match_that_left_its_draw_is_reloaded(client, director):
    event = build_event(director, players=4)
    first, second = open_matches(event)
    win(first, Side.A)
    win(second, Side.A)
    final = fixture_of(event, "M2-1").match
    enter_result(final, claim=claim(games=(GameResult(Side.A),)), by=director, at=AT)
    void_result(final, base=1, reason="wrong players", by=director, at=AT)
    void_result(first, base=1, reason="wrong winner", by=director, at=AT)
    answer = client.get(reverse("match", args=[final.pk]) + "?fragment")
    assert (answer["HX-Refresh"], answer.content) == ("true", b"")
    assert client.get(reverse("match", args=[final.pk])).status_code == 200


def test_page_of_a_match_does_not_read_the_bytes_of_its_record(client, db):
    data = (ROOT / "tests/data/records/gnubg-3pt.mat").read_bytes()
    match = import_record(data, name="gnubg-3pt.mat", at=AT).record.match
    with CaptureQueriesContext(connection) as queries:
        assert "gnubg-3pt.mat" in client.get(reverse("match", args=[match.pk])).content.decode()
    assert [query for query in queries if '"matches_record"."data"' in query["sql"]] == []


def test_event_is_made_and_changed_by_forms(as_director, director):
    tournament = build_tournament(director)
    terms = {
        "name": "Open",
        "format": "round-robin",
        "lengths": "7",
        "seeding": "random",
        "profile": "dbf",
        "crawford": "on",
        "tiebreak_1": "buchholz",
        "tiebreak_2": "head-to-head",
    }
    assert as_director.post(reverse("new-event", args=[tournament.slug]), terms).status_code == 302
    event = Event.objects.get()
    assert (event.profile, event.crawford, event.tiebreaks) == ("dbf", True, ["buchholz", "head-to-head"])
    changed = {**terms, "lengths": "11, 9", "format": "single-elimination", "crawford": ""}
    assert as_director.post(address(event, "settings"), changed).status_code == 302
    stage = Stage.objects.get()
    assert (stage.format, stage.options["lengths"]) == ("single-elimination", [11, 9])
    for field, value in {"lengths": "0", "name": "", "format": "none", "tiebreak_2": "buchholz"}.items():
        assert as_director.post(address(event, "settings"), {**changed, field: value}).status_code == 400


@pytest.mark.parametrize(
    ("way", "fields"),
    [
        ("one", {"name": "Nu\0l"}),
        ("list", {"text": "Nu\0l"}),
        ("one", {"name": "Ann", "player_id": "9" * 30}),
        ("one", {"name": "Ann", "country": "\0"}),
        ("nonsense", {}),
    ],
)
def test_bad_entries_are_refused(as_director, director, way, fields):
    event = build_event(director, players=0, drawn=False)
    answer = as_director.post(address(event, "entries"), {"way": way, **fields})
    assert (answer.status_code, Entry.objects.count()) == (400, 0)


@pytest.mark.parametrize(
    "path",
    ["/t/none/", "/t/none/main/", "/matches/987654/", f"/matches/{10**20}/", f"/players/{10**30}/", "/ranking/none/"],
)
def test_a_page_that_does_not_exist_is_not_found(client, db, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("query", ["?page=0", "?page=x", f"?page={10**30}", "?q=" + "x" * 500])
def test_player_list_answers_odd_questions(client, db, query):
    assert client.get(reverse("players") + query).status_code == 200


def test_language_is_chosen_by_a_link_that_leads_nowhere_else(client, db):
    answer = client.get(reverse("choose-language", args=["da"]), {"next": "/players/"})
    assert (answer["Location"], answer.cookies["django_language"].value) == ("/players/", "da")
    away = client.get(reverse("choose-language", args=["da"]), {"next": "https://elsewhere.example/"})
    assert away["Location"] == "/"
    assert client.get(reverse("choose-language", args=["xx"])).status_code == 404


def test_signing_in_may_be_tried_ten_times_a_minute_for_one_name(client, director):
    wrong = {"username": director.username, "password": "wrong"}
    answers = [client.post(reverse("login"), wrong).status_code for _try in range(11)]
    right = client.post(reverse("login"), {"username": director.username, "password": "long-enough-for-tests"})
    other = client.post(reverse("login"), {"username": "somebody else", "password": "wrong"})
    assert answers == [200] * 10 + [429]
    assert (right.status_code, other.status_code) == (429, 200)


def test_a_user_who_had_to_sign_in_to_enter_a_result_returns_to_its_match(as_director, director):
    match = open_matches(build_event(director, players=2))[0]
    assert as_director.get(reverse("enter", args=[match.pk, "game"]))["Location"] == match.get_absolute_url()


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (OperationalError("database is locked"), 409, "busy"),
        (OperationalError("deadlock detected\n"), 409, "busy"),
        (IntegrityError("twice"), 409, "changed_meanwhile"),
        (OperationalError("database or disk is full"), 503, "disk_full"),
        (OperationalError('could not extend file "base/5/1": No space left on device'), 503, "disk_full"),
        (OSError(errno.ENOSPC, "No space left on device"), 503, "disk_full"),
        (OSError(errno.EROFS, "Read-only file system"), 503, "storage_away"),
        (OperationalError("connection refused"), 503, "database_away"),
        (InterfaceError("the connection is closed"), 503, "database_away"),
    ],
)
def test_a_write_that_met_another_is_a_conflict_and_an_outage_is_none(error, status, code):
    refusal = refusal_of(error)
    assert (refusal.status, refusal.code) == (status, code)


@pytest.mark.parametrize("error", [ProgrammingError('near "SELCT"'), OSError(errno.ENOENT, "no such file"), KeyError()])
def test_a_fault_of_the_program_is_no_outage(error):
    assert refusal_of(error) is None


def test_a_bye_is_listed_once_a_player_has_it(client, director):
    """Three of five players in a bracket of eight have a bye; those of the consolation are open until it is played."""
    event = build_event(director, players=5, format="consolation")
    byes = client.get(address(event, "pairings")).context["byes"]
    assert [len(fixture.entry_ids) for fixture in byes] == [1, 1, 1]


def test_an_event_of_pairs_counts_pairs(client, director):
    event = build_event(director, players=0, drawn=False, doubles=True)
    lines = [EntryLine(name=f"Ann {number} & Bo {number}", line=number) for number in (1, 2)]
    add_entries(event, lines=lines, by=director, at=AT)
    assert "<strong>2</strong> pairs entered" in client.get(address(event, "pairings")).content.decode()
    page = client.get(reverse("tournament", args=[event.tournament.slug])).content.decode()
    assert "<strong>2</strong> pairs" in page


def test_the_pages_of_an_event_lead_back_to_the_desk(client, as_director, director):
    event = build_event(director, players=2)
    way = f'href="{reverse("desk", args=[event.tournament.slug])}"'
    match = reverse("match", args=[open_matches(event)[0].pk])
    for path in (address(event, "pairings"), match):
        assert way in as_director.get(path).content.decode()
        assert way not in client.get(path).content.decode()
