from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.formats.chance import SeededChance
from tournament.formats.errors import PlanError
from tournament.formats.plan import Entrant
from tournament.formats.protection import keep_apart


def everyone(entrant):
    return 0


def entrants_of(clubs, **others):
    """One entrant for each letter, which is the club; a dot is no club."""
    return [Entrant(number, f"P{number}", club=club.strip("."), **others) for number, club in enumerate(clubs, 1)]


def paired(entrants, byes=()):
    """Pairings of neighbours; those in ``byes``, and the last of an odd number, have only one side."""
    waiting, matches = iter(entrants), []
    for entrant in waiting:
        matches.append((entrant, None if len(matches) in byes else next(waiting, None)))
    return matches


def meetings(matches, of):
    return sum(b is not None and of(a) == of(b) != "" for a, b in matches)


def club(entrant):
    return entrant.club


def ids(matches):
    return sorted(entrant.id for match in matches for entrant in match if entrant)


def test_nothing_in_common_changes_nothing_and_uses_no_chance():
    matches = paired(entrants_of("ABAB....", country=""))
    chance = SeededChance(1)
    apart = keep_apart(matches, "club", everyone, chance)
    assert (apart.matches, apart.reasons, apart.notes) == (matches, {}, ())
    untouched = SeededChance(1)
    assert [chance.is_first("", "") for _ in range(64)] == [untouched.is_first("", "") for _ in range(64)]


def test_clubmates_meet_if_clubs_are_not_protected():
    matches = paired(entrants_of("AABB"))
    assert keep_apart(matches, "none", everyone, SeededChance(1)).matches == matches


@given(st.text("AABC.", min_size=2, max_size=24), st.sets(st.integers(0, 9), max_size=4), st.integers(0, 9))
def test_a_club_meets_only_where_it_has_more_players_than_there_are_pairings(clubs, byes, seed):
    matches = paired(entrants_of(clubs), byes)
    apart = keep_apart(matches, "club", everyone, SeededChance(seed))
    sizes = Counter(entrant.club for match in matches for entrant in match if entrant and entrant.club)
    assert meetings(apart.matches, club) == sum(max(0, size - len(matches)) for size in sizes.values())
    assert ids(apart.matches) == ids(matches)
    assert [b is None for _, b in apart.matches] == [b is None for _, b in matches]
    assert len(apart.notes) == meetings(apart.matches, club)


@given(st.text("AB.", min_size=4, max_size=4), st.text("xy.", min_size=4, max_size=4), st.integers(0, 5))
def test_clubs_come_before_countries_and_both_meet_as_rarely_as_possible(clubs, countries, seed):
    field = [
        Entrant(number, "", club=club.strip("."), country=country.strip("."))
        for number, (club, country) in enumerate(zip(clubs, countries, strict=True))
    ]

    def cost(matches):
        return meetings(matches, club), meetings(matches, lambda entrant: entrant.country)

    apart = keep_apart(paired(field), "club-country", everyone, SeededChance(seed))
    assert cost(apart.matches) == min(cost(paired(order)) for order in permutations(field))


def test_a_family_is_kept_apart_without_being_asked():
    field = [Entrant(number, f"P{number}", family="Hansen" if number < 3 else "") for number in range(1, 5)]
    apart = keep_apart(paired(field), "none", everyone, SeededChance(3))
    assert meetings(apart.matches, lambda entrant: entrant.family) == 0
    assert {reason.text for reason in apart.reasons.values()} == {
        "Drawn at random, then swapped with another line so that members of a family do not meet in round 1."
    }
    assert sorted(apart.reasons) == [0, 1]


def test_meeting_that_is_left_is_noted():
    field = [Entrant(number, f"P{number}", country="DK") for number in (1, 2)]
    apart = keep_apart(paired(field), "country", everyone, SeededChance(3))
    assert [note.text for note in apart.notes] == [
        "P1 and P2 are from the same country and meet in round 1: with this field it cannot be avoided."
    ]


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 99))
def test_entries_of_one_player_never_meet_in_round_one_and_are_shared_by_the_halves(rounds, entries, seed):
    count = 2**rounds * 2
    field = [Entrant(number, "", persons=frozenset([0 if number < entries else number])) for number in range(count)]
    apart = keep_apart(paired(field), "none", everyone, SeededChance(seed))
    lines = [entrant for match in apart.matches for entrant in match]
    upper = sum(0 in entrant.persons for entrant in lines[: count // 2])
    assert abs(2 * upper - entries) <= entries % 2
    assert not any(a.persons & b.persons for a, b in apart.matches)


def test_two_entries_that_have_to_meet_are_refused():
    field = [Entrant(number, f"P{number}", persons=frozenset([7])) for number in (1, 2)]
    with pytest.raises(PlanError) as refusal:
        keep_apart(paired(field), "none", everyone, SeededChance(3))
    assert refusal.value.code == "player_meets_self"
    assert str(refusal.value) == "P1 and P2 have a player in common and would have to meet in round 1."


def test_only_one_group_changes_places():
    field = entrants_of("AABB....")
    apart = keep_apart(paired(field), "club", lambda entrant: None if entrant.id in (1, 3) else 0, SeededChance(2))
    lines = [entrant for match in apart.matches for entrant in match]
    assert (lines[0], lines[2]) == (field[0], field[2])
    assert meetings(apart.matches, club) == 0


def test_a_player_who_gets_a_bye_in_an_exchange_is_told():
    field = entrants_of("AAB")
    apart = keep_apart(paired(field, byes=[1]), "club", everyone, SeededChance(2))
    assert meetings(apart.matches, club) == 0
    assert (
        apart.reasons[1].text == "Bye: drawn at random for another player, then moved here to keep entrants apart in "
        "round 1."
    )


def test_large_field_is_kept_apart_by_club_and_by_country():
    field = [Entrant(number, "", club=f"c{number % 9}", country=f"k{number % 2}") for number in range(512)]
    matches = paired(sorted(field, key=lambda entrant: entrant.club))
    apart = keep_apart(matches, "club-country", everyone, SeededChance(2))
    assert (meetings(apart.matches, club), meetings(apart.matches, lambda entrant: entrant.country)) == (0, 0)
