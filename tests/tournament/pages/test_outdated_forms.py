"""Forms that somebody else has overtaken: refused, and on the page again with all that was typed, for what is now true.

Two people always press the button at once. The second one sees what the first has done, and may send again.
"""

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, win
from tests.pages import PageForm, alerts_of, forms_of
from tests.tournament.pages.test_returned_forms import filled, same_form
from tournament.draw.reconcile import Repair
from tournament.entries.links import token_of
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.reports import report_result

pytestmark = pytest.mark.django_db

ONE = (GameResult(Side.A),)
TWO = (*ONE, GameResult(Side.B, level=Level.GAMMON))

LIKELY = {"winner": ["A"], "cube": ["2"], "level": ["1"], "ending": ["bearoff"]}
"""A game about which nobody asks."""


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, lengths=(5,))


@pytest.fixture
def match(event):
    """A match of which one game has been entered."""
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=ONE), by=None, at=AT)
    return match


def form_on(client: Client, page: str, action: str) -> PageForm:
    (form,) = [form for form in forms_of(client.get(page)) if form.action == action]
    return form


def hold(answer: HttpResponse, form: PageForm, page: str, sent: dict[str, list[str]], *, fresh: set[str]) -> PageForm:
    """Hold the answer to what it owes whoever was overtaken; return the form, which has these hidden fields anew."""
    assert answer.status_code == 409
    assert alerts_of(answer) > 0
    back = same_form(answer, form, page)
    assert back is not None
    assert back.is_open
    returned = back.data()
    for control in form.typed:
        assert returned.get(control.name, []) == sent.get(control.name, []), control.name
    kept = returned | {"csrfmiddlewaretoken": sent.get("csrfmiddlewaretoken", [])}
    assert {name for name in sent if name in kept and kept[name] != sent[name]} == fresh
    return back


def overtake(client: Client, page: str, action: str, other: Callable[[], object], *, fresh: set[str]) -> HttpResponse:
    """Fill the form, let somebody else write, send it, and send again what comes back."""
    form = form_on(client, page, action)
    sent = filled(form) | {control.name: LIKELY[control.name] for control in form.typed if control.name in LIKELY}
    other()
    answer = client.post(action, sent)
    back = hold(answer, form, page, sent, fresh=fresh)
    again = back.data() | {name: values for name, values in sent.items() if name not in back.data()}
    return client.post(action, again)


@pytest.mark.parametrize("way", ["game", "final", "sheet", "award"])
def test_a_result_that_was_overtaken_comes_back_for_the_sheet_that_is_current_now(as_director, match, way):
    action = reverse("enter", args=[match.pk, way])
    answer = overtake(
        as_director,
        match.get_absolute_url(),
        action,
        lambda: enter_result(match, claim=claim(games=TWO, base=1), by=None, at=AT),
        fresh={"key", "base"},
    )
    assert answer.status_code in (302, 400), "judged for what it says, and not for the sheet it was typed for"
    assert match.sheets.count() == 2 + (answer.status_code == 302)


def test_a_game_that_was_typed_is_the_one_after_the_game_of_the_other_scorer(as_director, match):
    page, action = match.get_absolute_url(), reverse("enter", args=[match.pk, "game"])
    form = form_on(as_director, page, action)
    typed = {"winner": ["B"], "cube": ["2"], "level": ["2"], "ending": ["resigned"]}
    enter_result(match, claim=claim(games=TWO, base=1), by=None, at=AT)
    back = hold(as_director.post(action, form.data() | typed), form, page, form.data() | typed, fresh={"key", "base"})
    assert as_director.post(action, back.data()).status_code == 302
    games = match.sheets.order_by("number").last().lines.order_by("number")
    assert [(game.winner, game.cube, game.level) for game in games] == [("A", 1, 1), ("B", 1, 2), ("B", 2, 2)]


def test_taking_a_result_back_that_was_corrected_meanwhile_keeps_the_reason(as_director, event):
    match = fixture_of(event, "M1-2").match
    win(match, Side.A)
    correct = claim(final=(5, 3), base=1, reason="Seen.")
    answer = overtake(
        as_director,
        match.get_absolute_url(),
        reverse("void", args=[match.pk]),
        lambda: enter_result(match, claim=correct, may_repair=True, by=None, at=AT),
        fresh={"base"},
    )
    assert (answer.status_code, match.sheets.filter(state="confirmed").exists()) == (302, False)


