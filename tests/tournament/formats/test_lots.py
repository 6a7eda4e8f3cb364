"""Lots as ``sha256sum`` prints them, and what every format makes of them."""

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from tests.tournament.formats.events import assert_even, decide, options_of, play_out, undecided
from tests.tournament.formats.events import field as entrants_of
from tests.tournament.formats.variants import variants
from tournament.formats import SIMULATED
from tournament.formats.chance import LotChance, SeededChance, chance_among
from tournament.formats.errors import PlanError
from tournament.formats.first_round import draw_first_round, draw_lines
from tournament.formats.lots import Lots, SeededLots, Urn, first_scope, links_from, next_link
from tournament.formats.main_bracket import spread_byes
from tournament.formats.plan import Draw, Entrant, Outcome, Published
from tournament.formats.protection import keep_apart
from tournament.rehearsal.chance import draw_field

pytestmark = pytest.mark.long

EVERY_FORMAT = pytest.mark.parametrize("format", SIMULATED.values(), ids=SIMULATED.keys())
KNOCKOUT, SWISS, JACKPOT = SIMULATED["single-elimination"], SIMULATED["swiss"], SIMULATED["jackpot"]
END = "52138413e8d27760a1cc0ed669b76a0e777568575c6a6dd6669567a48f50715e"
"""printf 'the end of a chain' | sha256sum"""
LINK = "764b97e31cea5de4c3c1676b7cc02b8325abf6d4f9057a4586d5633532ad2bff"
"""printf END | sha256sum"""
ANCHOR = "268ab8bc2e98175a69f78b66e82119dd0d171382464b8bbad656150709a127cc"
"""printf LINK | sha256sum"""
DIGEST = "ef11052ff14e1fbe1e2b24be79abe6da96c98bfbc7b67457d7d33a91283f2c68"
"""printf '{"event":"Main"}' | sha256sum"""
URN = Urn(LINK, "3 5 6 2", DIGEST)


@dataclass
class Recorded:
    """Lots that remember which urns were asked for."""

    lots: Lots
    asked: set[str] = field(default_factory=set)

    def urn(self, scope: str) -> Urn:
        self.asked.add(scope)
        return self.lots.urn(scope)


@dataclass(frozen=True)
class One:
    """The same urn in every scope."""

    only: Urn

    def urn(self, scope: str) -> Urn:
        return self.only


def chi_square(counts, kinds):
    """How far these counts are from equal ones; on average it is one less than the ``kinds``."""
    expected = sum(counts.values()) / kinds
    return sum((count - expected) ** 2 for count in counts.values()) / expected + (kinds - len(counts)) * expected


@pytest.mark.parametrize(
    ("name", "lot"),
    [
        ("1", "8c8a61fbf833caa61ec577b98b19cce34e05bb2190518b6cde7069135280fbf2"),
        ("2", "aaef5e5024e4388e319a7b072b98b555367943534ba255b89a8ddd4de2fe41d2"),
        ("3", "f4cd10cbb7a54e929f9020259d2a3ecd8470fb14d8c704e211e6fb01910137a0"),
        ("12", "6947d59cf06955b755fbf4f9d469ebb8e5dab92793e18b9ae999622246266b9a"),
        ("pairing 3", "fada43fd4a85de115f0ad643e7232c47d9f4646052c203f1224cde8dad0a061d"),
        ("12 again 2", "8f9b883de254252664e2df55ef8b3d93c592a56698ab3563c7d6873179aa258f"),
    ],
)
def test_a_lot_is_what_sha256sum_prints(name, lot):
    """printf '%s\\n' LINK '3 5 6 2' DIGEST NAME | sha256sum"""
    assert URN.lot(name) == lot


def test_each_link_hashes_to_the_one_revealed_before_it():
    assert list(links_from(END, 2)) == [END, LINK, ANCHOR]
    assert next_link(LINK) == ANCHOR


