import re

import pytest
from django.urls import reverse

from tests.builders import build_event
from tournament.pictures.emblem import draw_emblem


def test_an_event_has_one_emblem_for_ever():
    assert draw_emblem("open-2026", "main") == draw_emblem("open-2026", "main")


def test_different_events_look_different():
    drawn = {draw_emblem("open-2026", f"event-{number}") for number in range(40)}
    drawn |= {draw_emblem(f"open-{number}", "main") for number in range(40)}
    assert len(drawn) == 80


def test_everything_stays_within_the_square_and_is_hidden_from_screen_readers():
    for number in range(60):
        drawn = draw_emblem("open", f"event-{number}")
        assert 'aria-hidden="true"' in drawn
        circles = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)
        assert circles
        assert all(3 <= float(x) <= 45 and 3 <= float(y) <= 45 for x, y in circles)


@pytest.mark.django_db
def test_walls_carry_the_emblem_of_the_event_and_of_the_tournament(client, director):
    event = build_event(director, players=4)
    tournament = event.tournament.slug
    of_event = client.get(reverse("screen", args=[tournament, event.slug])).content.decode()
    of_hall = client.get(reverse("hall-screen", args=[tournament])).content.decode()
    assert draw_emblem(tournament, event.slug) in of_event
    assert draw_emblem(tournament) in of_hall
    assert draw_emblem(tournament) != draw_emblem(tournament, event.slug)
