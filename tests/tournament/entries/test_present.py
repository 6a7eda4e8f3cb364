"""Players check in with their own link, where the event asks for it and its draw has not been made."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Conflict
from tests.builders import AT, build_event
from tournament.draw.make import make_draw
from tournament.entries.attendance import set_door
from tournament.entries.links import LinkEnded, link_of, token_of
from tournament.entries.present import check_in_by_link
from tournament.entries.renew import renew_links

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director):
    event = build_event(director, players=4, drawn=False)
    return set_door(event, max_entries=None, check_in=True, late_minutes=None, by=director, at=AT)


def test_a_press_on_the_own_page_checks_in(event):
    entry = event.entries.select_related("player").first()
    page = Client().get(link_of(entry)).content.decode()
    address = reverse("my-check-in", args=[token_of(entry)])
    assert f'action="{address}"' in page
    assert Client().post(address).status_code == 302
    entry.refresh_from_db()
    assert entry.checked_in_at is not None
    page = Client().get(link_of(entry)).content.decode()
    assert f'action="{address}"' not in page
    assert "You are checked in." in page


def test_it_is_open_on_the_day_and_once_somebody_is_there_and_stays_said_after_the_draw(director):
    event = build_event(director, players=4, drawn=False)
    first, second = event.entries.all()[:2]
    with pytest.raises(Conflict):
        check_in_by_link(first, at=AT)
    event.starts_at = AT
    event.save()
    with pytest.raises(Conflict):
        check_in_by_link(first, at=AT - timedelta(days=2))
    assert check_in_by_link(first, at=AT).checked_in_at == AT
    event.starts_at = None
    event.save()
    assert check_in_by_link(second, at=AT).checked_in_at == AT
    make_draw(event, by=director, at=AT)
    assert "You are checked in." in Client().get(link_of(second)).content.decode()


def test_an_ended_link_checks_nobody_in(event, director):
    entry = event.entries.first()
    renew_links(event, entries=[entry.pk], by=director, at=AT)
    with pytest.raises(LinkEnded):
        check_in_by_link(entry, at=AT)
    assert Client().post(reverse("my-check-in", args=[token_of(entry)])).status_code == 410


def test_it_is_closed_where_nobody_checks_in_and_after_the_draw(event, director):
    for entry in event.entries.all():
        check_in_by_link(entry, at=AT)
    make_draw(event, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        check_in_by_link(event.entries.first(), at=AT)
    assert refused.value.code == "check_in_closed"
    other = build_event(director, players=2, drawn=False, name="Side", tournament=event.tournament)
    with pytest.raises(Conflict):
        check_in_by_link(other.entries.first(), at=AT)
