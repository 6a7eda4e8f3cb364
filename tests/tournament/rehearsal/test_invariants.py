"""A format that breaks a promise is caught: each test breaks one."""

from dataclasses import replace

import pytest

from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, Pairing, Placing, Plan, Reason, Section
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.invariants import check_end, check_first, check_places, check_plan
from tournament.rehearsal.simulation import play_event

ROUND_ROBIN, KNOCKOUT = FORMATS["round-robin"], FORMATS["single-elimination"]
SEVEN = parse_options("round-robin", {"lengths": [7]})
FIELD = draw_field(4, "seed")


class Broken:
    """A format whose plans are changed by ``change(draw, plan)``."""

    def __init__(self, format, change):
        self.format, self.change = format, change

    def plan(self, draw):
        return self.change(draw, self.format.plan(draw))


def violations(format, change, field=FIELD):
    return play_event(Broken(format, change), SEVEN, field, "seed").violations


def with_pairing(plan, key, **changes):
    return replace(
        plan,
        pairings=tuple(replace(pairing, **changes) if pairing.key == key else pairing for pairing in plan.pairings),
    )


def pairing_of(plan, key):
    return next(pairing for pairing in plan.pairings if pairing.key == key)


def test_a_format_that_keeps_its_promises_has_no_violations():
    assert violations(KNOCKOUT, lambda _draw, plan: plan) == ()
    assert violations(ROUND_ROBIN, lambda _draw, plan: plan) == ()


def test_an_entrant_who_is_left_out_is_named():
    found = violations(ROUND_ROBIN, lambda _draw, plan: replace(plan, pairings=plan.pairings[1:]))
    assert [text for text in found if "not drawn" in text] == [
        f"{entrant.name} is not drawn"
        for entrant in FIELD
        if entrant.id in ROUND_ROBIN.plan(Draw(FIELD, SEVEN, seed="seed")).pairings[0].entrant_ids
    ]


def test_entrants_of_a_section_without_pairings_may_wait():
    def two_wait(draw, plan):
        first = pairing_of(plan, "R1-1")
        waiting = tuple(entrant.id for entrant in FIELD if entrant.id not in first.entrant_ids)
        section = Section("W", Reason("waits", "Waits"), waiting, None)
        return replace(plan, pairings=(first,), sections=(section,), finished=bool(draw.outcomes))

    assert violations(ROUND_ROBIN, two_wait) == ()


def test_one_of_an_odd_field_without_byes_may_wait_but_not_for_ever():
    three = FIELD[:3]

    def without_byes(_draw, plan):
        return replace(plan, pairings=tuple(pairing for pairing in plan.pairings if not pairing.is_bye))

    def round_one_alone(draw, plan):
        first = pairing_of(plan, "R1-1")
        return replace(plan, pairings=(first,), finished=bool(draw.outcomes))

    out = next(entrant for entrant in three if entrant.id not in first_pairing(three).entrant_ids)
    assert violations(ROUND_ROBIN, without_byes, three) == ()
    assert violations(ROUND_ROBIN, round_one_alone, three) == (f"{out.name} was never drawn",)


def first_pairing(field):
    return ROUND_ROBIN.plan(Draw(field, SEVEN, seed="seed")).pairings[0]


def test_a_field_from_which_nobody_is_drawn_is_refused():
    with pytest.raises(PlanError) as refused:
        violations(ROUND_ROBIN, lambda _draw, plan: replace(plan, pairings=()))
    assert refused.value.code == "nobody_drawn"


def test_an_entrant_who_sits_twice_in_a_round_is_named():
    def twice(_draw, plan):
        first = pairing_of(plan, "R1-1")
        return with_pairing(plan, "R1-2", a=first.a)

    assert [text for text in violations(ROUND_ROBIN, twice) if text.startswith("R1-2")] != []


