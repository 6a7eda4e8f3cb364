import pytest

from tests.tournament.formats.events import Event, field, play_out
from tournament.formats import FORMATS
from tournament.formats.plan import Draw

CONSOLATION = FORMATS["consolation"]
DOUBLE = FORMATS["double-elimination"]


def places(plan):
    """The seeds with the places that are still open to them."""
    seeds = {entrant.id: entrant.seed for entrant in field(64, 64)}
    return {seeds[placing.entrant]: (placing.place, placing.place_to) for placing in plan.placings}


def finished(format, size, **options):
    event = Event(format, size, **options)
    event.outcomes = dict(play_out(event.format, Draw(event.entrants, event.options)).outcomes)
    return event


def test_whole_field_is_placed_by_how_far_each_came_after_losing_once():
    plan = finished(DOUBLE, 16).plan
    assert sorted(places(plan).values()) == sorted(
        [(1, 1), (2, 2), (3, 3), (4, 4), *[(5, 6)] * 2, *[(7, 8)] * 2, *[(9, 12)] * 4, *[(13, 16)] * 4]
    )


def test_places_of_a_double_elimination_narrow_as_it_goes_on():
    event = Event(DOUBLE, 4)
    assert set(places(event.plan).values()) == {(1, 4)}
    event.wins(1, "M1-1")
    assert places(event.plan) == {1: (1, 3), 2: (1, 4), 3: (1, 4), 4: (1, 4)}
    event.wins(2, "M1-2")
    event.wins(3, "C1-1")
    assert places(event.plan) == {1: (1, 3), 2: (1, 3), 3: (1, 3), 4: (4, 4)}
    event.wins(1, "M2-1")
    assert places(event.plan) == {1: (1, 2), 2: (1, 3), 3: (1, 3), 4: (4, 4)}
    event.wins(2, "C2-1")
    event.wins(2, "F1-1")
    assert places(event.plan) == {1: (1, 2), 2: (1, 2), 3: (3, 3), 4: (4, 4)}
    event.wins(1, "F2-1")
    assert places(event.plan) == {1: (1, 1), 2: (2, 2), 3: (3, 3), 4: (4, 4)}


def test_match_for_place_3_divides_the_semifinal_losers():
    event = Event(CONSOLATION, 4, consolation="none", third_place=True)
    for seed, key in ((1, "M1-1"), (2, "M1-2"), (2, "M2-1")):
        event.wins(seed, key)
    assert places(event.plan) == {2: (1, 1), 1: (2, 2), 3: (3, 4), 4: (3, 4)}
    assert not event.plan.finished
    event.wins(4, "T1-1")
    assert places(event.plan) == {2: (1, 1), 1: (2, 2), 4: (3, 3), 3: (4, 4)}
    assert event.plan.finished


def test_a_player_who_comes_from_the_consolation_to_place_2_moves_those_passed_down():
    event = Event(CONSOLATION, 8, reunite="second-place")
    for seed, key in ((1, "M1-1"), (4, "M1-2"), (2, "M1-3"), (3, "M1-4"), (1, "M2-1"), (2, "M2-2"), (1, "M3-1")):
        event.wins(seed, key)
    assert places(event.plan) == {
        1: (1, 1),
        2: (2, 3),
        **dict.fromkeys((3, 4), (2, 5)),
        **dict.fromkeys((5, 6, 7, 8), (2, 8)),
    }
    event.wins(8, "C1-1")
    event.wins(7, "C1-2")
    assert places(event.plan)[5] == (5, 8)
    for key in ("C2-1", "C2-2"):
        event.wins(max(seat for seat in event.seats(key)), key)
    event.wins(8, "C3-1")
    assert places(event.plan) == {
        1: (1, 1),
        2: (2, 3),
        8: (2, 3),
        3: (4, 5),
        4: (4, 5),
        **dict.fromkeys((5, 6, 7), (6, 8)),
    }
    event.wins(8, "P1-1")
    assert (places(event.plan)[8], places(event.plan)[2]) == ((2, 2), (3, 3))


def test_placings_say_why():
    event = finished(CONSOLATION, 8, reunite="second-place")
    texts = {placing.why.text for placing in event.plan.placings}
    assert {
        "Won M3-1, the final.",
        "Won P1-1, the match for second place.",
        "Lost P1-1, the match for second place.",
        "Lost M1-1; all who lose in that round share these places.",
    } <= texts
    texts = {placing.why.text for placing in finished(DOUBLE, 5).plan.placings}
    assert texts == {
        "Won F2-1, the final.",
        "Lost F2-1, the final.",
        "Lost C3-1; nobody shares this place.",
        "Lost C2-1; nobody shares this place.",
        "Lost C1-2; nobody shares this place.",
    }
    texts = {
        placing.why.text for placing in finished(CONSOLATION, 4, consolation="none", third_place=True).plan.placings
    }
    assert {"Won T1-1, the match for third place.", "Lost T1-1, the match for third place."} <= texts


def test_open_places_say_nothing_yet():
    assert {placing.why for placing in Event(DOUBLE, 8).plan.placings} == {None}


def test_consolations_have_their_own_rankings():
    event = finished(CONSOLATION, 16, second_consolation=True, last_chance="full")
    sections = {section.bracket: section for section in event.plan.sections}
    assert {bracket: section.title.text for bracket, section in sections.items()} == {
        "C": "Consolation",
        "D": "Second consolation",
        "L": "Last chance",
    }
    assert [len(sections[bracket].entrants) for bracket in "CDL"] == [14, 12, 10]
    ranking = [(placing.place, placing.place_to) for placing in sections["C"].placings]
    assert ranking == [(1, 1), (2, 2), *[(3, 4)] * 2, *[(5, 6)] * 2, *[(7, 10)] * 4, *[(11, 14)] * 4]
    assert sections["C"].placings[0].why.text == "Won C5-1, the final."


def test_section_grows_as_losers_come_in():
    event = Event(CONSOLATION, 8)
    assert event.plan.sections[0].entrants == ()
    event.wins(1, "M1-1")
    (section,) = event.plan.sections
    assert [(placing.entrant, placing.place, placing.place_to) for placing in section.placings] == [
        (event.entrants[7].id, 1, 6)
    ]


@pytest.mark.parametrize("format", ["double-elimination", "single-elimination"])
def test_brackets_that_are_one_ranking_have_no_sections(format):
    assert finished(FORMATS[format], 8).plan.sections == ()


def test_places_of_a_simple_consolation_are_exact_once_it_is_known_who_came():
    event = finished(CONSOLATION, 12, consolation="simple")
    (section,) = event.plan.sections
    shared = sorted({(placing.place, placing.place_to) for placing in section.placings})
    assert sum(last - first + 1 for first, last in shared) == len(section.entrants)
    assert len(section.entrants) < 8
