import pytest

from rules.cube import CENTRED, Cube, CubeFault, double_fault
from rules.profiles import DE_LEAFLET, WBGF
from rules.score import MatchScore, Side

OPEN = MatchScore(7)


@pytest.mark.parametrize(
    ("cube", "value", "score", "profile", "fault"),
    [
        (CENTRED, 2, OPEN, WBGF, None),
        (CENTRED, 4, OPEN, WBGF, CubeFault.CUBE_VALUE),
        (CENTRED, 1, OPEN, WBGF, CubeFault.CUBE_VALUE),
        (Cube(2, Side.A), 4, OPEN, WBGF, None),
        (Cube(2, Side.A), 2, OPEN, WBGF, CubeFault.CUBE_VALUE),
        (Cube(2, Side.B), 4, OPEN, WBGF, CubeFault.CUBE_OWNER),
        (CENTRED, 2, MatchScore(7, 6, 3), WBGF, CubeFault.CRAWFORD_CUBE),
        (CENTRED, 2, MatchScore(7, 3, 6), WBGF, CubeFault.CRAWFORD_CUBE),
        (CENTRED, 2, MatchScore(7, 6, 3, crawford_done=True), WBGF, None),
        (CENTRED, 2, MatchScore(7, 6, 3, crawford=False), WBGF, None),
        (CENTRED, 2, MatchScore(1), WBGF, CubeFault.CUBE_DEAD),
        (CENTRED, 2, MatchScore(0), WBGF, None),
        (Cube(64, Side.A), 128, OPEN, WBGF, None),
        (Cube(32, Side.A), 64, OPEN, DE_LEAFLET, None),
        (Cube(64, Side.A), 128, OPEN, DE_LEAFLET, CubeFault.CUBE_ABOVE_CAP),
    ],
)
def test_double_fault_names_the_broken_rule(cube, value, score, profile, fault):
    assert double_fault(cube, Side.A, value, score, profile) is fault


def test_taken_doubles_the_cube_and_gives_it_to_the_taker():
    assert CENTRED.taken(Side.B) == Cube(2, Side.B)
    assert Cube(2, Side.B).taken(Side.A) == Cube(4, Side.A)
