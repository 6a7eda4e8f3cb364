"""The director called to a table: one open call for each match, seen at once on the desk and by the players."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from players.errors import Conflict
from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.changes.versions import read_versions
from tournament.entries.links import LinkEnded, link_of, token_of
from tournament.entries.renew import renew_links
from tournament.hall.calling import call_match
from tournament.hall.desk import take_desk
from tournament.hall.director_calls import call_director, come_to_match, end_director_call
from tournament.hall.tables import add_tables
from tournament.mine.call_director import call_director_by_link
from tournament.models import DirectorCall, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    add_tables(event.tournament, first=4, last=4, by=None, at=AT)
    call_match(fixture_of(event, "M1-1").match, by=None, at=AT)
    return event


def called(event: Event, key: str = "M1-1") -> DirectorCall:
    fixture = fixture_of(event, key)
    return call_director_by_link(fixture.entry_a, fixture.match, at=AT)


def test_a_call_is_on_the_desk_with_its_table_until_it_is_done(event, director):
    hall = read_versions(event.tournament_id).hall
    called(event)
    assert read_versions(event.tournament_id).hall == hall + 1
    fixture = fixture_of(event, "M1-1")
    (shown,) = take_desk(event.tournament, at=AT).director_calls
    names = f"{fixture.entry_a.name} – {fixture.entry_b.name}"
    assert (shown.match_id, shown.table, shown.names, shown.event) == (fixture.match_id, 4, names, "Main")
    come_to_match(fixture.match, by=director, at=AT)
    (shown,) = take_desk(event.tournament, at=AT).director_calls
    assert shown.taken_by == director.username
    end_director_call(fixture.match, by=director, at=AT)
    assert take_desk(event.tournament, at=AT).director_calls == ()


def test_a_match_that_has_its_result_needs_no_director(event):
    called(event)
    called(event, "M1-2")
    win(fixture_of(event, "M1-1").match, Side.A)
    (shown,) = take_desk(event.tournament, at=AT).director_calls
    assert shown.match_id == fixture_of(event, "M1-2").match_id


def test_a_match_that_has_its_result_calls_no_director(event):
    called(event, "M1-2")
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
        with pytest.raises(Conflict) as refused:
            called(event, key)
        assert refused.value.code == "match_decided"
    fixture = fixture_of(event, "M1-1")
    phone = CheckedClient().post(reverse("api:my-director", args=[token_of(fixture.entry_a), fixture.match_id]))
    assert (phone.status_code, phone.json()["code"]) == (409, "match_decided")
    page = Client().post(reverse("my-director", args=[token_of(fixture.entry_a), fixture.match_id]))
    assert (page.status_code, "already has its result" in page.content.decode()) == (409, True)
    assert DirectorCall.objects.count() == 1


def test_calling_twice_is_one_call(event):
    assert called(event) == called(event)
    assert event.tournament.log.filter(verb="call_director").count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        DirectorCall.objects.create(tournament=event.tournament, match=fixture_of(event, "M1-1").match, called_at=AT)


def test_a_second_director_learns_that_somebody_is_on_the_way(event, director):
    called(event)
    match = fixture_of(event, "M1-1").match
    come_to_match(match, by=director, at=AT)
    come_to_match(match, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        come_to_match(match, by=build_director("second", event.tournament), at=AT)
    assert refused.value.code == "director_call_taken"
    end_director_call(match, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        end_director_call(match, by=director, at=AT)
    assert refused.value.code == "director_not_called"


def test_a_link_calls_only_to_its_own_matches_and_only_while_it_is_valid(event, director):
    mine, other = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    with pytest.raises(Conflict) as refused:
        call_director_by_link(mine.entry_a, other.match, at=AT)
    assert refused.value.code == "match_of_others"
    renew_links(event, entries=[mine.entry_a_id], by=director, at=AT)
    with pytest.raises(LinkEnded):
        call_director_by_link(mine.entry_a, mine.match, at=AT)
    assert not DirectorCall.objects.exists()


def test_the_player_presses_once_and_sees_that_the_director_is_coming(event, director, as_director):
    fixture = fixture_of(event, "M1-1")
    phone, link = Client(), link_of(fixture.entry_a)
    assert "Call the director to table 4" in phone.get(link).content.decode()
    address = reverse("my-director", args=[token_of(fixture.entry_a), fixture.match_id])
    assert phone.post(address).status_code == 302
    assert "The director was called at" in phone.get(link).content.decode()
    desk = reverse("desk-act", args=[event.tournament.slug, fixture.match_id, "come"])
    assert f'action="{desk}"' in as_director.get(reverse("desk", args=[event.tournament.slug])).content.decode()
    as_director.post(desk)
    for entry in (fixture.entry_a, fixture.entry_b):
        assert "The director is coming." in Client().get(link_of(entry)).content.decode()
    as_director.post(reverse("desk-act", args=[event.tournament.slug, fixture.match_id, "helped"]))
    assert "Call the director to table 4" in phone.get(link).content.decode()


def test_the_api_calls_with_a_link_and_answers_with_a_role(event, director):
    fixture = fixture_of(event, "M1-1")
    phone, staff = CheckedClient(), CheckedClient()
    staff.force_authenticate(director)
    mine = reverse("api:my-director", args=[token_of(fixture.entry_a), fixture.match_id])
    assert phone.post(mine).status_code == 200
    assert phone.post(reverse("api:my-director", args=["1~no", fixture.match_id])).status_code == 404
    other = fixture_of(event, "M1-2")
    ended = token_of(other.entry_a)
    renew_links(event, entries=[other.entry_a_id], by=director, at=AT)
    gone = phone.post(reverse("api:my-director", args=[ended, other.match_id]))
    assert (gone.status_code, gone.json()["code"]) == (410, "link_replaced")
    hall = staff.get(reverse("api:hall", args=[event.tournament_id])).json()
    assert [call["match"] for call in hall["director_calls"]] == [fixture.match_id]
    address = reverse("api:director", args=[fixture.match_id])
    assert staff.post(address).json()["taken_at"] is not None
    assert staff.delete(address).json()["done_at"] is not None
    assert staff.post(address).json()["code"] == "director_not_called"


def test_a_call_is_the_same_for_the_desk_itself(event):
    call_director(fixture_of(event, "M1-2").match, entry=None, by=None, at=AT)
    (shown,) = take_desk(event.tournament, at=AT).director_calls
    assert shown.table is None