def ways_of_ruling(client: Client, page: str) -> list[str]:
    return [form.action for form in forms_of(client.get(page)) if "/rule/" in form.action and form.typed]


def test_every_ruling_that_was_overtaken_comes_back_for_the_match_as_it_is_now(as_director, match):
    """Lateness is not ruled on once a game has been entered."""
    page = match.get_absolute_url()
    ways = ways_of_ruling(as_director, page)
    assert len(ways) >= 4
    base = 1
    for action in ways:
        games = (*ONE, GameResult(Side.A if base % 2 else Side.B))

        def other(games=games, base=base):
            enter_result(match, claim=claim(games=games, base=base, confirmed=True), by=None, at=AT)

        answer = overtake(as_director, page, action, other, fresh={"key", "base"})
        assert answer.status_code in (200, 400), "shown, or judged for what it says"
        base += 1


def test_a_ruling_after_another_ruling_comes_back_too(as_director, match):
    page = match.get_absolute_url()
    action = reverse("rule", args=[match.pk, "penalty"])
    form = form_on(as_director, page, action)
    sent = filled(form)
    shown = as_director.post(action, sent | {"against_a": ["1"]})
    confirmed = next(one for one in forms_of(shown) if any(b.get("name") == "confirmed" for b in one.buttons))
    button = next(b for b in confirmed.buttons if b.get("name") == "confirmed")
    assert as_director.post(action, confirmed.data() | {"confirmed": [button["value"]]}).status_code == 302
    back = hold(as_director.post(action, sent), form, page, sent, fresh={"key", "base", "ruling_count"})
    assert as_director.post(action, back.data()).status_code == 200


@pytest.mark.parametrize("way", ["game", "final"])
def test_a_report_that_was_overtaken_comes_back_on_the_players_own_page(event, way):
    """A player with the page open on two phones, or a pair."""
    fixture = fixture_of(event, "M1-2")
    token, visitor = token_of(fixture.entry_a), Client()
    action = reverse("my-report", args=[token, fixture.match_id, way])
    answer = overtake(
        visitor,
        reverse("my-entry", args=[token]),
        action,
        lambda: report_result(fixture.match, claim=claim(games=ONE), side=Side.A, by=None, at=AT),
        fresh={"key", "base"},
    )
    assert answer.status_code in (302, 400)


def test_a_score_typed_at_the_desk_comes_back_without_a_script(as_director, event, match):
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    call_match(match, by=None, at=AT)
    page = reverse("desk", args=[event.tournament.slug])
    (form,) = [form for form in forms_of(as_director.get(page)) if form.action.endswith(f"/{match.pk}/enter/")]
    sent = form.data() | {"final_a": ["5"], "final_b": ["2"]}
    enter_result(match, claim=claim(games=TWO, base=1), by=None, at=AT)
    answer = as_director.post(form.action, sent)
    back = hold(answer, form, page, sent, fresh={"key", "base"})
    assert as_director.post(form.action, back.data()).status_code == 302
    assert match.sheets.order_by("number").last().final_a == 5


def test_ending_an_advance_that_cannot_end_keeps_the_reason(as_director, event):
    first = fixture_of(event, "M1-1").match
    win(first, Side.A)
    win(fixture_of(event, "M1-2").match, Side.A)
    enter_result(fixture_of(event, "M2-1").match, claim=claim(games=ONE), by=None, at=AT)
    stand = claim(final=(1, 5), base=1, reason="Seen.")
    enter_result(first, claim=stand, repair=Repair.STAND, may_repair=True, by=None, at=AT)
    action = reverse("end-advance", args=[first.pk])
    page = first.get_absolute_url()
    form = form_on(as_director, page, action)
    sent = {"reason": ["Typed."], "repair": ["swap"], "shown": ["0" * 64]}
    answer = as_director.post(action, form.data() | sent)
    assert answer.status_code == 409
    assert "Typed." in answer.content.decode()