def test_two_sides_that_share_a_player_are_named():
    plan = ROUND_ROBIN.plan(Draw(FIELD, SEVEN, seed="seed"))
    first = pairing_of(plan, "R1-1")
    assert f"R1-1: {first.a.name} and {first.a.name} share a player" in check_first(
        Draw(FIELD, SEVEN, seed="seed"), with_pairing(plan, "R1-1", b=first.a)
    )
    related = replace(first.b, persons=first.a.persons)
    assert check_plan(Draw(FIELD, SEVEN, seed="seed"), with_pairing(plan, "R1-1", b=related)) == [
        f"R1-1: {first.a.name} and {first.b.name} share a player"
    ]


def test_two_who_share_a_person_may_meet_only_through_a_bracket():
    related = tuple(replace(entrant, persons=frozenset({7})) for entrant in FIELD)
    first_round = KNOCKOUT.plan(Draw(FIELD, SEVEN, seed="seed")).pairings[:2]
    outcomes = {pairing.key: Outcome(pairing.a.id, pairing.b.id) for pairing in first_round}
    plan = KNOCKOUT.plan(Draw(FIELD, SEVEN, outcomes, "seed"))
    a, b = (replace(pairing.a, persons=frozenset({7})) for pairing in first_round)
    draw = Draw(related, SEVEN, outcomes, "seed")
    assert check_plan(draw, with_pairing(plan, "M2-1", a=a, b=b)) == []
    assert check_plan(draw, with_pairing(plan, "M2-1", a=a, b=a)) != []
    drawn = with_pairing(plan, "M1-1", a=a, b=replace(first_round[0].b, persons=a.persons))
    assert check_plan(draw, drawn) == [f"M1-1: {a.name} and {first_round[0].b.name} share a player"]


def test_an_event_that_is_over_before_it_began_is_found():
    found = violations(ROUND_ROBIN, lambda _draw, plan: replace(plan, finished=True))
    assert found == ("finished before it began",)


def test_an_event_that_does_not_go_on_is_stuck():
    def only_round_one(_draw, plan):
        rounds = [pairing for pairing in plan.pairings if pairing.round == 1]
        return replace(plan, pairings=tuple(rounds), finished=False)

    assert violations(ROUND_ROBIN, only_round_one) == ("stuck",)


def test_an_event_that_ends_with_a_match_open_is_found():
    def early(draw, plan):
        return replace(plan, finished=len(draw.outcomes) == 3)

    plan = ROUND_ROBIN.plan(Draw(FIELD, SEVEN, seed="seed"))
    draw = Draw(FIELD, SEVEN, seed="seed")
    assert check_end(ROUND_ROBIN, draw, plan) == ["stuck"]
    assert "R3-2 is undecided" in check_end(ROUND_ROBIN, draw, replace(plan, finished=True))
    assert violations(ROUND_ROBIN, early) == ("stuck",)


def test_an_event_that_goes_on_for_ever_is_stopped():
    class Endless:
        def plan(self, draw):
            rounds = len(draw.outcomes) + 1
            found = ROUND_ROBIN.plan(replace(draw, outcomes={}, published=()))
            (pairing,) = found.pairings
            return replace(
                found,
                pairings=tuple(replace(pairing, key=f"R{round}-1", round=round) for round in range(1, rounds + 1)),
            )

    assert play_event(Endless(), SEVEN, FIELD[:2], "seed").violations == ("endless",)


def test_a_stale_outcome_is_found():
    def stale(draw, plan):
        return replace(plan, stale=("R1-1",) if draw.outcomes else ())

    assert violations(ROUND_ROBIN, stale)[0] == "R1-1 is stale"


def test_two_pairings_with_one_key_are_found():
    def doubled(_draw, plan):
        return replace(plan, pairings=(*plan.pairings, pairing_of(plan, "R3-1")))

    assert "two pairings have one key" in violations(ROUND_ROBIN, doubled)


def test_a_published_pairing_that_changes_is_found():
    def changing(draw, plan):
        other = pairing_of(plan, "R1-2")
        return with_pairing(plan, "R1-1", a=other.a, b=other.b) if draw.outcomes else plan

    assert "R1-1 was published differently" in violations(ROUND_ROBIN, changing)


