"""Stages in a chain: the qualifiers, the matches carried over, and a correction in an earlier stage."""

import pytest

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, open_matches, play_out, win
from tournament.audit import audit_event
from tournament.draw.chain import load_chain
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.reconcile import reconcile
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.events.stages import add_stage, remove_stage
from tournament.formats.editions import EDITION, FIRST
from tournament.models import Carry, Entry, Event, Stage
from tournament.results.enter import void_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db
FINAL = {"format": "single-elimination", "options": {"lengths": [7], "seeding": "seeded"}}


def build_chain(director, *, players: int = 5, qualifiers: int = 2, **stage: object) -> Event:
    """A round robin, then a knockout of the best."""
    event = build_event(director, players=players, format="round-robin")
    add_stage(event, **(FINAL | stage), qualifiers=qualifiers, by=director, at=AT)
    return event


def names(event: Event, key: str) -> set[str]:
    fixture = event.stages.last().fixtures.get(key=key)
    return {str(entry) for entry in (fixture.entry_a, fixture.entry_b) if entry is not None}


def test_the_best_go_on_seeded_by_their_places(director):
    event = build_chain(director, players=5, qualifiers=4)
    play_out(event)
    lines = load_chain(event).at(event.stages.first()).standings[""]
    best = [str(Entry.objects.get(pk=line.entrant)) for line in lines[:4]]
    make_draw(event, by=director, at=AT)
    assert names(event, "M1-1") == {best[0], best[3]}
    assert names(event, "M1-2") == {best[1], best[2]}
    play_out(event)
    store_standings(event.pk)
    assert audit_event(event) == []
    assert finish_event(event, by=director, at=AT).finished_at == AT


def test_a_stage_waits_for_the_one_before_it(director):
    event = build_chain(director)
    with pytest.raises(Conflict) as refused:
        make_draw(event, by=director, at=AT)
    assert refused.value.code == "stage_waits"
    play_out(event)
    with pytest.raises(Conflict) as refused:
        finish_event(event, by=director, at=AT)
    assert refused.value.code == "stage_not_drawn"


def test_a_correction_changes_who_goes_on_until_the_later_stage_has_begun(director):
    event = build_event(director, players=3, format="round-robin")
    add_stage(event, **FINAL, qualifiers=2, by=director, at=AT)
    seats = {}
    for match in open_matches(event):
        # Player 1 beats everybody, Player 2 beats Player 3.
        winner = Side.A if match.side_a.name < match.side_b.name else Side.B
        seats[frozenset((match.side_a.name, match.side_b.name))] = match, winner
        win(match, winner)
    make_draw(event, by=director, at=AT)
    assert names(event, "M1-1") == {"Player 1", "Player 2"}
    match, winner = seats[frozenset(("Player 2", "Player 3"))]
    win(match, winner.other, base=1)
    assert names(event, "M1-1") == {"Player 1", "Player 3"}
    win(event.stages.last().fixtures.get().match, Side.A)
    with pytest.raises(Conflict) as refused:
        win(match, winner, base=2)
    assert refused.value.code == "later_match_begun"
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_correction_that_only_reseeds_players_in_a_begun_stage_names_what_is_in_its_way(director):
    """The same four go on with other seeds: players who have played there are named, and nothing changes."""
    event = build_chain(director, players=4, qualifiers=4)
    for match in open_matches(event):
        winner = Side.A if match.side_a.name < match.side_b.name else Side.B
        win(match, winner)
        if {match.side_a.name, match.side_b.name} == {"Player 3", "Player 4"}:
            corrected, upset = match, winner.other
    make_draw(event, by=director, at=AT)
    later = event.stages.last().fixtures.get(key="M1-1").match
    win(later, Side.A)
    with pytest.raises(Conflict) as refused:
        win(corrected, upset, base=1)
    assert (refused.value.code, "M1-1: " in refused.value.message) == ("later_match_begun", True)
    assert names(event, "M1-1") == {"Player 1", "Player 4"}
    void_result(later, base=1, reason="", by=director, at=AT)
    win(corrected, upset, base=1)
    assert names(event, "M1-1") == {"Player 1", "Player 3"}


