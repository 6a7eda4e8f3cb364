"""The director rules on the page of a match: they see the consequence, confirm it, and everybody can read it."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Match, Ruling, Scoresheet
from rules.rulings import PRINCIPLES, RulingKind
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of, open_matches, win
from tests.fresh import forget_everything
from tests.pages import text_of
from tests.tournament.api.client import database
from tournament.events.services import finish_event
from tournament.models import Event
from tournament.results.enter import enter_result

A, B = Side.A, Side.B
CRAWFORD_NEXT = (GameResult(A, 4),)
"""4-0 in a match to 5."""


@pytest.fixture
def match(director) -> Match:
    return fixture_of(build_event(director, players=4, lengths=(5,)), "M1-1").match


def enter(match: Match, *games: GameResult, base: int = 0) -> None:
    enter_result(match, claim=claim(games=games, base=base, confirmed=True), by=None, at=AT)


def post(client: Client, match: Match, way: str, **fields: object):
    sent = {"key": "k", "base": 0, "ruling_count": 0, "reason": "Seen at the board.", **fields}
    return client.post(reverse("rule", args=[match.pk, way]), sent)


def preview_form(page) -> dict[str, str]:
    """The form that the button under the consequence sends."""
    html = page.content.decode()
    form = re.search(r'class="ruling-preview".*?<form.*?</form>', html, re.DOTALL).group()
    hidden = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', form)
    (question,) = re.findall(r'<button type="submit" name="confirmed" value="(\w+)">', form)
    return {name: unescape(value) for name, value in hidden} | {"confirmed": question}


def rule(client: Client, match: Match, way: str, **fields: object):
    """Make the ruling as a director does: see what it changes, and then confirm that."""
    return client.post(reverse("rule", args=[match.pk, way]), preview_form(post(client, match, way, **fields)))


def double(**fields: object) -> dict[str, object]:
    """The second game, won by B with the cube on 2."""
    game = {"winner": "B", "cube": 2, "level": 1, "ending": "bearoff"}
    return {f"game-{name}": value for name, value in game.items()} | fields


WAYS = [
    ("penalty", {"against_a": 1, "against_b": 0}, (), "penalty_points", ((0, 0, 5), (0, 1, 5))),
    ("penalty", {"against_a": 1, "against_b": 0}, CRAWFORD_NEXT, "penalty_points", ((4, 0, 5), (4, 1, 5))),
    ("crawford", double(next_begun="no"), CRAWFORD_NEXT, "crawford_annulled", ((4, 0, 5), (4, 1, 5))),
    ("crawford", double(next_begun="yes"), CRAWFORD_NEXT, "crawford_stands", ((4, 0, 5), (4, 2, 5))),
    (
        "crawford",
        double(next_begun="no"),
        (*CRAWFORD_NEXT, GameResult(B), GameResult(B, 1, ending=Ending.FORFEIT)),
        "crawford_stands",
        ((4, 2, 5), (4, 3, 5)),
    ),
    (
        "length",
        {"played_to": 3, "school": "agreed"},
        (GameResult(A, 2), GameResult(A)),
        "length_agreed",
        ((3, 0, 5), (3, 0, 3)),
    ),
    (
        "length",
        {"played_to": 3, "school": "agreed", "final_a": 1, "final_b": 3},
        (),
        "length_agreed",
        ((0, 0, 5), (1, 3, 3)),
    ),
    (
        "length",
        {"played_to": 3, "school": "posted", "final_a": 1, "final_b": 3},
        (),
        "length_posted",
        ((0, 0, 5), (1, 3, 5)),
    ),
    ("resume", {"score_a": 4, "score_b": 3, "crawford_done": "on"}, CRAWFORD_NEXT, "resumed", ((4, 0, 5), (4, 3, 5))),
    ("clock", {"expired": "A"}, CRAWFORD_NEXT, "clock_lost", ((4, 0, 5), (4, 5, 5))),
    ("clock", {"expired": "A", "points": 2}, CRAWFORD_NEXT, "clock_penalty", ((4, 0, 5), (4, 2, 5))),
    ("awarded", {"awarded_to": "B"}, CRAWFORD_NEXT, "awarded", ((4, 0, 5), (4, 5, 5))),
]


@pytest.mark.parametrize(("way", "fields", "games", "kind", "change"), WAYS)
def test_a_ruling_is_shown_then_made_and_read_by_everybody(
    client, as_director, director, match, way, fields, games, kind, change
):
    if games:
        enter(match, *games)
    before = database()
    preview = post(as_director, match, way, base=int(bool(games)), **fields)
    assert (preview.status_code, database() == before) == (200, True)
    shown = preview.context["preview"]
    assert tuple((score.a, score.b, score.length) for score in shown.scores) == change
    principle = PRINCIPLES[RulingKind(kind)]
    for sentence in (principle.name, principle.sentence, principle.source, shown.row.explanation, "Seen at the board."):
        assert sentence in text_of(preview)

    made = as_director.post(reverse("rule", args=[match.pk, way]), preview_form(preview))
    assert (made.status_code, made["Location"]) == (302, f"{match.get_absolute_url()}#rulings")
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.reason, ruling.by) == (kind, "Seen at the board.", director)
    page = text_of(client.get(match.get_absolute_url()))
    (a, b, length), (new_a, new_b, new_length) = change
    assert f"Before {a}–{b} to {length} → after {new_a}–{new_b} to {new_length}" in page
    for sentence in (
        principle.name,
        principle.sentence,
        principle.source,
        shown.row.explanation,
        "Ruled by the director",
    ):
        assert sentence in page
    assert "Make a ruling" not in page
    score = client.get(match.get_absolute_url()).context["score"]
    assert (score.a, score.b, score.length) == change[1]


def test_every_kind_of_ruling_can_be_made_from_the_page():
    # A ruling is undone in the history of its event.
    ruled = {kind.value for kind in RulingKind} - {RulingKind.UNDONE.value}
    assert {kind for _way, _fields, _games, kind, _change in WAYS} == ruled


def test_a_confirmation_sent_twice_makes_one_ruling(as_director, match):
    sent = preview_form(post(as_director, match, "penalty", against_a=1, against_b=0))
    for _time in range(2):
        assert as_director.post(reverse("rule", args=[match.pk, "penalty"]), sent).status_code == 302
    assert Ruling.objects.count() == 1


def test_a_ruling_other_than_the_one_that_was_shown_is_shown_first(as_director, match):
    sent = preview_form(post(as_director, match, "penalty", against_a=1, against_b=0))
    again = as_director.post(reverse("rule", args=[match.pk, "penalty"]), sent | {"against_a": "2"})
    assert (again.status_code, Ruling.objects.count()) == (200, 0)
    assert "This is no longer what you were asked about." in text_of(again)
    assert as_director.post(reverse("rule", args=[match.pk, "penalty"]), preview_form(again)).status_code == 302
    assert Ruling.objects.get().said["penalty_points"] == [2, 0]


@pytest.mark.parametrize(
    ("way", "fields", "status", "sentence"),
    [
        ("penalty", {"against_a": 1, "against_b": 0, "reason": "  "}, 400, "Nothing has been saved."),
        ("penalty", {"against_a": "x", "against_b": 0}, 400, "Nothing has been saved."),
        ("penalty", {"against_a": 10**30, "against_b": 0}, 400, "Nothing has been saved."),
        ("penalty", {"against_a": 0, "against_b": 0}, 400, "there are none to take back"),
        (
            "penalty",
            {"against_a": 3, "against_b": 3},
            400,
            "Both sides have reached the 3 penalty points that lose a match to 5.",
        ),
        ("penalty", {"against_a": 1, "against_b": 0, "base": 3}, 409, "was taken back in the meantime"),
        ("penalty", {"against_a": 1, "against_b": 0, "ruling_count": 1}, 409, "made a ruling on this match"),
        ("crawford", double(next_begun="no"), 400, "This match has not reached its Crawford game."),
        ("crawford", {**double(next_begun="no"), "game-winner": ""}, 400, "Say who won the game."),
        ("crawford", double(), 400, "Nothing has been saved."),
        ("length", {"played_to": 5, "school": "agreed"}, 400, "1 or more, and different from the posted length (5)."),
        ("length", {"played_to": 3, "school": "agreed", "final_a": 1}, 400, "Enter the points of both players."),
        ("length", {"played_to": 3, "school": "whim"}, 400, "Nothing has been saved."),
        ("length", {"played_to": 7, "school": "posted", "final_a": 7, "final_b": 1}, 400, "Only the games show who"),
        ("resume", {"score_a": 5, "score_b": 1}, 400, "No match to 5 can continue at 5–1."),
        (
            "resume",
            {"score_a": 3, "score_b": 1, "crawford_done": "on"},
            400,
            "The Crawford game cannot have been played",
        ),
    ],
)
@pytest.mark.parametrize("confirmed", ["", "on"])
def test_a_refused_ruling_says_why_and_changes_nothing(as_director, match, way, fields, status, sentence, confirmed):
    before = database()
    answer = post(as_director, match, way, confirmed=confirmed, **fields)
    assert answer.status_code == status
    assert sentence in text_of(answer)
    assert database() == before


def test_what_was_typed_comes_back_with_the_refusal(as_director, match):
    answer = post(as_director, match, "length", played_to=5, school="agreed", final_a=4, final_b=2)
    form = answer.context["length_form"]
    assert [form[name].value() for name in ("played_to", "school", "final_a")] == ["5", "agreed", "4"]
    assert form["key"].value() != "k"


def test_a_double_noticed_after_the_result_was_recorded_stands(as_director, match):
    enter(match, *CRAWFORD_NEXT, GameResult(A))
    preview = post(as_director, match, "crawford", base=1, **double(**{"game-winner": "A", "next_begun": "no"}))
    assert preview.context["preview"].row.kind == "crawford_stands"


def test_only_the_director_of_the_tournament_rules(client, director, match):
    other = build_director("stranger")
    build_tournament(other, "Elsewhere")
    stranger = Client()
    stranger.force_login(other)
    answers = [
        post(visitor, match, "penalty", against_a=1, against_b=0, confirmed="on") for visitor in (client, stranger)
    ]
    assert [answer.status_code for answer in answers] == [302, 403]
    assert not Ruling.objects.exists()


def test_a_user_who_had_to_sign_in_to_rule_returns_to_the_match(as_director, match):
    assert as_director.get(reverse("rule", args=[match.pk, "penalty"]))["Location"] == match.get_absolute_url()
    assert as_director.get(f"/matches/{match.pk}/rule/whim/").status_code == 404


def test_an_ended_event_takes_no_rulings_and_has_no_form(as_director, director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    win(match, A)
    finish_event(event, by=director, at=AT)
    assert "Make a ruling" not in text_of(as_director.get(match.get_absolute_url()))
    assert post(as_director, match, "resume", base=1, score_a=0, score_b=0).status_code == 409


def test_a_result_that_later_matches_rest_on_is_not_ruled_away(as_director, match):
    event = match.fixture.stage.event
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, A)
    answer = post(as_director, match, "resume", base=1, score_a=0, score_b=0)
    assert answer.status_code == 409
    assert "M2-1" in text_of(answer)


def test_forms_offer_only_what_the_match_allows(as_director, match):
    def offered() -> set[str]:
        page = as_director.get(match.get_absolute_url()).content.decode()
        return set(re.findall(rf'action="/matches/{match.pk}/rule/(\w+)/"', page))

    assert offered() == {"late", "penalty", "length", "resume", "clock", "awarded"}
    enter(match, *CRAWFORD_NEXT)
    assert offered() == {"penalty", "crawford", "length", "resume", "clock", "awarded"}
    enter(match, *CRAWFORD_NEXT, GameResult(A), base=1)
    assert offered() == {"crawford", "length", "resume"}


def test_penalty_points_given_here_are_filled_in_and_can_be_taken_back(as_director, match):
    enter(match, *CRAWFORD_NEXT)
    sent = preview_form(post(as_director, match, "penalty", base=1, against_a=0, against_b=1))
    as_director.post(reverse("rule", args=[match.pk, "penalty"]), sent)
    page = as_director.get(match.get_absolute_url())
    form = page.context["penalty_form"]
    assert (page.context["score"].winner, form["against_a"].value(), form["against_b"].value()) == (A, 0, 1)
    assert "Penalty points 1 against " + match.side_b.name in text_of(page)
    back = {"key": "k2", "base": 2, "ruling_count": 1, "against_a": 0, "against_b": 0}
    assert rule(as_director, match, "penalty", **back).status_code == 302
    score = as_director.get(match.get_absolute_url()).context["score"]
    assert (score.a, score.b, score.is_crawford) == (4, 0, True)


def test_sheets_from_before_a_ruling_are_shown_under_their_own_terms(client, as_director, match):
    enter(match, GameResult(A), GameResult(A, 2))
    sent = preview_form(post(as_director, match, "resume", base=1, score_a=1, score_b=3))
    as_director.post(reverse("rule", args=[match.pk, "resume"]), sent)
    ((row, sheet),) = client.get(match.get_absolute_url()).context["past_sheets"]
    assert (row.number, sheet.score.a, sheet.score.b) == (1, 3, 0)


def test_page_of_a_match_takes_the_same_queries_for_1_and_3_rulings(client, as_director, match):
    counts = []
    for number in range(3):
        fields = {"against_a": number % 2 + 1, "against_b": 0}
        assert rule(as_director, match, "penalty", key=f"k{number}", ruling_count=number, **fields).status_code == 302
        with CaptureQueriesContext(connection) as queries:
            client.get(match.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[2]


# --- how likely a side is to win ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "shown"),
    [
        ((), ""),
        ((GameResult(B, 1, Level.BACKGAMMON), GameResult(A, 4)), "67.7 % chance of winning the match 32.3 %"),
        ((GameResult(A, 4), GameResult(B, 1, Level.BACKGAMMON)), "51.2 % chance of winning the match 48.8 %"),
        ((GameResult(A, 8),), ""),
    ],
)
def test_a_live_score_shows_how_likely_each_side_is_to_win_where_the_event_allows(client, match, games, shown):
    Event.objects.update(shows_chances=True)
    forget_everything()
    if games:
        enter(match, *games)
    page = text_of(client.get(match.get_absolute_url()))
    assert ("chance of winning the match" in page) == bool(shown)
    assert shown in page
    assert ("if both players play equally well, according to the Kazaross XG2 table" in page) == bool(shown)


def test_without_that_option_no_page_of_a_match_in_play_says_how_likely_a_side_is_to_win(
    client, as_director, director, match
):
    enter(match, GameResult(B, 1, Level.BACKGAMMON))
    board = re.search(r'href="(/rules/[^"]+)"', client.get(match.get_absolute_url()).content.decode()).group(1)
    for reader in (client, as_director):
        pages = [match.get_absolute_url(), f"{match.get_absolute_url()}?fragment", unescape(board)]
        texts = [text_of(reader.get(page)) for page in pages]
        assert not any("chance of winning" in text or "Match equity" in text for text in texts)
    assert client.get(f"/api/v1/matches/{match.pk}/").json()["win_probability"] is None
    Event.objects.update(shows_chances=True)
    forget_everything()
    assert "Match equity at this score" in text_of(client.get(unescape(board)))
    assert "chance of winning the match" in text_of(client.get(match.get_absolute_url()))
    assert client.get(f"/api/v1/matches/{match.pk}/").json()["win_probability"] is not None


def test_no_chance_is_shown_where_the_table_has_none(client, director):
    for terms in ({"lengths": (27,)}, {"crawford": False}):
        terms["shows_chances"] = True
        event = build_event(director, players=2, tournament=build_tournament(director), **terms)
        match = open_matches(event)[0]
        enter(match, GameResult(A))
        assert "chance of winning the match" not in text_of(client.get(match.get_absolute_url()))


# --- the road to the board ------------------------------------------------------------------------------------------


def board_link(client: Client, match: Match) -> str:
    page = client.get(match.get_absolute_url()).content.decode()
    return unescape(re.search(r'href="(/rules/\?[^"]*)">Settle a dispute on the board', page).group(1))


def test_the_board_knows_the_players_the_rules_and_the_score_and_leads_back(client, director):
    event = build_event(director, players=2, profile="dbf", lengths=(5,))
    match = open_matches(event)[0]
    enter(match, *CRAWFORD_NEXT)
    page = client.get(board_link(client, match))
    question = page.context["question"]
    assert (question.profile.slug, question.match_id) == ("dbf", match.pk)
    assert question.situation.score == MatchScore(5, 4, 0)
    assert (page.context["mine"], page.context["theirs"]) == (match.side_a.name, match.side_b.name)
    assert f'<a href="{match.get_absolute_url()}">' in page.content.decode()

    sent = {
        "was": question.id,
        "id": question.id,
        "match": match.pk,
        "profile": "dbf",
        "do": "swap",
        "die1": 3,
        "die2": 1,
    }
    turned = client.get(reverse("rules"), sent | {"mine": "24:2 13:5 8:3 6:5", "theirs": "24:2 13:5 8:3 6:5"})
    assert parse_qs(urlsplit(turned["Location"]).query)["match"] == [str(match.pk)]
    page = client.get(turned["Location"])
    assert (page.context["mine"], page.context["theirs"]) == (match.side_b.name, match.side_a.name)
    assert f"match={match.pk}" in page.context["plays"][0]["query"]


@pytest.mark.parametrize("terms", [{"crawford": False}, {}])
def test_the_board_gets_no_score_that_an_id_cannot_express(client, director, terms):
    match = open_matches(build_event(director, players=2, **terms))[0]
    enter(match, GameResult(A, 8 if not terms else 1))
    assert parse_qs(urlsplit(board_link(client, match)).query) == {"match": [str(match.pk)]}


@pytest.mark.parametrize(("asked", "status"), [("987654", 404), ("x", 400), ("0", 400), (str(10**30), 400)])
def test_a_board_without_a_match(client, db, asked, status):
    assert client.get(reverse("rules"), {"match": asked}).status_code == status


def test_forms_of_the_result_lead_to_the_board_too(as_director, match):
    page = as_director.get(match.get_absolute_url()).content.decode()
    assert re.search(r'id="enter".*?href="/rules/\?[^"]*match=\d+">Is a play in dispute\?', page, re.DOTALL)
    assert Scoresheet.objects.count() == 0
