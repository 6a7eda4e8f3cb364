"""Rule profiles: what one rule text says, parameter by parameter, and what is filled in where it says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.errors import gettext_noop


class Notation(StrEnum):
    """How points are named: 24..1 from the mover's side, or S1..S12 and W1..W12 for the two rows of the board."""

    POINTS_24 = "24"
    DK_SW = "dk_sw"


class Opening(StrEnum):
    """Who starts, and with what. With two dice each, the first roll may be a double."""

    ONE_DIE_EACH = "one_die_each"
    TWO_DICE_HIGHEST_TOTAL = "two_dice_each_highest_total"


class OpeningTie(StrEnum):
    REROLL = "reroll"


class Overshoot(StrEnum):
    """What a die larger than needed bears off: only from the highest point (a must), or from anywhere."""

    HIGHEST_MANDATORY = "highest_mandatory"
    FREE = "free"


class BackgammonZone(StrEnum):
    """Where a checker of a loser who has borne off none makes a backgammon."""

    WINNER_HOME_AND_BAR = "winner_home+bar"
    WINNER_HALF_AND_BAR = "winner_half+bar"
    NONE = "none"


class DoubleTiming(StrEnum):
    BEFORE_OWN_ROLL = "before_own_roll"
    ANY_TIME = "any_time"


class DropPoints(StrEnum):
    """What a refused double pays."""

    CUBE_BEFORE = "cube_before"


class Resignation(StrEnum):
    """What a resignation outside a double pays: the level offered and accepted, or always a backgammon."""

    OFFERED_LEVEL = "offered_level"
    ALWAYS_BACKGAMMON = "always_backgammon"


class IllegalMove(StrEnum):
    """What follows an illegal play at the board; UNSTATED where the text is silent and nothing is assumed."""

    UNSTATED = "unstated"
    ACCEPT_OR_REDO_ALL = "accept_or_redo_all"
    LEGAL_MOVES = "legal_moves"
    RESPONSIBLE_MOVES = "responsible_moves"


@dataclass(frozen=True, slots=True)
class RuleProfile:
    """The parameters of one rule text.

    ``defaults`` names the parameters that the text does not state and that are filled in; every other value is in the
    text. A variant that the text does not mention (automatic doubles, Jacquet, the immediate redouble, match play) is
    simply not part of its game and so is not a default.
    ``borne_off_is_single``: a loser who has borne off a checker loses a single game, wherever his other checkers are.
    ``automatic_double`` and ``jacquet``: the text offers the variant; it is still off unless a session chooses it.
    ``crawford`` is what a match under this profile begins with; an event may choose otherwise.
    ``multipliers``: the levels that exist; (1, 2) knows no backgammon. ``cube_cap``: None is no limit.
    """

    slug: str
    name: str
    source: str
    notation: Notation = Notation.POINTS_24
    opening: Opening = Opening.ONE_DIE_EACH
    opening_tie: OpeningTie = OpeningTie.REROLL
    higher_die: bool = True
    bearoff_overshoot: Overshoot = Overshoot.HIGHEST_MANDATORY
    multipliers: tuple[int, ...] = (1, 2, 3)
    backgammon_zone: BackgammonZone = BackgammonZone.WINNER_HOME_AND_BAR
    borne_off_is_single: bool = True
    double_timing: DoubleTiming = DoubleTiming.BEFORE_OWN_ROLL
    immediate_redouble: bool = False
    cube_cap: int | None = None
    drop_points: DropPoints = DropPoints.CUBE_BEFORE
    resignation: Resignation = Resignation.OFFERED_LEVEL
    automatic_double: bool = False
    jacquet: bool = False
    match_play: bool = True
    crawford: bool = True
    illegal_move: IllegalMove = IllegalMove.UNSTATED
    defaults: frozenset[str] = frozenset()

    def states(self, parameter: str) -> bool:
        """True if the text itself gives the parameter. Raises AttributeError for a name that is no parameter."""
        getattr(self, parameter)
        return parameter not in self.defaults

    @property
    def first_roll_may_be_double(self) -> bool:
        return self.opening is Opening.TWO_DICE_HIGHEST_TOTAL


WBGF = RuleProfile(
    slug="wbgf",
    name=gettext_noop("WBGF tournament rules"),
    source="WBGF Tournament Rules, Ed. 2.1 (2023)",
    illegal_move=IllegalMove.LEGAL_MOVES,
    defaults=frozenset(
        {
            "notation",
            "opening",
            "opening_tie",
            "higher_die",
            "bearoff_overshoot",
            "multipliers",
            "backgammon_zone",
            "borne_off_is_single",
            "double_timing",
            "cube_cap",
            "drop_points",
            "resignation",
        }
    ),
)

DK_LEAFLET = RuleProfile(
    slug="dk-leaflet",
    name=gettext_noop("Danish set leaflet"),
    source="S0, leaflet of an old Danish set",
    notation=Notation.DK_SW,
    immediate_redouble=True,
    cube_cap=64,
    resignation=Resignation.ALWAYS_BACKGAMMON,
    automatic_double=True,
    jacquet=True,
    match_play=False,
    crawford=False,
    defaults=frozenset({"borne_off_is_single"}),
)

SE_WEB = RuleProfile(
    slug="se-web",
    name=gettext_noop("Swedish web rules"),
    source='S1, "Backgammonregler"',
    opening=Opening.TWO_DICE_HIGHEST_TOTAL,
    backgammon_zone=BackgammonZone.WINNER_HALF_AND_BAR,
    cube_cap=64,
    match_play=False,
    crawford=False,
    defaults=frozenset(
        {
            "notation",
            "opening_tie",
            "higher_die",
            "bearoff_overshoot",
            "borne_off_is_single",
            "double_timing",
            "drop_points",
            "resignation",
        }
    ),
)

DBF = RuleProfile(
    slug="dbf",
    name=gettext_noop("Danish federation rules"),
    source="S2, rules of Dansk Backgammon Forbund",
    cube_cap=64,
    illegal_move=IllegalMove.ACCEPT_OR_REDO_ALL,
    defaults=frozenset({"opening", "opening_tie", "resignation"}),
)

NBGF_INFO = RuleProfile(
    slug="nbgf-info",
    name=gettext_noop("Norwegian federation's introduction"),
    source='S3, nbgf.no "historie og regler" (not official)',
    defaults=frozenset({"resignation"}),
)

DE_LEAFLET = RuleProfile(
    slug="de-leaflet",
    name=gettext_noop("German publisher's leaflet"),
    source='S4, "Spielregel Backgammon"',
    bearoff_overshoot=Overshoot.FREE,
    multipliers=(1, 2),
    backgammon_zone=BackgammonZone.NONE,
    double_timing=DoubleTiming.ANY_TIME,
    cube_cap=64,
    match_play=False,
    crawford=False,
    defaults=frozenset({"notation", "opening", "opening_tie", "higher_die", "drop_points", "resignation"}),
)

PROFILES: dict[str, RuleProfile] = {
    profile.slug: profile for profile in (WBGF, DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, DE_LEAFLET)
}

DEFAULT_PROFILE = WBGF