def test_a_published_pairing_that_is_gone_is_found():
    def gone(draw, plan):
        return replace(plan, pairings=plan.pairings[:-1]) if draw.outcomes else plan

    assert "R3-2 was published differently" in violations(ROUND_ROBIN, gone)


def test_a_feed_that_is_not_kept_is_found():
    def loser_goes_on(draw, plan):
        final = pairing_of(plan, "M2-1")
        outcome = draw.outcomes.get("M1-1")
        if outcome is None:
            return plan
        loser = next(entrant for entrant in FIELD if entrant.id == outcome.loser)
        return with_pairing(plan, final.key, a=loser)

    assert violations(KNOCKOUT, loser_goes_on) == ("M2-1 does not hold the winner:M1-1",)


def test_a_feed_from_nowhere_is_found():
    found = violations(KNOCKOUT, lambda _draw, plan: with_pairing(plan, "M2-1", feed_a="winner:M9-9"))
    assert found == ("M2-1 is fed by M9-9, which does not exist",)


def test_a_format_that_refuses_its_own_event_is_found():
    def refuse(draw, plan):
        if draw.outcomes:
            raise PlanError("no", "No more.")
        return plan

    assert violations(ROUND_ROBIN, refuse) == ("refused: No more.",)


def test_the_first_refusal_is_raised():
    with pytest.raises(PlanError):
        play_event(KNOCKOUT, SEVEN, FIELD[:1], "seed")


def test_a_player_called_to_a_second_match_is_found():
    def eager(draw, plan):
        """Give a player who has finished a match another one, against somebody who is still playing."""
        if len(draw.outcomes) != 1:
            return plan
        winner = next(iter(draw.outcomes.values())).winner
        others = [pairing for pairing in plan.pairings if pairing.round == 1 and winner not in pairing.entrant_ids]
        free = next(entrant for entrant in FIELD if entrant.id == winner)
        return with_pairing(plan, "M2-1", a=free, b=others[0].a, feed_a="", feed_b="")

    busy = violations(KNOCKOUT, eager)
    assert [text.partition(" ")[2].rpartition(" ")[2] for text in busy] == ["once", "busy"]


def test_a_format_that_looks_at_the_order_of_the_entrants_is_found():
    def by_order(draw, plan):
        return replace(plan, free_wins={draw.entrants[0].id: 1})

    assert violations(ROUND_ROBIN, by_order) == ("a second plan is different from the first",)


@pytest.mark.parametrize(
    ("places", "wrong"),
    [
        ([(1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 3, 4)], []),
        ([(1, 1, 4), (2, 1, 4), (3, 1, 4), (4, 1, 4)], []),
        ([(1, 1, 1), (2, 2, 2), (3, 3, 3)], ["the placings are not those of the entrants"]),
        ([(1, 1, 1), (2, 2, 2), (3, 3, 3), (3, 4, 4)], ["the placings are not those of the entrants"]),
        ([(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 3, 3)], ["2 entrants share the places 3 to 3"]),
        ([(1, 1, 1), (2, 3, 3), (3, 4, 4), (4, 4, 4)], ["1 entrants share the places 3 to 3"]),
        ([(1, 2, 2), (2, 3, 3), (3, 4, 4), (4, 5, 5)], ["1 entrants share the places 2 to 2"]),
    ],
)
def test_places_add_up(places, wrong):
    assert check_places([Placing(*line) for line in places], FIELD) == wrong


def of_two(**changes):
    draw = Draw(FIELD[:2], SEVEN, {"M1-1": Outcome(1, 2)})
    plan = replace(KNOCKOUT.plan(draw), **changes)
    return check_end(Broken(KNOCKOUT, lambda _draw, _plan: plan), draw, plan)


def test_a_finished_event_has_a_winner():
    assert of_two() == []
    assert "nobody won" in of_two(placings=(Placing(1, 2, 2), Placing(2, 3, 3)))


