"""The lots on the page of a draw: those that decided, each with the fourth line that is hashed."""

import subprocess
from hashlib import sha256

import pytest
from django.test import Client
from django.urls import reverse

from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, play_out, win
from tests.tournament.api.client import CheckedClient
from tests.tournament.entries.test_attendance import WHOLE, current, entry_of, leave
from tests.tournament.proof.test_closings_in_file import settle
from tournament.draw.close_entries import reopen_entries
from tournament.draw.make import cancel_draw, make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.past.draw_file import draw_file_of
from tournament.proof.drawn_lots import lots_of
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


def page(event, **query):
    return Client().get(reverse("event-draws", args=[event.pk]), query)


@pytest.fixture
def event(director):
    """A knockout of twelve, of whose four byes a late entry has taken one."""
    event = build_event(director, players=12, seed="", nonce=None)
    add_entries(event, lines=[EntryLine(name="Late")], by=None, at=AT)
    return event


def test_the_link_of_a_late_entry_lists_the_byes_it_could_take(event):
    shown = page(event, urn="1-2")
    late = event.entries.get(number=13)
    lots = shown.context["chosen"].lots
    assert lots[0].line == f"pairing {late.bye_taken}"
    assert len(lots) == 4
    assert all(lot.line.startswith("pairing ") for lot in lots)
    assert [lot.lot for lot in lots] == sorted(lot.lot for lot in lots)
    first = {row.number: row for row in event.stages.get().fixtures.filter(bracket="M", round=1)}
    sides = first[late.bye_taken]
    holder = sides.entry_a if sides.entry_b_id == late.pk else sides.entry_b
    assert (lots[0].number, lots[0].name) == (holder.number, holder.name)
    made = subprocess.run(["sh", "-c", shown.context["command"]], capture_output=True, text=True, check=True)
    assert made.stdout.split()[0] == lots[0].lot
    assert "Bye of" in shown.content.decode()


def test_the_link_of_the_draw_lists_nobody_who_entered_after_it(event):
    lots = page(event, urn="1-1").context["chosen"].lots
    assert {lot.number for lot in lots if lot.number} == set(range(1, 13))


def test_another_bye_can_be_chosen_on_the_page(event):
    last = page(event, urn="1-2").context["chosen"].lots[-1]
    shown = page(event, urn="1-2", entry=last.line)
    assert shown.context["entry"] == last
    assert f"“{last.line}”" in shown.content.decode()


def test_every_lot_is_the_hash_of_its_four_lines(event):
    for urn in lots_of(draw_file_of(event)):
        for lot in urn.lots:
            text = f"{urn.urn.link}\n{urn.urn.public_value}\n{urn.urn.digest}\n{lot.line}\n"
            assert lot.lot == sha256(text.encode()).hexdigest()


def test_lots_of_a_jackpot_are_those_of_its_own_players(director):
    event = build_event(director, players=8, format="jackpot", options={"size": "4", "lengths": [5]}, seed="")
    found = {one.urn.scope: {lot.line for lot in one.lots} for one in lots_of(draw_file_of(event))}
    assert found == {"jackpot A": {"1", "2", "3", "4"}, "jackpot B": {"5", "6", "7", "8"}}


def test_the_api_names_the_line_of_each_lot(event):
    client = CheckedClient()
    data = client.get(f"events/{event.pk}/draw-file/").content
    report = client.post("draw-files/verify/", data, content_type="application/json").json()
    assert {lot["line"].split()[0] for lot in report["lots"][1]["lots"]} == {"pairing"}


def test_a_second_draw_lists_its_own_lots(event, director):
    cancel_draw(event, by=director, at=AT)
    assert len(page(event, urn="1-2").context["chosen"].lots) == 4


def test_all_times_of_the_page_are_in_the_zone_of_the_tournament(director):
    other = build_director("other")
    other.is_superuser = True
    other.save()
    event = build_event(director, players=4, drawn=False, seed="", nonce=None, public_source="dice")
    settle(event, "dice", director, other)
    reopen_entries(event, reason="again", by=director, at=AT)
    shown = page(event).content.decode()
    assert AT.strftime("%Y-%m-%dT") not in shown
    assert f"All times are in the time zone {event.tournament.zone}." in shown


@pytest.mark.parametrize("drawn", [True, False])
def test_who_deletes_an_event_is_told_that_its_draw_stays_listed(director, client, drawn):
    event = build_event(director, players=4, drawn=drawn, seed="")
    client.force_login(director)
    shown = client.get(reverse("delete-event", args=[event.tournament.slug, event.slug])).content.decode()
    assert ("One thing stays: its draw is listed for everybody" in shown) is drawn


def test_who_takes_a_draw_back_is_told_that_it_stays_listed(director, client):
    event = build_event(director, players=4, seed="")
    client.force_login(director)
    shown = client.get(reverse("pairings", args=[event.tournament.slug, event.slug])).content.decode()
    assert "This draw stays listed for everybody on the tournament’s page." in shown


def test_lots_of_lines_are_listed_by_the_name_that_is_hashed(director):
    options = {"lengths": [5]}
    event = build_event(director, players=8, drawn=False, seed="", options=options)
    event.entries.filter(number__lte=4).update(family="same")
    make_draw(event, by=director, at=AT)
    (urn,) = lots_of(draw_file_of(event))
    by_entry = [lot for lot in urn.lots if lot.number is not None]
    lines = [lot for lot in urn.lots if lot.number is None]
    assert {lot.line for lot in by_entry} >= {str(number) for number in range(1, 9)}
    assert {f"line {number}" for number in range(1, 9)} <= {lot.line for lot in lines}
    assert all(lot.name == "" for lot in lines)


def test_two_who_have_both_left_have_the_lots_of_their_pairing(director):
    event = build_event(director, players=8, format="consolation", options=WHOLE, seed="")
    win(fixture_of(event, "M1-1").match, Side.A)
    leave(entry_of(event, "M2-1"))
    match = fixture_of(event, "M1-2").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=None, at=AT)
    leave(entry_of(event, "M1-2"), plays_on=True, only_main=True)
    win(match, Side.A, base=1)
    fixture = fixture_of(event, "M2-1")
    (urn,) = [one for one in lots_of(draw_file_of(event)) if one.urn.scope == "absent M2-1"]
    two = {fixture.entry_a, fixture.entry_b}
    assert {(lot.line, lot.name) for lot in urn.lots} == {(f"{one.number} in M2-1", one.name) for one in two}
    assert current(event, "M2-1").awarded_to == ("A" if fixture.entry_a.number == urn.lots[0].number else "B")


def test_the_lots_of_a_placing_are_those_of_the_losers_who_were_placed(director):
    event = build_event(director, players=16, format="consolation", options={**WHOLE, "placed": True}, seed="")
    play_out(event)
    file = draw_file_of(event)
    results = [result for step in file.draws[0].steps for result in step.results]
    losers = {result.loser for result in results if result.key.startswith("M2-")}
    (urn,) = [one for one in lots_of(file) if one.urn.scope == "placing 2"]
    assert {lot.line for lot in urn.lots} == {str(number) for number in losers}
