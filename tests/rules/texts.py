"""The five rule texts, and games played under them."""

import pytest

from rules.actions import IllegalAction, Played, Rolled
from rules.game import GameState
from rules.notation import parse_play
from rules.profiles import DBF, DE_LEAFLET, DK_LEAFLET, NBGF_INFO, SE_WEB, Variants
from rules.score import Level, MatchScore, Side

A, B = Side.A, Side.B
SINGLE, GAMMON, BACKGAMMON = Level.SINGLE, Level.GAMMON, Level.BACKGAMMON
S0, S1, S2, S3, S4 = DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, DE_LEAFLET
OPENED = (Rolled(A, (3, 1)), Played(A, parse_play("8/5 6/5")))
"""Side A has opened; side B is on roll."""


def of(*texts):
    return pytest.mark.parametrize("profile", texts, ids=lambda profile: profile.slug)


def game(profile, *events, length=0, variants=None):
    state = GameState.begin(MatchScore(length), profile, variants or Variants())
    for event in events:
        state = state.apply(event)
    return state


def fault(state, event):
    with pytest.raises(IllegalAction) as refusal:
        state.apply(event)
    return refusal.value.code