def test_two_share_first_place_only_as_winners_of_sections_or_with_lives_left():
    both = (Placing(1, 1, 2), Placing(2, 1, 2))
    sections = [Section(f"G{number}", Reason("g", "G"), (number,), (Placing(number, 1, 1),)) for number in (1, 2)]
    assert of_two(placings=both) == ["2 entrants won"]
    assert of_two(placings=both, sections=(sections[0],)) == ["2 entrants won"]
    assert of_two(placings=both, sections=tuple(sections)) == []
    assert of_two(placings=both, lives={1: 2, 2: 0}) == ["2 entrants won"]
    assert of_two(placings=both, lives={1: 2, 2: 1}) == []


def test_a_sound_plan_in_the_middle_of_an_event_has_no_violations():
    pairing = KNOCKOUT.plan(Draw(FIELD, SEVEN, seed="seed")).pairings[0]
    assert isinstance(pairing.a, Entrant)
    draw = Draw(FIELD, SEVEN, {pairing.key: Outcome(pairing.a.id, pairing.b.id)}, "seed")
    assert check_plan(draw, KNOCKOUT.plan(draw)) == []


def test_a_player_with_two_open_matches_is_found_unless_all_matches_are_scheduled():
    plan = ROUND_ROBIN.plan(Draw(FIELD, SEVEN, seed="seed"))
    assert check_plan(Draw(FIELD, SEVEN), plan) == []
    both = [f"{entrant.name} has 3 open matches at once" for entrant in FIELD]
    assert check_plan(Draw(FIELD, SEVEN), replace(plan, scheduled=False)) == both


def swiss_round(byes, third, *, options=None, first=((1, 2), (4, 5)), second=((1, 4), (3, 5))):
    """A Swiss of five whose rounds 1 and 2 left the first of ``byes`` free, and whose round 3 is ``third``."""
    field = draw_field(5, "five")
    entrants = {number: field[number - 1] for number in range(1, 6)}
    options = options or parse_options("swiss", {"lengths": [7]})
    rounds = zip((first, second, third), byes, strict=True)
    pairings, outcomes = [], {}
    for round, (pairs, free) in enumerate(rounds, start=1):
        for number, (a, b) in enumerate((*pairs, (free, None)), start=1):
            key = f"S{round}-{number}"
            seat = Bye() if b is None else entrants[b]
            pairings.append(Pairing(key, "S", round, number, entrants[a], seat, 7, "", "", Reason("why", "Why")))
            if b and round < 3:
                outcomes[key] = Outcome(entrants[a].id, entrants[b].id)
    return Draw(field, options, outcomes), Plan(tuple(pairings), None, finished=False)


def test_another_bye_before_all_have_had_one_is_found():
    """3 and 2 were free; 3 is free again although 1, 4 or 5 could be without a rematch."""
    assert check_plan(*swiss_round((3, 2, 3), ((1, 5), (2, 4)))) == ["round 3: another bye that spares no rematch"]
    assert check_plan(*swiss_round((3, 2, 1), ((2, 4), (3, 5)))) == []


def test_another_bye_may_spare_a_rematch_unless_the_option_says_otherwise():
    """3 is free again: 1 and 2, 4 and 5 have met nobody else but 3 and each other."""
    first, second = ((1, 2), (4, 5)), ((1, 4), (2, 5))
    spared = {"byes": (3, 3, 3), "third": ((1, 5), (2, 4)), "first": first, "second": second}
    draw, plan = swiss_round(**spared)
    again = tuple(Outcome(draw.entrants[a].id, draw.entrants[2].id) for a in (0, 1, 3, 4))
    draw = replace(draw, earlier=again)
    assert check_plan(draw, plan) == []
    fair = parse_options("swiss", {"lengths": [7], "byes": "fair"})
    assert check_plan(replace(draw, options=fair), plan) == ["round 3: another bye before everyone has had as many"]
