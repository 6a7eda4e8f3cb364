"""Play-offs: entered by a director, they decide a tie and count for nothing else."""

import pytest

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.draw.play_offs import enter_play_off, void_play_off
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.events.stages import add_stage
from tournament.models import Entry, PlayOff
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def build(director, tiebreaks=("play-off",), play=True):
    """Three who beat each other in a cycle."""
    event = build_event(director, players=3, format="round-robin", tiebreaks=list(tiebreaks))
    for match in open_matches(event) if play else ():
        a, b = (int(str(player).split()[-1]) for player in (match.side_a, match.side_b))
        win(match, Side.A if (b - a) % 3 == 1 else Side.B, by=director)
    return event


def people(event):
    return list(Entry.objects.filter(event=event).select_related("player", "partner"))


def play(event, winner, loser, director):
    entries = people(event)
    stage = event.stages.first()
    return enter_play_off(stage, winner=entries[winner - 1], loser=entries[loser - 1], by=director, at=AT)


def places(event):
    store_standings(event.pk)
    return [(line.entry.name[-1], line.place, line.place_to) for line in take_snapshot(event.pk).stages[0].standings]


def test_a_play_off_decides_the_tie_and_says_so_and_is_audited(director):
    event = build(director)
    assert places(event) == [("1", 1, 3), ("2", 1, 3), ("3", 1, 3)]
    for winner, loser in ((3, 1), (3, 2), (2, 1)):
        play(event, winner, loser, director)
    assert places(event) == [("3", 1, 1), ("2", 2, 2), ("1", 3, 3)]
    lines = take_snapshot(event.pk).stage.standings
    assert lines[0].why == "Tied on wins (1); the play-off decides: Player 3 2, Player 2 1."
    assert [(line.played, line.wins) for line in lines] == [(2, 1)] * 3
    assert audit_event(event) == []
    PlayOff.objects.filter(stage__event=event).first().delete()
    store_standings(event.pk)
    assert "play_offs" in {difference.check for difference in audit_event(event)}


def test_a_play_off_is_replaced_and_taken_back(director):
    event = build(director)
    play(event, 1, 2, director)
    again = play(event, 2, 1, director)
    assert list(PlayOff.objects.values_list("winner__player__name", flat=True)) == ["Player 2"]
    void_play_off(again, by=director, at=AT)
    assert not PlayOff.objects.exists()
    with pytest.raises(Conflict) as refused:
        void_play_off(again, by=director, at=AT)
    assert refused.value.code == "play_off_gone"
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize(
    ("terms", "pair", "code"),
    [
        ({"tiebreaks": ("head-to-head",)}, (1, 2), "play_off_not_used"),
        ({"play": False}, (1, 2), "play_off_too_early"),
        ({}, (1, 1), "play_off_not_tied"),
    ],
)
def test_an_impossible_play_off_is_refused(director, terms, pair, code):
    event = build(director, **terms)
    with pytest.raises((Refusal, Conflict)) as refused:
        play(event, *pair, director)
    assert (refused.value.code, PlayOff.objects.count()) == (code, 0)


def test_entrants_separated_by_wins_have_no_play_off(director):
    event = build_event(director, players=3, format="round-robin", tiebreaks=["play-off"])
    for match in open_matches(event):
        win(match, Side.A if str(match.side_a) < str(match.side_b) else Side.B, by=director)
    with pytest.raises(Refusal) as refused:
        play(event, 2, 1, director)
    assert refused.value.code == "play_off_not_tied"


def test_a_play_off_decides_the_qualifiers_until_the_next_stage_has_begun(director):
    event = build_event(director, players=3, format="round-robin", tiebreaks=["play-off"])
    final = {"format": "single-elimination", "options": {"lengths": [5]}, "qualifiers": 2}
    add_stage(event, **final, by=director, at=AT)
    for match in open_matches(event):
        a, b = (int(str(player).split()[-1]) for player in (match.side_a, match.side_b))
        win(match, Side.A if (b - a) % 3 == 1 else Side.B, by=director)
    play(event, 3, 1, director)
    play(event, 2, 1, director)
    make_draw(event, by=director, at=AT)
    fixture = event.stages.last().fixtures.get()
    assert {str(fixture.entry_a), str(fixture.entry_b)} == {"Player 2", "Player 3"}
    win(fixture.match, Side.A, by=director)
    with pytest.raises(Conflict) as refused:
        play(event, 1, 3, director)
    assert refused.value.code == "later_match_begun"


def test_a_director_enters_a_play_off_on_the_page(director, client):
    event = build(director)
    store_standings(event.pk)
    page = f"{event.get_absolute_url()}standings/"
    assert "Enter the play-off result" not in client.get(page).content.decode()
    client.force_login(director)
    assert "Enter the play-off result" in client.get(page).content.decode()
    one, two, _ = people(event)
    path = f"{event.get_absolute_url()}stages/1/play-off/"
    client.post(path, {"winner": two.pk, "loser": one.pk})
    assert "Player 2 beat Player 1" in client.get(page).content.decode()
    assert client.post(path, {"winner": two.pk, "loser": "x"}).status_code == 400
    play_off = PlayOff.objects.get()
    client.post(f"{event.get_absolute_url()}play-offs/{play_off.pk}/remove/")
    assert not PlayOff.objects.exists()
    history = client.get(f"{event.get_absolute_url()}history/").content.decode()
    assert "Play-off, winner first: Player 2, Player 1" in history


def test_an_ended_event_takes_no_more_play_offs(director):
    event = build(director)
    finish_event(event, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        play(event, 1, 2, director)
    assert refused.value.code == "event_finished"