def test_stages_with_the_same_keys_are_audited_separately(director):
    event = build_chain(director, players=4, qualifiers=4, format="round-robin")
    play_out(event, seed=1)
    make_draw(event, by=director, at=AT)
    play_out(event, seed=2)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_matches_between_qualifiers_may_count_again(director):
    event = build_chain(director, players=4, qualifiers=3, format="round-robin", carry=Carry.MET)
    play_out(event)
    make_draw(event, by=director, at=AT)
    chain = load_chain(event)
    first, last = chain.stages
    through = {entrant.id for entrant in chain.at(last).entrants}
    met = [result for result in chain.at(first).results if {result.a, result.b} <= through]
    assert (len(through), chain.at(last).earlier) == (3, tuple(met))
    assert sum(line.played for line in chain.at(last).standings[""]) == 2 * len(met) == 6


def test_all_matches_may_count_again_even_those_against_players_who_are_out(director):
    event = build_chain(director, players=5, qualifiers=3, format="round-robin", carry=Carry.ALL)
    play_out(event)
    make_draw(event, by=director, at=AT)
    last = load_chain(event).at(event.stages.last())
    assert {line.entrant for line in last.standings[""]} == {entrant.id for entrant in last.entrants}
    assert [line.played for line in last.standings[""]] == [4, 4, 4]
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize("format", ["pools", "gsl"])
def test_the_best_of_each_group_go_on(director, format):
    event = build_event(director, players=8, format=format)
    add_stage(event, **FINAL, qualifiers=2, by=director, at=AT)
    play_out(event)
    chain = load_chain(event)
    groups = chain.at(chain.stages[0]).standings
    best = {group: [chain.entries[line.entrant].name for line in groups[group]][:2] for group in ("GA", "GB")}
    make_draw(event, by=director, at=AT)
    assert names(event, "M1-1") | names(event, "M1-2") == {*best["GA"], *best["GB"]}
    store_standings(event.pk)
    assert audit_event(event) == []
    stored = chain.stages[0].standings.values_list("section", "why")
    assert sorted(section for section, _why in stored) == [""] * 8 + ["GA"] * 4 + ["GB"] * 4
    assert all(why["template"] % why["params"] for _section, why in stored)


def test_the_last_stage_is_undrawn_and_removed(director):
    event = build_chain(director)
    with pytest.raises(Conflict) as refused:
        remove_stage(event, number=1, by=director, at=AT)
    assert refused.value.code == "stage_not_last"
    play_out(event)
    make_draw(event, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        remove_stage(event, number=2, by=director, at=AT)
    assert refused.value.code == "event_drawn"
    assert cancel_draw(event, by=director, at=AT).number == 2
    remove_stage(event, number=2, by=director, at=AT)
    assert event.stages.count() == 1


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"qualifiers": -1}, "qualifiers_out_of_range"),
        ({"qualifiers": 513}, "qualifiers_out_of_range"),
        ({"carry": "some"}, "carry_unknown"),
        ({"format": "chess"}, "format_unknown"),
        ({"options": {"lengths": []}}, "lengths_not_a_list"),
    ],
)
def test_an_impossible_stage_stores_nothing(director, terms, code):
    event = build_event(director, players=4, format="round-robin")
    with pytest.raises(Refusal) as refused:
        add_stage(event, **({**FINAL, "qualifiers": 2} | terms), by=director, at=AT)
    assert (refused.value.code, event.stages.count()) == (code, 1)


@pytest.mark.parametrize("players", [4, 12])
def test_a_snapshot_of_two_stages_takes_the_same_queries_in_every_field(director, players, django_assert_num_queries):
    event = build_chain(director, players=players)
    with django_assert_num_queries(10):
        snapshot = take_snapshot(event.pk)
    assert [stage.number for stage in snapshot.stages] == [1, 2]


