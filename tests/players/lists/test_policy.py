"""Which matches count for a list: every rule keeps out just what it says, and policies survive being written."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.lists.policy import (
    ALWAYS,
    CLASSES,
    RULES,
    Affiliation,
    Bracket,
    Declared,
    Guests,
    MatchFacts,
    Outcome,
    Policy,
    PolicyError,
    Where,
    guests_in,
    read_policy,
    why_not,
    write_policy,
)

MEMBER, STRANGER = Affiliation(member_of=frozenset({"DBGF"})), Affiliation()
INVITED = Affiliation(guest_of=frozenset({"DBGF"}))
FOREIGNER = Affiliation(member_of=frozenset({"NBGF"}))
PLAYED = MatchFacts(outcome=Outcome.PLAYED, federation="DBGF", length=7, players=(MEMBER, MEMBER))


def test_a_played_match_of_two_members_counts() -> None:
    assert why_not(Policy(), PLAYED) is None


CASES = [
    ({}, {"outcome": Outcome.BYE}, "bye"),
    ({}, {"outcome": Outcome.VOID}, "void"),
    ({}, {"outcome": Outcome.WALKOVER}, "walkover"),
    ({}, {"outcome": Outcome.SETTLED}, "settled"),
    ({}, {"outcome": Outcome.FORFEIT}, "forfeit"),
    ({"forfeits": True}, {"outcome": Outcome.FORFEIT}, None),
    ({"forfeits": True}, {"outcome": Outcome.FORFEIT, "begun": False}, "not_begun"),
    ({}, {"voided": True}, "ruled_out"),
    ({}, {"doubles": True}, "doubles"),
    ({}, {"begun": False}, "not_begun"),
    ({"begun": False}, {"begun": False}, None),
    ({"teams": False}, {"teams": True}, "teams"),
    ({}, {"teams": True}, None),
    ({"shortest": 7}, {}, None),
    ({"shortest": 8}, {}, "too_short"),
    ({"longest": 7}, {}, None),
    ({"longest": 6}, {}, "too_long"),
    ({"brackets": frozenset({Bracket.MAIN})}, {"bracket": Bracket.CONSOLATION}, "bracket"),
    ({}, {"bracket": Bracket.JACKPOT}, None),
    ({}, {"where": Where.ONLINE}, "online"),
    ({"where": frozenset({Where.ONLINE})}, {}, "live"),
    ({"where": frozenset(Where)}, {"where": Where.ONLINE}, None),
    ({"classes": frozenset({"A", "B"})}, {"event_class": "B"}, None),
    ({"classes": frozenset({"A", "B"})}, {"event_class": "C"}, "class"),
    ({"classes": frozenset({"A", "B"})}, {}, "class"),
    ({"sanction": True}, {}, "unsanctioned"),
    ({"sanction": True}, {"sanctioned": True}, None),
    ({"penalties": False}, {"penalised": True}, "penalties"),
    ({}, {"penalised": True}, None),
    ({}, {"declared": Declared.NO}, "not_declared"),
    ({}, {"declared": Declared.LATE}, "not_declared"),
    ({"before_play": False}, {"declared": Declared.LATE}, None),
    ({"before_play": False}, {"declared": Declared.NO}, "not_declared"),
    ({}, {"players": (MEMBER, STRANGER)}, "not_member"),
    ({}, {"players": (MEMBER, INVITED)}, "guest"),
    ({}, {"players": (STRANGER, INVITED)}, "not_member"),
    ({}, {"players": (MEMBER, FOREIGNER)}, "not_member"),
    ({"treaty": frozenset({"NBGF"})}, {"players": (MEMBER, FOREIGNER)}, None),
    ({"members": False}, {"players": (STRANGER, STRANGER)}, None),
    ({"guests": Guests.HIDDEN}, {"players": (STRANGER, STRANGER)}, None),
    ({"guests": Guests.FIXED, "guest_rating": 1500}, {"players": (MEMBER, STRANGER)}, None),
    ({"guests": Guests.FIXED, "guest_rating": 1500}, {"players": (STRANGER, STRANGER)}, "not_member"),
    ({}, {"outcome": Outcome.WALKOVER, "allowed": True}, "walkover"),
    ({"shortest": 9}, {"allowed": True}, None),
    ({"shortest": 9}, {"allowed": True, "voided": True}, "ruled_out"),
]


@pytest.mark.parametrize(("rules", "facts", "code"), CASES)
def test_the_first_rule_that_keeps_a_match_out_is_named(rules: dict, facts: dict, code: str | None) -> None:
    assert why_not(Policy(**rules), replace(PLAYED, **facts)) == code


def test_every_code_is_reached() -> None:
    assert {code for _rules, _facts, code in CASES} - {None} == set(RULES)


def test_a_class_has_its_weight() -> None:
    policy = Policy(weights={"A": 150, "D": 50})
    assert [policy.weight_of(letter) for letter in ("A", "B", "D", "")] == [150, 100, 50, 100]


@pytest.mark.parametrize(
    ("rules", "code", "name"),
    [
        ({"shortest": 0}, "number_out_of_range", "shortest"),
        ({"shortest": 9, "longest": 7}, "lengths_crossed", "longest"),
        ({"shortest": "7"}, "rule_invalid", "shortest"),
        ({"shortest": None}, "number_out_of_range", "shortest"),
        ({"members": 1}, "rule_invalid", "members"),
        ({"brackets": []}, "nothing_counts", "brackets"),
        ({"where": []}, "nothing_counts", "where"),
        ({"brackets": ["final"]}, "rule_invalid", "brackets"),
        ({"brackets": "main"}, "rule_invalid", "brackets"),
        ({"guests": "sometimes"}, "rule_invalid", "guests"),
        ({"guests": "fixed"}, "number_out_of_range", "guest_rating"),
        ({"classes": ["E"]}, "class_unknown", "classes"),
        ({"weights": {"E": 100}}, "class_unknown", "weights"),
        ({"weights": {"A": 0}}, "number_out_of_range", "weights"),
        ({"weights": []}, "rule_invalid", "weights"),
        ({"most_per_day": 0}, "number_out_of_range", "most_per_day"),
        ({"colour": "red"}, "rule_unknown", "colour"),
        ([], "rules_not_an_object", ""),
    ],
)
def test_rules_that_no_policy_can_have_are_refused_by_name(rules: object, code: str, name: str) -> None:
    with pytest.raises(PolicyError) as refused:
        read_policy(rules)
    assert (refused.value.code, refused.value.name) == (code, name)


def some(kind: object) -> st.SearchStrategy:
    return st.frozensets(st.sampled_from(kind), min_size=1)  # type: ignore[arg-type]


policies = st.builds(
    Policy,
    shortest=st.integers(1, 9),
    longest=st.none() | st.integers(9, 25),
    brackets=some(list(Bracket)),
    where=some(list(Where)),
    members=st.booleans(),
    treaty=st.frozensets(st.sampled_from(["NBGF", "SBGF"])),
    guests=st.sampled_from(Guests),
    guest_rating=st.integers(0, 2000),
    teams=st.booleans(),
    begun=st.booleans(),
    forfeits=st.booleans(),
    penalties=st.booleans(),
    sanction=st.booleans(),
    classes=st.frozensets(st.sampled_from(CLASSES)),
    weights=st.dictionaries(st.sampled_from(CLASSES), st.integers(1, 1000)),
    before_play=st.booleans(),
    most_per_day=st.none() | st.integers(1, 5),
)
codes = st.frozensets(st.sampled_from(["DBGF", "NBGF", "SBGF"]))
sides = st.builds(Affiliation, member_of=codes, guest_of=codes)
matches = st.builds(
    MatchFacts,
    outcome=st.sampled_from(Outcome),
    federation=st.just("DBGF"),
    length=st.integers(1, 25),
    bracket=st.sampled_from(Bracket),
    where=st.sampled_from(Where),
    doubles=st.booleans(),
    teams=st.booleans(),
    begun=st.booleans(),
    penalised=st.booleans(),
    event_class=st.sampled_from(["", *CLASSES]),
    sanctioned=st.booleans(),
    declared=st.sampled_from(Declared),
    voided=st.booleans(),
    allowed=st.booleans(),
    players=st.tuples(sides, sides),
)


@given(policies)
def test_a_policy_that_is_written_reads_back_the_same(policy: Policy) -> None:
    assert read_policy(write_policy(policy)) == policy


@given(policies, matches)
def test_the_sides_are_alike(policy: Policy, facts: MatchFacts) -> None:
    turned = replace(facts, players=facts.players[::-1])
    assert why_not(policy, facts) == why_not(policy, turned)
    assert guests_in(policy, facts) == guests_in(policy, turned)[::-1]


@given(policies, matches)
def test_what_a_ruling_lets_in_is_a_result_of_two_players(policy: Policy, facts: MatchFacts) -> None:
    code = why_not(policy, replace(facts, allowed=True))
    assert code in ALWAYS or (code is None and facts.outcome in (Outcome.PLAYED, Outcome.FORFEIT, Outcome.SETTLED))


@given(policies, matches)
def test_a_match_that_counts_without_a_ruling_was_played_by_members_or_guests_who_are_rated(
    policy: Policy, facts: MatchFacts
) -> None:
    if why_not(policy, replace(facts, allowed=False)) is None:
        guests = sum(guests_in(policy, facts))
        assert guests <= {Guests.UNRATED: 0, Guests.FIXED: 1, Guests.HIDDEN: 2}[policy.guests]
