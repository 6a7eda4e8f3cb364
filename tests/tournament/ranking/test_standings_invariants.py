"""What holds in all standings, whatever the results."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out
from tests.tournament.ranking.test_standings import ALL_TIEBREAKS
from tests.tournament.ranking.test_tiebreaks import fields, match
from tournament.formats import FORMATS
from tournament.formats.plan import Draw, Entrant
from tournament.ranking.standings import compute_standings, free_rounds
from tournament.ranking.tiebreaks import TIEBREAKS


@given(fields(), st.permutations(ALL_TIEBREAKS), st.integers(0, 5), st.data())
def test_everyone_has_one_line_and_the_places_add_up(case, slugs, count, data):
    everyone, field = case
    slugs = slugs[:count]
    entrants = tuple(Entrant(id, f"Player {id}", rating=field.ratings.get(id)) for id in everyone)
    extra = {"free_wins": field.free_wins, "play_offs": field.play_offs}
    lines = compute_standings(entrants, field.results, slugs, None, **extra)
    assert sorted(line.entrant for line in lines) == list(everyone)
    assert [line.wins for line in lines] == sorted((line.wins for line in lines), reverse=True)
    assert sum(line.wins - line.byes for line in lines) == sum(line.losses for line in lines) == len(field.results)
    assert {line.entrant: line.byes for line in lines if line.byes} == dict.fromkeys(field.free_wins, 1)
    for index, line in enumerate(lines, start=1):
        assert line.place <= index <= line.place_to
        assert sum(other.place == line.place for other in lines) == line.place_to - line.place + 1
        assert [slug for slug, _ in line.tiebreaks] == slugs
        assert line.why.text
        assert line.why.code.startswith("tied_with") == (line.place != line.place_to)
    mixed = data.draw(st.permutations(field.results))
    extra["play_offs"] = field.play_offs[::-1]
    assert compute_standings(entrants[::-1], mixed, slugs, None, **extra) == lines


@given(fields(), st.permutations(ALL_TIEBREAKS), st.integers(1, 5))
def test_a_decided_line_has_a_worse_value_than_the_one_above(case, slugs, count):
    everyone, field = case
    entrants = tuple(Entrant(id, f"Player {id}", rating=field.ratings.get(id)) for id in everyone)
    extra = {"free_wins": field.free_wins, "play_offs": field.play_offs}
    lines = compute_standings(entrants, field.results, slugs[:count], None, **extra)
    for above, line in pairwise(lines):
        if line.decided_by is None:
            assert line.wins != above.wins or line.place == above.place
            continue
        assert line.wins == above.wins
        if not TIEBREAKS[line.decided_by].within_group:
            better, worse = (dict(found.tiebreaks)[line.decided_by] for found in (above, line))
            assert better > worse if TIEBREAKS[line.decided_by].higher_is_better else better < worse
        if line.place == line.place_to:
            assert line.why.code == f"by_{line.decided_by}"


@given(st.integers(2, 24), st.sampled_from(sorted(FORMATS)), st.text(max_size=4))
def test_standings_of_a_whole_event_agree_with_its_plan(size, slug, seed):
    format = FORMATS[slug]
    draw = play_out(format, Draw(field(max(size, format.min_entrants)), options_of(format), {}, seed))
    plan = format.plan(draw)
    results = [match(outcome.winner, outcome.loser) for outcome in draw.outcomes.values()]
    lines = compute_standings(draw.entrants, results, ALL_TIEBREAKS, plan.placings, free_wins=free_rounds(plan))
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    if plan.placings is not None:
        assert {(line.entrant, line.place, line.place_to) for line in lines} == {
            (placing.entrant, placing.place, placing.place_to) for placing in plan.placings
        }
        assert {line.entrant for line in lines if line.place == 1} == set(plan.winners)
    else:
        assert sum(line.played for line in lines) == 2 * len(draw.outcomes)
