"""Claims that differ: a player's report, the opponent's, and the desk's live sheet; none of them is a score."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match, SheetState
from players.errors import Conflict
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.links import link_of
from tournament.hall.calling import call_match, start_match
from tournament.hall.desk import take_desk
from tournament.hall.tables import add_tables
from tournament.hall.values import Doing
from tournament.models import Event
from tournament.results.enter import enter_result, void_result
from tournament.results.reports import confirm_result, dispute_result, report_result
from tournament.snapshot import take_snapshot

A, B = Side.A, Side.B
FIRST = GameResult(A, 2)
LAST = GameResult(B, 4)
AHEAD, OTHER = GameResult(A, 1), GameResult(B, 1, Level.GAMMON)
pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    add_tables(event.tournament, first=1, last=4, by=None, at=AT)
    return event


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


def at_the_desk(match: Match, *games: GameResult, final=None, base: int = 0) -> None:
    enter_result(match, claim=claim(games=games, final=final, base=base), by=None, at=AT)


def report(match: Match, side: Side, *games: GameResult, final=None, base: int = 0) -> None:
    said = claim(games=games, final=final, base=base)
    report_result(match, claim=said, side=side, by=None, at=AT)


def states(match: Match) -> list[str]:
    return [sheet.state for sheet in match.sheets.all()]


def text_of(page) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def test_a_report_that_differs_from_the_live_sheet_at_a_game_is_disputed_once_it_says_that_the_match_is_over(
    event, match
):
    at_the_desk(match, FIRST, AHEAD)
    report(match, A, FIRST, OTHER)
    assert states(match) == [SheetState.LIVE, SheetState.REPORTED]
    report(match, A, FIRST, OTHER, LAST, base=2)
    assert states(match) == [SheetState.LIVE, SheetState.SUPERSEDED, SheetState.DISPUTED]
    (found,) = take_desk(event.tournament, at=AT).disputed
    assert (
        found.dispute == f"Game 2: the desk says that {found.a} scored 1, but {found.a} says that {found.b} scored 2."
    )
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_live_sheet_that_differs_from_a_report_at_a_game_makes_it_disputed(match):
    report(match, A, FIRST, OTHER, LAST)
    at_the_desk(match, FIRST, AHEAD)
    assert states(match) == [SheetState.DISPUTED, SheetState.LIVE]


def test_a_report_that_is_ahead_of_the_live_sheet_stays_and_one_that_is_contained_in_it_is_done_with(match):
    report(match, A, FIRST, AHEAD)
    at_the_desk(match, FIRST)
    assert states(match) == [SheetState.REPORTED, SheetState.LIVE]
    at_the_desk(match, FIRST, AHEAD, base=2)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.SUPERSEDED, SheetState.LIVE]


def test_a_final_score_that_the_live_sheet_has_passed_is_disputed(event, match):
    at_the_desk(match, FIRST, AHEAD)
    report(match, B, final=(2, 5))
    assert states(match) == [SheetState.LIVE, SheetState.DISPUTED]
    (found,) = take_desk(event.tournament, at=AT).disputed
    a, b = found.a, found.b
    assert found.dispute == f"The match ended {a} 2–5 {b} according to {b}, but the desk already has {a} 3–0 {b}."


def test_two_players_who_agree_against_the_live_sheet_leave_the_match_to_the_director(match):
    at_the_desk(match, OTHER)
    report(match, A, final=(5, 1))
    report(match, B, final=(5, 1))
    assert states(match) == [SheetState.LIVE, SheetState.DISPUTED, SheetState.DISPUTED]
    with pytest.raises(Conflict) as refused:
        confirm_result(match, number=2, side=B, by=None, at=AT)
    assert refused.value.code == "report_disputed"
    confirm_result(match, number=2, by=None, at=AT)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_another_game_at_the_desk_does_not_end_a_dispute_but_the_same_or_another_sheet_does(match):
    at_the_desk(match, FIRST, AHEAD)
    report(match, A, FIRST, OTHER, LAST)
    at_the_desk(match, FIRST, AHEAD, GameResult(B), base=1)
    assert states(match)[1:] == [SheetState.DISPUTED, SheetState.LIVE]
    at_the_desk(match, FIRST, AHEAD, GameResult(B), base=3)
    assert states(match)[1:] == [SheetState.SUPERSEDED, SheetState.SUPERSEDED, SheetState.LIVE]


def test_a_dispute_ends_when_the_desk_takes_its_sheet_back(match):
    at_the_desk(match, FIRST, AHEAD)
    report(match, A, FIRST, OTHER, LAST)
    void_result(match, base=1, reason="Another match.", by=None, at=AT)
    assert states(match) == [SheetState.VOID, SheetState.REPORTED]


def test_a_report_that_was_disputed_by_hand_stays_so_while_games_are_entered(match):
    at_the_desk(match, FIRST)
    report(match, A, FIRST, AHEAD, GameResult(A))
    dispute_result(match, number=2, reason="The cube was on 1.", by=None, at=AT)
    at_the_desk(match, FIRST, AHEAD, base=1)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.DISPUTED, SheetState.LIVE]


@pytest.mark.parametrize("first", [A, B])
def test_where_reports_differ_in_play_the_desk_shows_the_score_that_both_agree_on(event, match, first):
    call_match(match, by=None, at=AT)
    start_match(match, by=None, at=AT)
    report(match, first, FIRST, AHEAD)
    report(match, first.other, FIRST, OTHER)
    (found,) = (found for found in take_desk(event.tournament, at=AT).matches if found.id == match.pk)
    shown = take_snapshot(event.pk).fixture_of(match.pk).score
    assert found.score == (shown.a, shown.b) == (2, 0)


CLAIMS = {
    "two reports": lambda match: (report(match, A, final=(5, 4)), report(match, B, final=(4, 5))),
    "a report and the live sheet": lambda match: (
        at_the_desk(match, GameResult(A, 4)),
        report(match, B, GameResult(A, 2), GameResult(B, 4), GameResult(B)),
    ),
}


@pytest.fixture(params=CLAIMS)
def disputed(request, event, match) -> Match:
    call_match(match, by=None, at=AT)
    start_match(match, by=None, at=AT)
    CLAIMS[request.param](match)
    return match


def test_a_dispute_is_no_score_in_the_snapshot_nor_at_the_desk(event, disputed):
    fixture = take_snapshot(event.pk).fixture_of(disputed.pk)
    assert (fixture.a.points, fixture.b.points, fixture.status) == (None, None, "disputed")
    assert (fixture.score.a, fixture.score.b) == (0, 0)
    found = next(found for found in take_desk(event.tournament, at=AT).matches if found.id == disputed.pk)
    assert (found.doing, found.score) == (Doing.DISPUTED, None)
    assert found.dispute


@pytest.mark.parametrize("page", ["pairings", "bracket", "screen"])
def test_a_dispute_is_no_score_on_the_pages_of_the_event_and_is_marked(event, disputed, page):
    client = Client()
    answer = client.get(reverse(page, args=[event.tournament.slug, event.slug])).content.decode()
    assert re.search(r'class="(points|score)"[^>]*>\s*[1-9]', answer) is None
    assert "disputed" in answer


def test_the_history_marks_what_was_claimed_of_a_dispute_until_it_is_settled(event, disputed):
    address = reverse("history", args=[event.tournament.slug, event.slug])
    claims = event.log.filter(verb__in=("enter_result", "report_result")).count()
    assert Client().get(address).content.decode().count(">disputed</span>") == claims
    live = disputed.sheets.filter(state=SheetState.LIVE).first()
    at_the_desk(disputed, final=(5, 1), base=live.number if live else 0)
    assert ">disputed</span>" not in Client().get(address).content.decode()


def test_a_dispute_is_no_score_in_the_api(event, disputed):
    client = Client()
    shown = client.get(f"/api/v1/events/{event.pk}/").json()
    (fixture,) = (one for one in shown["stages"][0]["fixtures"] if one["match"] == disputed.pk)
    nothing = {"score": None, "phase": None, "is_crawford": False}
    assert {name: fixture[name] for name in nothing} == nothing
    assert fixture["status"] == "disputed"
    match = client.get(f"/api/v1/matches/{disputed.pk}/").json()
    nothing |= {"winner": None, "win_probability": None}
    assert {name: match[name] for name in nothing} == nothing
    listed = client.get(f"/api/v1/players/{disputed.side_a_id}/matches/").json()["results"]
    assert [line["score"] for line in listed if line["id"] == disputed.pk] == [None]


def test_a_dispute_is_no_score_on_the_page_of_the_match_nor_of_its_player(disputed):
    client = Client()
    page = client.get(disputed.get_absolute_url()).content.decode()
    assert re.findall(r'id="points-[ab]" data-watch>([^<]*)<', page) == ["–", "–"]
    player = text_of(client.get(reverse("player", args=[disputed.side_a_id])))
    assert re.search(r"\d–\d", player) is None


SCORE = re.compile(r"\d\u2060?–\u2060?\d")


def test_the_public_reads_what_is_disputed_but_no_claim_of_it(event, disputed):
    page = text_of(Client().get(disputed.get_absolute_url()))
    assert "disputed" in page
    assert "The director will settle it." in page
    assert SCORE.search(page) is None
    assert "according to" not in page
    assert Client().get(f"/api/v1/matches/{disputed.pk}/").json()["sheets"] == []


def test_people_with_a_role_read_all_claims(event, director, disputed):
    desk = Client()
    desk.force_login(director)
    (found,) = take_desk(event.tournament, at=AT).disputed
    assert found.dispute in text_of(desk.get(disputed.get_absolute_url()))
    assert len(desk.get(f"/api/v1/matches/{disputed.pk}/").json()["sheets"]) == 2
    history = reverse("history", args=[event.tournament.slug, event.slug])
    assert SCORE.search(text_of(desk.get(history)))


def public_texts(event) -> list[str]:
    """What the history says to everybody: on its page, in the API, in the feeds of the event and the tournament."""
    names = [event.tournament.slug, event.slug]
    return [
        text_of(Client().get(reverse("history", args=names))),
        *(str(row) for row in Client().get(f"/api/v1/events/{event.pk}/history/").json()["results"]),
        text_of(Client().get(reverse("event-feed", args=names))),
        text_of(Client().get(reverse("tournament-feed", args=names[:1]))),
    ]


def test_the_history_tells_the_public_no_score_of_a_dispute_until_it_is_settled(event, disputed):
    texts = public_texts(event)
    assert [SCORE.findall(text) for text in texts] == [[] for _text in texts]
    assert not any("'score'" in text for text in texts)
    assert any("M1-1" in text and "Result reported" in text for text in texts)
    live = disputed.sheets.filter(state=SheetState.LIVE).first()
    at_the_desk(disputed, final=(5, 1), base=live.number if live else 0)
    settled = public_texts(event)
    assert all(SCORE.search(settled[place]) for place in (0, -2, -1))


def test_a_dispute_on_one_board_hides_nothing_of_the_others(director):
    event = build_event(director, players=4, boards=3, format="round-robin")
    first, second = (board.match for board in fixture_of(event, "R1-1").boards.order_by("number")[:2])
    report(first, A, final=(5, 4))
    report(first, B, final=(4, 5))
    at_the_desk(second, final=(5, 2))
    history = text_of(Client().get(reverse("history", args=[event.tournament.slug, event.slug])))
    assert [found.replace("\u2060", "") for found in SCORE.findall(history)] == ["5–2"]
    assert history.count(" disputed ") == 2


def test_both_players_and_the_desk_see_where_the_claims_differ(event, director, disputed):
    fixture = fixture_of(event, "M1-1")
    (found,) = take_desk(event.tournament, at=AT).disputed
    desk = Client()
    desk.force_login(director)
    assert found.dispute in text_of(desk.get(reverse("desk", args=[event.tournament.slug])))
    for entry in (fixture.entry_a, fixture.entry_b):
        assert found.dispute in text_of(Client().get(link_of(entry)))