def test_the_smallest_lot_comes_first_and_alone_is_chosen():
    chance, names = LotChance(URN), ["1", "2", "3", "12", "pairing 3", "12 again 2"]
    chance.shuffle(names, str)
    assert names == ["12", "1", "12 again 2", "2", "3", "pairing 3"]
    assert chance.pick(["3", "2", "1"], str) == "1"
    assert [chance.is_first("1", "2"), chance.is_first("2", "1")] == [True, False]


def test_entrants_stand_on_the_lines_in_the_order_of_their_lots():
    entrants = tuple(Entrant(id=70 + number, name=f"P{number}", number=number) for number in (1, 2, 3, 12))
    first = draw_first_round(Draw(entrants, options_of(KNOCKOUT), lots=One(URN)))
    assert [entrant.number for entrant in first.lines if entrant] == [12, 1, 2, 3]


def test_without_lots_the_seed_decides_as_it_always_has():
    """The draws of events from before there were lots can be made again for good."""
    items = list(range(10))
    SeededChance("seed").shuffle(items, str)
    assert items == [5, 3, 9, 7, 4, 0, 8, 6, 2, 1]
    assert spread_byes(8, 5, SeededChance("seed")) == [1, 1, 0, 1, 1, 0, 1, 0]
    byes = [chance_among(None, "late 12", seed=f"{seed}:late:12").pick([2, 5, 7], str) for seed in range(8)]
    assert byes == [7, 2, 7, 5, 7, 7, 5, 2]


def test_a_stage_is_drawn_in_one_urn_or_round_by_round():
    scopes = {slug: first_scope(pairs_by_round=format.pairs_by_round) for slug, format in SIMULATED.items()}
    assert (scopes["single-elimination"], scopes["pools"], scopes["swiss"]) == ("draw", "draw", "round 1")


def mixed_field(size, salt, format):
    """Entrants with ids 1, 2, 3 ..., clubs and lives; some come late, and in odd fields two share a person."""
    rng, entrants = Random(f"{salt} {size}"), []
    for entrant in draw_field(size, salt):
        late = format.pairs_by_round and rng.random() < 0.2
        entrants.append(
            replace(
                entrant,
                number=entrant.id,
                seed=entrant.seed if rng.random() < 0.6 else None,
                club=rng.choice(["", "A", "B", "C"]),
                country=rng.choice(["DK", "SE"]),
                family=rng.choice(["", "", "X"]),
                lives=rng.choice([1, 1, 2]),
                presence=(rng.choice([2, 3]),) if late else (1,),
            )
        )
    if size % 2:
        entrants[3] = replace(entrants[3], persons=entrants[3].persons | entrants[1].persons)
    return tuple(entrants)


def some_draws(format):
    """A draw on lots with each variant of the options, unless these do not fit the field."""
    for number, variant in enumerate(variants(format.slug)):
        size = (8, 13, 16, 7, 24)[number % 5]
        yield Draw(mixed_field(size, str(number), format), variant, lots=SeededLots(f"secret {number}", "3 1", "d"))


def played(format, draw):
    """The draw when everything in it is played; None if it cannot be drawn or ends with players who may not meet."""
    try:
        return play_out(format, draw)
    except (PlanError, AssertionError):
        return None


def as_drawn(plan, name):
    """The plan with ``name`` of the id in place of each entrant."""

    def seat(side):
        return name(side.id) if isinstance(side, Entrant) else side

    def places(placings):
        return placings and {(name(line.entrant), line.place, line.place_to, line.why) for line in placings}

    return (
        [replace(pairing, a=seat(pairing.a), b=seat(pairing.b)) for pairing in plan.pairings],
        places(plan.placings),
        [(section.bracket, set(map(name, section.entrants)), places(section.placings)) for section in plan.sections],
        {name(entrant): wins for entrant, wins in plan.free_wins.items()},
        {name(entrant): lives for entrant, lives in plan.lives.items()},
        (plan.finished, plan.stale, plan.notes),
    )


