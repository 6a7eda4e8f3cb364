"""The states of a match as a table: each follows from what is stored, and nothing else."""

import pytest

from tournament.snapshot.states import STATE_NAMES, MatchFacts, MatchState, state_of

PLAYED = {"conclusion": "played", "has_live_sheet": True}
TABLE = [
    ({"is_bye": True, "has_match": False}, MatchState.BYE),
    ({"has_match": False}, MatchState.WAITING),
    ({}, MatchState.READY),
    ({"called": True}, MatchState.CALLED),
    ({"called": True, "started": True}, MatchState.PLAYING),
    ({"has_live_sheet": True}, MatchState.PLAYING),
    ({"has_reports": True}, MatchState.PLAYING),
    ({"has_reports": True, "reported_over": True, "called": True, "started": True}, MatchState.REPORTED),
    ({"has_reports": True, "reported_over": True, "disputed": True}, MatchState.DISPUTED),
    ({"has_reports": True, "has_live_sheet": True, "disputed": True}, MatchState.DISPUTED),
    (PLAYED, MatchState.CONFIRMED),
    ({**PLAYED, "corrected": True}, MatchState.CORRECTED),
    ({**PLAYED, "next_begun": True}, MatchState.LOCKED),
    ({**PLAYED, "corrected": True, "next_begun": True}, MatchState.LOCKED),
    ({**PLAYED, "next_begun": True, "event_ended": True}, MatchState.SETTLED),
    ({"conclusion": "forfeit", "corrected": True, "event_ended": True}, MatchState.FORFEIT),
    ({"conclusion": "walkover", "next_begun": True}, MatchState.WALKOVER),
    ({"is_in_draw": False, "conclusion": "played"}, MatchState.VOID),
]


@pytest.mark.parametrize(("facts", "state"), TABLE)
def test_state_follows_from_the_facts(facts, state):
    assert state_of(MatchFacts(**facts)) is state


def test_every_state_is_in_the_table_and_has_a_name():
    assert {state for _facts, state in TABLE} == set(MatchState) == set(STATE_NAMES)
