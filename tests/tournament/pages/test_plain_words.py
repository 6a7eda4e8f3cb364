"""Pages offer what can be done, and say what is true of it: of matches that are void, players who leave, money."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Conflict, Refusal
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_money_terms, claim, fixture_of, win
from tests.pages import form_at
from tournament.draw.make import cancel_draw
from tournament.draw.reconcile import Repair
from tournament.entries.attendance import leave_event
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine, parse_pasted
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.hall.calling import call_match, recall_match
from tournament.models import Entry, Event
from tournament.models.team import matches_in
from tournament.money.services import set_money
from tournament.results.enter import enter_result, void_result

pytestmark = pytest.mark.django_db
WHO = {"by": None, "at": AT}


def text_of(page) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


@pytest.fixture
def client(director) -> Client:
    client = Client()
    client.force_login(director)
    return client


def lines_of(player) -> list[str]:
    page = Client().get(player.get_absolute_url())
    found = re.findall(r'<li class="match-line">.*?</li>', page.content.decode(), re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", line)).split()) for line in found]


# A match that is void


@pytest.fixture
def voided(director) -> Event:
    """A final that fell when the winner of a semifinal was corrected, and has been played again since."""
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)
    wrong = claim(final=(0, 5), base=1, reason="Wrong way round.")
    enter_result(fixture_of(event, "M1-1").match, claim=wrong, repair=Repair.REPLAY, may_repair=True, **WHO)
    return event


def test_a_match_that_fell_is_void_on_the_page_of_its_player_and_belongs_to_its_event(voided):
    former = voided.stages.get().former_matches.get()
    other = former.entry_b.player
    lines = [f"void {former.entry_a.name} Friday Club, Main to 5", f"to play {fixture_of(voided, 'M2-1').entry_a.name}"]
    assert [line for line in lines_of(other) if line.startswith("void")] == lines[:1]
    assert [line for line in lines_of(other) if line.startswith("to play")] == [f"{lines[1]} Friday Club, Main to 5"]
    win(fixture_of(voided, "M2-1").match, Side.A)
    finish_event(voided, **WHO)
    assert [line.split()[0] for line in lines_of(other)] == ["lost", "void", "won"]
    page = text_of(Client().get(former.match.get_absolute_url()))
    assert "void This match no longer counts." in page
    assert "5-away" not in page


def test_a_match_to_which_neither_came_is_void_and_not_counted_as_decided(client, director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1")
    for entry in (match.entry_a, match.entry_b):
        leave_event(entry, kind="no-show", **WHO)
    win(fixture_of(event, "M1-2").match, Side.A)
    page = client.get(reverse("pairings", args=[event.tournament.slug, event.slug]))
    assert ([fixture.key for fixture in page.context["done"]], [f.key for f in page.context["void"]]) == (
        ["M1-2"],
        ["M1-1"],
    )
    assert "Decided 1 " in text_of(page)
    assert "Void 1 " in text_of(page)


def test_a_match_of_a_draw_that_was_taken_back_is_void(director):
    event = build_event(director, players=2)
    match = matches_in(event).get()
    call_match(match, **WHO)
    recall_match(match, **WHO)
    cancel_draw(event, **WHO)
    assert [line.split()[0] for line in lines_of(match.side_a)] == ["void"]
    assert "no longer part of a draw" in lines_of(match.side_a)[0]


# The choices of a correction


def test_the_choices_of_a_correction_do_not_begin_with_advice_that_none_of_them_needs(director, client):
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)
    match = fixture_of(event, "M1-1").match
    page = client.post(
        reverse("rule", args=[match.pk, "resume"]),
        {"key": "r", "base": 1, "ruling_count": 0, "reason": "Early.", "score_a": 1, "score_b": 1},
    )
    assert "This would take a player out of a match that has begun (M2-1:" in text_of(page)
    assert "Take back its result or its call first." not in text_of(page)
    with pytest.raises(Conflict, match=r"\)\. Take back its result or its call first\.$"):
        void_result(match, base=1, reason="Never played.", may_repair=True, **WHO)


# Who can be replaced, and how a player can leave


def entry_page(client: Client, entry: Entry) -> str:
    event = entry.event
    return text_of(client.get(reverse("entry", args=[event.tournament.slug, event.slug, entry.pk])))


def test_a_player_who_cannot_be_replaced_is_told_what_stands_in_the_way(director, client):
    event = build_event(director, players=4)
    called, played = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    call_match(called.match, **WHO)
    win(played.match, Side.A)
    said = {
        called.entry_a: "has already been called to a match and cannot be replaced.",
        played.entry_a: "cannot be replaced: a result or a ruling has been entered for one of their matches.",
    }
    for entry, why in said.items():
        with pytest.raises(Conflict) as refused:
            replace_player(entry, line=EntryLine(name="Stand-in"), **WHO)
        assert (refused.value.code, str(refused.value)) == ("entry_has_begun", f"{entry.name} {why}")
        assert f"{entry.name} {why}" in entry_page(client, entry)


def ways_on(client: Client, entry: Entry) -> list[str]:
    page = entry_page(client, entry)
    buttons = ["Withdraw after this match", "Leave the main bracket but play in the consolation", "Mark as no-show"]
    return [button.split()[0] for button in buttons if button in page]


def test_only_the_ways_to_leave_that_are_possible_are_offered(director, client):
    event = build_event(director, players=8, format="consolation", options={"cut_off": "finalists"})
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    assert ways_on(client, first.entry_a) == ["Leave", "Mark"]
    enter_result(first.match, claim=claim(games=(GameResult(Side.A, 1),)), **WHO)
    assert ways_on(client, first.entry_a) == ["Withdraw", "Leave"]
    win(first.match, Side.A, base=1)
    assert ways_on(client, first.entry_a) == ["Mark"]
    assert ways_on(client, first.entry_b) == ["Mark"]
    win(second.match, Side.A)
    assert ways_on(client, first.entry_a) == ["Leave", "Mark"]
    with pytest.raises(Conflict, match="has no match left in the main bracket"):
        leave_event(first.entry_b, kind="withdrawn", only_main=True, **WHO)


def test_nothing_is_offered_for_an_entry_of_an_event_that_has_ended(director, client):
    event = build_event(director, players=2)
    win(fixture_of(event, "M1-1").match, Side.A)
    finish_event(event, **WHO)
    page = entry_page(client, event.entries.first())
    assert "This event has ended. Reopen it to change anything." in page
    assert [word for word in ("Withdraw now", "Replace", "Disqualify") if word in page] == []


def test_nobody_leaves_the_main_bracket_for_a_consolation_that_its_losers_do_not_reach(director, client):
    event = build_event(director, players=4, format="consolation", options={"cut_off": "finalists"})
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    assert ways_on(client, fixture_of(event, "M2-1").entry_a) == ["Mark"]


# What a form says


def test_a_country_that_is_no_code_is_refused_in_one_sentence_beside_it(director, client):
    event = build_event(director, players=0, drawn=False)
    entries = reverse("entries", args=[event.tournament.slug, event.slug])
    page = client.post(entries, {"way": "one", "name": "Anna", "country": "Denmark"})
    form = form_at(page, "", "country")
    (country,) = (control for control in form.controls if control.name == "country")
    assert (page.status_code, country.value, "aria-invalid" in country.attributes) == (400, "Denmark", True)
    assert "“DENMARK” is not a country code of two or three letters." in text_of(page)
    assert int(country.attributes["maxlength"]) > 3
    assert event.entries.count() == 0


def test_a_ruling_without_a_reason_is_told_so(director, client):
    match = fixture_of(build_event(director, players=2), "M1-1").match
    sent = {"key": "r", "base": 0, "ruling_count": 0, "against_a": 1, "against_b": 0, "reason": ""}
    page = client.post(reverse("rule", args=[match.pk, "penalty"]), sent)
    assert page.status_code == 400
    assert "Reason : Give a reason for the ruling." in text_of(page)


@pytest.mark.parametrize(
    ("fees", "sentence"),
    [
        ({"fee": 500, "reentry_fee": 5000}, "The rake is more than an entry costs."),
        ({"fee": 5000, "reentry_fee": 500}, "The rake is more than a re-entry costs."),
    ],
)
def test_a_rake_above_a_fee_names_the_fee(director, fees, sentence):
    event = build_event(director, players=0, drawn=False)
    with pytest.raises(Refusal) as refused:
        set_money(event, build_money_terms(rake="per-entry", rake_value=1000, **fees), **WHO)
    assert (refused.value.code, str(refused.value)) == ("rake_above_fee", sentence)


def test_the_rake_of_a_calcutta_is_of_its_sales(director, client):
    event = build_event(director, players=0, drawn=False)
    page = client.get(reverse("money-terms", args=[event.tournament.slug, event.slug])).content.decode()
    choices = {
        name: re.findall(r"<option[^>]*>([^<]*)", re.search(rf'<select name="{name}".*?</select>', page, re.S).group())
        for name in ("rake", "auction_rake")
    }
    assert choices == {
        "rake": ["No rake", "Percentage of the fees", "Fixed per entry"],
        "auction_rake": ["No rake", "Percentage of the sales", "Fixed per entry sold"],
    }


def test_a_single_name_has_no_line_and_a_list_has_one(director):
    event = build_event(director, players=2, drawn=False)
    said = []
    for lines in ([EntryLine(name="Player 1")], parse_pasted("\nPlayer 1")):
        with pytest.raises(Refusal) as refused:
            add_entries(event, lines=lines, **WHO)
        said.append(str(refused.value))
    assert said == ["Player 1 is already entered.", "Line 2: Player 1 is already entered."]