def elsewhere(draw):
    """The same draw in another database: ids in the same order, and persons in any."""

    def moved(id):
        return 5000 + 17 * id

    entrants = [
        replace(entrant, id=moved(entrant.id), persons=frozenset(900_000 - 7919 * person for person in entrant.persons))
        for entrant in draw.entrants
    ]
    outcomes = {key: Outcome(moved(one.winner), moved(one.loser), one.is_void) for key, one in draw.outcomes.items()}
    return replace(draw, entrants=tuple(reversed(entrants)), outcomes=outcomes)


@EVERY_FORMAT
def test_a_plan_on_lots_is_the_same_on_every_machine(format):
    compared = 0
    for draw in some_draws(format):
        ended = played(format, draw)
        if ended:
            there = format.plan(elsewhere(ended))
            assert as_drawn(there, lambda id: (id - 5000) // 17) == as_drawn(format.plan(ended), lambda id: id)
            compared += 1
    assert compared > 1


@EVERY_FORMAT
def test_any_change_of_link_public_value_or_digest_changes_the_draw(format):
    base = Draw(draw_field(16, "f"), variants(format.slug)[0], seed="seed")
    urns = [
        URN,
        replace(URN, link=ANCHOR),
        replace(URN, public_value="3 5 6 1"),
        replace(URN, digest=LINK),
        Urn(LINK, "", ""),
        Urn("", "", ""),
    ]
    plans = [format.plan(replace(base, lots=One(urn))).pairings for urn in urns]
    assert len(set(plans)) == len(urns)
    assert [format.plan(replace(base, lots=One(urn), seed="other")).pairings for urn in urns] == plans


@EVERY_FORMAT
def test_no_urn_is_opened_before_something_is_drawn_from_it(format):
    """In each step the plan asks for the urns of its own pairings, and of the main rounds whose losers are placed."""
    for draw in some_draws(format):
        lots = Recorded(draw.lots)
        draw = replace(draw, lots=lots)
        if played(format, replace(draw, lots=lots.lots)) is None:
            continue
        while True:
            lots.asked.clear()
            plan = format.plan(draw)
            allowed = {format.scope(pairing) for pairing in plan.pairings}
            main = {pairing.round for pairing in plan.pairings if pairing.bracket == "M"}
            main -= {pairing.round for pairing in undecided(plan, draw.outcomes) if pairing.bracket == "M"}
            allowed |= {f"placing {round}" for round in main}
            assert lots.asked <= allowed
            waiting = undecided(plan, draw.outcomes)
            if not waiting:
                break
            ended = waiting[: 1 + len(waiting) // 2]
            results = {pairing.key: decide(pairing, "first") for pairing in ended}
            draw = replace(draw, outcomes={**draw.outcomes, **results})


def test_what_stands_is_drawn_from_no_urn():
    """A round that is published needs no lots, even if nobody knows any more which they were."""
    draw = Draw(draw_field(8, "f"), options_of(SWISS), lots=SeededLots("secret"))
    ended = play_out(SWISS, draw)
    plan = SWISS.plan(ended)
    published = tuple(Published(line.key, line.a.id, line.b.id) for line in plan.pairings)
    lots = Recorded(SeededLots("another"))
    assert SWISS.plan(replace(ended, published=published, lots=lots)).pairings == plan.pairings
    assert lots.asked == set()


def test_each_jackpot_has_its_urn_and_none_before_it_is_full():
    lots = Recorded(SeededLots("secret"))
    JACKPOT.plan(Draw(draw_field(23, "f"), options_of(JACKPOT), lots=lots))
    assert lots.asked == {"jackpot A", "jackpot B"}


def test_who_comes_late_is_numbered_by_the_lots_of_the_round_in_which_they_come():
    """Those who come for round 3 are drawn when it is paired, and not when they enter."""
    entrants = tuple(
        replace(entrant, presence=(3,)) if entrant.id > 8 else entrant for entrant in draw_field(12, "late")
    )
    lots = Recorded(SeededLots("secret"))
    draw = Draw(entrants, options_of(SWISS, within="fold", rounds=4), lots=lots)
    assert [scopes_of_round(SWISS, draw, lots, rounds) for rounds in (0, 1, 2, 3)] == [
        {"round 1"},
        {"round 1"},
        {"round 1", "round 3"},
        {"round 1", "round 3"},
    ]


def scopes_of_round(format, draw, lots, rounds):
    """The urns asked for when so many rounds have been played."""
    ended = play_out(format, draw)
    lots.asked.clear()
    format.plan(replace(ended, outcomes={key: one for key, one in ended.outcomes.items() if int(key[1]) <= rounds}))
    return set(lots.asked)


@pytest.mark.parametrize("seed", ["the lines of four", "again"])
def test_every_order_of_four_is_drawn_equally_often(seed):
    """24 orders by 4800 urns: with 23 degrees of freedom chi-square is below 49.7 in all but one of 1000 trials."""
    entrants, options = entrants_of(4), options_of(KNOCKOUT)
    seen = Counter(
        draw_first_round(Draw(entrants, options, lots=SeededLots(f"{seed} {number}"))).lines for number in range(4800)
    )
    assert chi_square(seen, 24) < 49.7


def test_the_bye_of_three_falls_on_everyone_and_on_both_pairings_equally_often():
    entrants, options = entrants_of(3), options_of(KNOCKOUT)
    seen = Counter(
        draw_first_round(Draw(entrants, options, lots=SeededLots(f"three {number}"))).lines for number in range(2400)
    )
    assert chi_square(seen, 12) < 31.3


@pytest.mark.parametrize("size", [5, 6, 7, 9, 11, 13, 20, 23, 40])
def test_byes_are_spread_by_lots_and_reach_every_pairing_and_everyone(size):
    entrants, options = entrants_of(size), options_of(KNOCKOUT)
    pairings, holders, number = Counter(), Counter(), 0
    while number < 20 * size:
        first = draw_first_round(Draw(entrants, options, lots=SeededLots(f"byes {number}")))
        assert_even(first.byes)
        pairings.update(place for place, bye in enumerate(first.byes) if bye)
        holders.update(first.lines[2 * place].id for place, bye in enumerate(first.byes) if bye)
        number += 1
    assert (len(pairings), len(holders)) == (len(first.byes), size)


def test_the_lines_are_drawn_once_however_often_the_urn_is_read_anew():
    """Each plan of an event has lots of its own, read from the database; equal urns give what was drawn before."""
    draw_lines.cache_clear()
    draw = Draw(entrants_of(16), options_of(KNOCKOUT))
    for _plan in range(3):
        KNOCKOUT.plan(replace(draw, lots=Recorded(SeededLots("secret"))))
    assert draw_lines.cache_info().misses == 1


@pytest.mark.parametrize("salt", range(40))
def test_who_is_kept_apart_from_whom_follows_from_numbers_also_when_the_lines_are_drawn_again(salt):
    """Only every third may change places with each other, so that the lines are often drawn again."""
    rng = Random(salt)
    people = [
        (rng.choice("AB"), {number, rng.randint(1, 12)} if rng.random() < 0.3 else {number}) for number in range(12)
    ]
    order = rng.sample(range(12), 12)
    assert kept_apart(people, order, lambda number: number + 1) == kept_apart(
        people, order, lambda number: 71 * number + 9
    )


def kept_apart(people, order, id_of):
    """The numbers of round 1, or the code of the refusal, with these families and persons, ids and order of lines."""
    entrants = [
        Entrant(id_of(number), f"P{number}", family=family, persons=frozenset(map(id_of, persons)), number=number + 1)
        for number, (family, persons) in enumerate(people)
    ]
    lines = [entrants[place] for place in order]
    matches = list(zip(lines[::2], lines[1::2], strict=True))
    try:
        apart = keep_apart(matches, "none", lambda entrant: entrant.number % 3, LotChance(URN))
    except PlanError as error:
        return error.code
    return [(a.number, b and b.number) for a, b in apart.matches]
