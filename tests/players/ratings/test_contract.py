"""What every rating system promises, whatever its parameters."""

import json
import math
from dataclasses import fields
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.parameters import MAX_NUMBERS, ParameterError, ParameterKind
from players.ratings import SYSTEMS, DatedResult, RatedResult, build_system
from players.ratings.packed import line_of, pack, unpack
from tests.players.ratings.variants import VARIANTS

FIRST_DAY = 739_000


@st.composite
def histories(draw):
    """Results of six players in the order of their days, some without a day."""
    day, results = 0, []
    for pair, length, later in draw(
        st.lists(st.tuples(st.permutations(range(1, 7)), st.integers(1, 25), st.integers(0, 40)), max_size=25)
    ):
        day += later
        players = pair[:2]
        results.append(RatedResult(*players, length) if later == 40 else DatedResult(*players, length, FIRST_DAY + day))
    return results


systems = st.sampled_from(sorted(VARIANTS)).map(VARIANTS.__getitem__)


@given(systems, histories(), st.integers(0, 25))
def test_a_replay_in_parts_equals_the_replay_in_one(system, results, cut):
    known = system.rate(results[:cut])
    before = dict(known)
    packed = pack(system, known)
    assert unpack(system, packed) == known
    assert len(packed) == line_of(system).size * len(known)
    assert system.rate(results[cut:], unpack(system, packed)) == system.rate(results)
    assert known == before


@given(systems, histories())
def test_changes_form_one_chain_per_player_that_ends_in_the_rating(system, results):
    chains = {}
    for change in system.changes(results):
        chains.setdefault(change.result.winner, []).append((change.winner_before, change.winner_after))
        chains.setdefault(change.result.loser, []).append((change.loser_before, change.loser_after))
    for chain in chains.values():
        assert chain[0][0] == system.newcomer
        assert all(after == before for (_, after), (before, _) in pairwise(chain))
    assert system.rate(results) == {player: chain[-1][1] for player, chain in chains.items()}


@given(systems, histories())
def test_ratings_are_finite_and_count_what_was_played(system, results):
    for player, rating in system.rate(results).items():
        own = [result for result in results if player in (result.winner, result.loser)]
        assert rating.experience == sum(result.length for result in own)
        assert (rating.matches, rating.wins) == (len(own), sum(result.winner == player for result in own))
        assert all(math.isfinite(getattr(rating, field.name)) for field in fields(rating))


@given(systems, histories())
def test_the_winner_never_falls_and_the_loser_never_rises(system, results):
    for change in system.changes(results):
        assert change.winner_after.value >= change.winner_before.value
        assert change.loser_after.value <= change.loser_before.value
        if system.keeps_sum:
            gain = change.winner_after.value - change.winner_before.value
            assert gain == pytest.approx(change.loser_before.value - change.loser_after.value)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_system_that_does_not_keep_the_sum_says_so(name):
    """A newcomer against somebody experienced and low on the list moves the sum wherever it is not declared kept."""
    system = VARIANTS[name]
    old = system.rate([DatedResult(1 + turn % 2, 2 - turn % 2, 9, FIRST_DAY + turn) for turn in range(60)])[1]
    lowest = getattr(system, "floor", None)
    old = old if lowest is None else system.starting(lowest, experience=old.experience)
    won, lost = system.rate_match(system.newcomer, old, 7)
    kept = won.value + lost.value == pytest.approx(system.newcomer.value + old.value)
    assert kept == system.keeps_sum


@pytest.mark.parametrize("name", VARIANTS)
def test_the_order_matters_where_it_is_declared(name):
    system = VARIANTS[name]
    results = [DatedResult(*players, 7, FIRST_DAY) for players in ((1, 2), (2, 3), (3, 1), (1, 2), (2, 4), (4, 1))]
    turned = results[::-1]
    there, back = system.rate(results), system.rate(turned)
    same = all(there[player].value == pytest.approx(back[player].value, rel=1e-12) for player in there)
    assert same != system.is_sequential


@pytest.mark.parametrize("name", VARIANTS)
def test_a_system_is_made_again_from_its_parameters_as_json(name):
    system = VARIANTS[name]
    assert build_system(system.slug, json.loads(json.dumps(system.as_dict()))) == system
    assert set(system.as_dict()) == {field.name for field in fields(system)} - unused(system)


def unused(system):
    """Glicko-2 asks of the deviation what the others ask of the experience."""
    return {"provisional_below"} if system.slug == "glicko-2" else set()


@pytest.mark.parametrize("kind", SYSTEMS)
def test_every_kind_is_declared_whole(kind):
    system = build_system(kind, {})
    assert (system.slug, type(system)) == (kind, SYSTEMS[kind])
    assert system == SYSTEMS[kind]()
    assert all((system.name, system.description))
    assert bool(system.source) == system.verified
    assert system.conforms == system.verified
    assert system.starting(1234.5).value == 1234.5
    assert not any(line.startswith("_") for line in system.as_dict())
    for parameter in system.parameters:
        assert parameter.label
        assert parameter.parse(parameter.default) == parameter.default


def impossible(parameter):
    match parameter.kind:
        case ParameterKind.BOOL:
            return [1, "true", None]
        case ParameterKind.CHOICE:
            return ["no-such", 1, None, []]
        case ParameterKind.DECIMALS:
            return [[], [1] * (MAX_NUMBERS + 1), ["a"], "1", None]
    wrong = [parameter.least - 1, parameter.most + 1, True, "a", "", [], float("nan"), float("inf"), "NaN", 10**400]
    return wrong if parameter.optional else [*wrong, None]


@pytest.mark.parametrize("kind", SYSTEMS)
def test_an_impossible_parameter_is_refused_by_its_name(kind):
    for parameter in SYSTEMS[kind].parameters:
        for value in impossible(parameter):
            with pytest.raises(ParameterError) as refused:
                build_system(kind, {parameter.name: value})
            assert (refused.value.code, refused.value.field) == ("parameter_invalid", parameter.name)
    with pytest.raises(ParameterError) as refused:
        build_system(kind, {"no_such": 1})
    assert (refused.value.code, refused.value.field) == ("parameter_unknown", "no_such")


def test_a_kind_that_does_not_exist_is_refused():
    with pytest.raises(ParameterError, match="no rating system “wbgf”") as refused:
        build_system("wbgf", {})
    assert refused.value.code == "rating_system_unknown"


def test_whole_numbers_stay_whole_and_decimals_are_read_as_written():
    assert build_system("belgian", {"start": "1500.5"}).start == 1500.5
    with pytest.raises(ParameterError):
        build_system("belgian", {"provisional_below": 1.5})


def test_own_numbers_are_no_longer_the_published_ratings():
    assert not build_system("dbf", {"start": 1500}).conforms
    assert build_system("fibs", {"this_match_counts": True, "provisional_below": 50}).conforms