def test_pairs_are_entered_by_two_names_and_are_not_rated(director):
    event = build_event(director, players=0, drawn=False, doubles=True)
    lines = [EntryLine(name=name, line=1) for name in ("Ann & Bo", "Cy/Di", "Eva + Finn")]
    entries = add_entries(event, lines=lines, by=director, at=AT)
    assert [str(entry) for entry in entries] == ["Ann & Bo", "Cy & Di", "Eva & Finn"]
    make_draw(event, by=director, at=AT)
    match = open_matches(event)[0]
    assert {match.partner_a is None, match.partner_b is None} == {False}
    for name, code in (("Gus", "pair_incomplete"), ("Gus & Gus", "pair_of_one"), ("Gus & Ann", "entry_twice")):
        cancel_draw(event, by=director, at=AT)
        with pytest.raises(Refusal) as refused:
            add_entries(event, lines=[EntryLine(name=name, line=1)], by=director, at=AT)
        assert refused.value.code == code
    make_draw(event, by=director, at=AT)
    play_out(event)
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize(("carry", "carried"), [(Carry.ALL, 1), (Carry.MET, 0), (Carry.NONE, 0)])
def test_byes_that_counted_as_wins_are_carried_with_all_matches(director, carry, carried):
    swiss = {"format": "swiss", "options": {"lengths": [5], "rounds": 1}}
    event = build_event(director, players=3, format="swiss", options={"rounds": 1})
    add_stage(event, **swiss, qualifiers=3, carry=carry, by=director, at=AT)
    play_out(event)
    make_draw(event, by=director, at=AT)
    free = event.stages.first().fixtures.get(feed_b="bye").entry_a_id
    chain = load_chain(event)
    later = chain.at(chain.stages[1])
    assert later.draw.earlier_byes == ({free: 1} if carried else {})
    now_free = event.stages.last().fixtures.get(feed_b="bye").entry_a_id
    wins = {line.entrant: line.wins for line in later.standings[""]}
    assert wins[free] == carried + (now_free == free)
    if carried:
        assert now_free != free
    play_out(event)
    store_standings(event.pk)
    assert audit_event(event) == []


def build_groups(director, *, players, **options):
    """Groups of four, and a knockout of the best two of each."""
    event = build_event(director, players=players, format="pools", drawn=False)
    chosen = {"lengths": [7], "seeding": "seeded", **options}
    add_stage(event, format="single-elimination", options=chosen, qualifiers=2, by=director, at=AT)
    return event


def crossing_of(event):
    return [f"{a}-{b}" for a, b in take_snapshot(event.pk).stages[1].crossing]


def test_the_crossing_is_shown_before_the_draw_and_holds_in_it(director):
    event = build_groups(director, players=8)
    assert crossing_of(event) == ["A1-B2", "B1-A2"]
    make_draw(event, by=director, at=AT)
    play_out(event)
    assert crossing_of(event) == ["A1-B2", "B1-A2"]
    first, groups = event.stages.first(), load_chain(event).at(event.stages.first()).standings
    best = {letter: [Entry.objects.get(pk=line.entrant).name for line in groups[f"G{letter}"]] for letter in "AB"}
    make_draw(event, by=director, at=AT)
    assert names(event, "M1-1") == {best["A"][0], best["B"][1]}
    assert names(event, "M1-2") == {best["B"][0], best["A"][1]}
    assert crossing_of(event) == []
    assert first.edition == event.stages.last().edition == EDITION
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_stage_drawn_before_keeps_its_seeds(director):
    """By the first edition the winner with more wins had the first seed, whatever the group."""
    event = build_groups(director, players=16)
    make_draw(event, by=director, at=AT)
    play_out(event, seed=3)
    make_draw(event, by=director, at=AT)
    crossed = {key: names(event, key) for key in ("M1-1", "M1-2", "M1-3", "M1-4")}
    stage = event.stages.last()
    Stage.objects.filter(pk=stage.pk).update(edition=FIRST)
    stage.refresh_from_db()
    reconcile(event, stage, at=AT)
    before = {key: names(event, key) for key in crossed}
    assert before != crossed
    win(open_matches(event)[0], Side.A)
    assert {key: names(event, key) for key in crossed} == before


@pytest.mark.parametrize(("players", "options"), [(8, {"seeding": "random"}), (3, {})])
def test_no_crossing_where_lots_decide_or_there_is_one_group(director, players, options):
    assert crossing_of(build_groups(director, players=players, **options)) == []
