"""The doubling cube: who may turn it, and to which value."""

from dataclasses import dataclass
from enum import StrEnum

from rules.errors import gettext_noop
from rules.profiles import RuleProfile
from rules.score import MatchScore, Side


class CubeFault(StrEnum):
    """The rule that a cube action breaks."""

    CRAWFORD_CUBE = "crawford_cube"
    CUBE_DEAD = "cube_dead"
    CUBE_OWNER = "cube_owner"
    CUBE_VALUE = "cube_value"
    CUBE_ABOVE_CAP = "cube_above_cap"
    BEAVER_IN_MATCH = "beaver_in_match"
    BEAVER_NOT_AGREED = "beaver_not_agreed"
    NO_CUBE = "no_cube"


TEMPLATES: dict[CubeFault, str] = {
    CubeFault.CRAWFORD_CUBE: gettext_noop("This is the Crawford game, in which nobody may double."),
    CubeFault.CUBE_DEAD: gettext_noop("The cube is not used in a match to one point."),
    CubeFault.CUBE_OWNER: gettext_noop("The opponent owns the cube, so only they may double."),
    CubeFault.CUBE_VALUE: gettext_noop("A double takes the cube from %(cube)s to %(right)s, not to %(value)s."),
    CubeFault.CUBE_ABOVE_CAP: gettext_noop("The cube is at %(cube)s, the highest value that these rules allow."),
    CubeFault.BEAVER_IN_MATCH: gettext_noop("Beavers are allowed only in money play, never in a match."),
    CubeFault.BEAVER_NOT_AGREED: gettext_noop("The sides did not agree to allow beavers in this game."),
    CubeFault.NO_CUBE: gettext_noop("This game is played without the doubling cube."),
}

RULES: dict[CubeFault, str] = {
    CubeFault.CRAWFORD_CUBE: "I7",
    CubeFault.CUBE_DEAD: "I7",
    CubeFault.CUBE_OWNER: "I6",
    CubeFault.CUBE_VALUE: "I2",
    CubeFault.CUBE_ABOVE_CAP: "I2",
    CubeFault.BEAVER_IN_MATCH: "I11",
    CubeFault.BEAVER_NOT_AGREED: "I11",
    CubeFault.NO_CUBE: "row 62",
}


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube's value and its owner; without an owner it is centred, and either side may double."""

    value: int = 1
    owner: Side | None = None

    def taken(self, by: Side) -> "Cube":
        """Return the cube after `by` has taken a double: twice the value, owned by `by`.

        Source: S2 (dbf), "Dobleterningen".
        """
        return Cube(self.value * 2, by)


CENTRED = Cube()


def double_fault(cube: Cube, side: Side, value: int, score: MatchScore, profile: RuleProfile) -> CubeFault | None:
    """Return the rule that `side` breaks by doubling to `value` in a game begun at `score`; None if it breaks none.

    Does not check whose turn it is. Source: S2 (dbf), "Dobleterningen" and "Crawfordreglen"; the cap is from S0 and S4.
    Invariants I2, I6, I7.
    """
    if score.is_crawford:
        return CubeFault.CRAWFORD_CUBE
    if score.length == 1:
        return CubeFault.CUBE_DEAD
    if cube.owner is side.other:
        return CubeFault.CUBE_OWNER
    if profile.cube_cap is not None and cube.value >= profile.cube_cap:
        return CubeFault.CUBE_ABOVE_CAP
    if value != cube.value * 2:
        return CubeFault.CUBE_VALUE
    return None
