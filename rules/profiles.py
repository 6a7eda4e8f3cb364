"""Rule profiles: what one rule text says, parameter by parameter, and the defaults where it says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from rules.errors import gettext_noop


class Notation(StrEnum):
    """How points are named: 24..1 from the mover's side, or S1..S12 and W1..W12 for the two rows of the board."""

    POINTS_24 = "24"
    DK_SW = "dk_sw"


class Opening(StrEnum):
    """How the opening roll is thrown. With two dice each, the first roll may be a double."""

    ONE_DIE_EACH = "one_die_each"
    TWO_DICE_HIGHEST_TOTAL = "two_dice_each_highest_total"


class Overshoot(StrEnum):
    """Where a die larger than needed bears off from: the highest point only, which is then compulsory, or anywhere."""

    HIGHEST_MANDATORY = "highest_mandatory"
    FREE = "free"


class BackgammonZone(StrEnum):
    """Where a checker of a loser who has borne off none makes the game a backgammon."""

    WINNER_HOME_AND_BAR = "winner_home+bar"
    WINNER_HALF_AND_BAR = "winner_half+bar"
    NONE = "none"


class DoubleTiming(StrEnum):
    BEFORE_OWN_ROLL = "before_own_roll"
    ANY_TIME = "any_time"


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
    """The parameters of one rule text, each stated by the text or a default.

    ``stated`` gives the place of the sentence that states a parameter: the text, the heading, and the words by which
    to find the sentence. Every other parameter is in ``defaults``: where the text is silent, the profile takes what the
    other texts say, and no variant that its own text does not offer.
    ``borne_off_is_single``: a loser who has borne off a checker loses a single game, wherever the other checkers are;
    otherwise only with no checker left in the winner's home board or on the bar.
    ``automatic_double`` and ``jacquet``: the text offers the variant; it is still off unless a session chooses it
    (see :class:`Variants`). ``immediate_redouble``: a player who is doubled may double again instead of taking; unlike
    a beaver, this gives the cube to the player who accepts it. ``match_play``: the text speaks of
    matches. ``crawford`` is the default for a match under this profile; an event may choose otherwise.
    ``multipliers``: the levels that exist; (1, 2) has no backgammon. ``cube_cap``: None is no limit.
    """

    slug: str
    name: str
    source: str
    notation: Notation = Notation.POINTS_24
    opening: Opening = Opening.ONE_DIE_EACH
    higher_die: bool = True
    bearoff_overshoot: Overshoot = Overshoot.HIGHEST_MANDATORY
    multipliers: tuple[int, ...] = (1, 2, 3)
    backgammon_zone: BackgammonZone = BackgammonZone.WINNER_HOME_AND_BAR
    borne_off_is_single: bool = True
    double_timing: DoubleTiming = DoubleTiming.BEFORE_OWN_ROLL
    immediate_redouble: bool = False
    cube_cap: int | None = None
    resignation: Resignation = Resignation.OFFERED_LEVEL
    automatic_double: bool = False
    jacquet: bool = False
    match_play: bool = True
    crawford: bool = True
    illegal_move: IllegalMove = IllegalMove.UNSTATED
    stated: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def parameters(self) -> dict[str, object]:
        """Every parameter by name, in the order of the table."""
        named = (item.name for item in fields(self))
        return {name: getattr(self, name) for name in named if name not in {"slug", "name", "source", "stated"}}

    @property
    def defaults(self) -> frozenset[str]:
        """The parameters that the text does not state."""
        return frozenset(self.parameters) - frozenset(self.stated)

    def states(self, parameter: str) -> bool:
        """Whether the text itself gives the parameter. Raises AttributeError for a name that is not a parameter."""
        getattr(self, parameter)
        return parameter in self.stated

    @property
    def first_roll_may_be_double(self) -> bool:
        return self.opening is Opening.TWO_DICE_HIGHEST_TOTAL


@dataclass(frozen=True, slots=True)
class Variants:
    """What two sides have agreed on beyond the rule text; by default nothing special.

    ``cube``: the doubling cube is used at all. ``jacoby``: gammons and backgammons count only after a double was taken.
    ``beavers``: a double may be answered by a beaver, and that by a raccoon; in money play only.
    ``automatic_doubles``: how many ties at the opening throw may each double the cube; in money play only, and only
    where the text offers it. ``jacquet``: all checkers start off the board, where the text offers it.
    Source: S1 (se-web), "Dubbleringskub"; S0 (dk-leaflet), "En variation af spillet" and "Jacqet"; the others are
    customs of money play.
    """

    cube: bool = True
    jacoby: bool = False
    beavers: bool = True
    automatic_doubles: int = 0
    jacquet: bool = False


USUAL = Variants()


class VariantFault(StrEnum):
    """Why a variant cannot be agreed on."""

    AUTOMATIC_DOUBLES_NEGATIVE = "automatic_doubles_negative"
    AUTOMATIC_DOUBLE_IN_MATCH = "automatic_double_in_match"
    AUTOMATIC_DOUBLE_NOT_OFFERED = "automatic_double_not_offered"
    AUTOMATIC_DOUBLE_WITHOUT_CUBE = "automatic_double_without_cube"
    JACQUET_NOT_OFFERED = "jacquet_not_offered"


VARIANT_TEMPLATES: dict[VariantFault, str] = {
    VariantFault.AUTOMATIC_DOUBLES_NEGATIVE: gettext_noop("The number of automatic doubles cannot be negative."),
    VariantFault.AUTOMATIC_DOUBLE_IN_MATCH: gettext_noop(
        "Automatic doubles are allowed only in money play, never in a match."
    ),
    VariantFault.AUTOMATIC_DOUBLE_NOT_OFFERED: gettext_noop("These rules do not include automatic doubles."),
    VariantFault.AUTOMATIC_DOUBLE_WITHOUT_CUBE: gettext_noop("Without the cube there are no automatic doubles."),
    VariantFault.JACQUET_NOT_OFFERED: gettext_noop("These rules do not include the Jacquet start."),
}


def variant_fault(variants: Variants, profile: RuleProfile, length: int) -> VariantFault | None:
    """Return what is wrong with these variants in a match to ``length`` (0 for money play); None if nothing is.

    Source: S0 (dk-leaflet), "En variation af spillet" and "Jacqet"; invariant I12.
    """
    if variants.automatic_doubles < 0:
        return VariantFault.AUTOMATIC_DOUBLES_NEGATIVE
    if variants.automatic_doubles and length:
        return VariantFault.AUTOMATIC_DOUBLE_IN_MATCH
    if variants.automatic_doubles and not profile.automatic_double:
        return VariantFault.AUTOMATIC_DOUBLE_NOT_OFFERED
    if variants.automatic_doubles and not variants.cube:
        return VariantFault.AUTOMATIC_DOUBLE_WITHOUT_CUBE
    if variants.jacquet and not profile.jacquet:
        return VariantFault.JACQUET_NOT_OFFERED
    return None


WBGF = RuleProfile(
    slug="wbgf",
    name=gettext_noop("WBGF tournament rules"),
    source="WBGF Tournament Rules, Ed. 2.1 (2023)",
    illegal_move=IllegalMove.LEGAL_MOVES,
    stated={
        "match_play": 'WBGF 4.8 "Incorrect match length"',
        "illegal_move": 'WBGF 4.2(iii) "Legal Moves"',
    },
)

DK_LEAFLET = RuleProfile(
    slug="dk-leaflet",
    name=gettext_noop("Leaflet from a Danish backgammon set"),
    source="S0, leaflet of an old Danish set",
    notation=Notation.DK_SW,
    borne_off_is_single=False,
    immediate_redouble=True,
    cube_cap=64,
    resignation=Resignation.ALWAYS_BACKGAMMON,
    automatic_double=True,
    jacquet=True,
    match_play=False,
    crawford=False,
    stated={
        "notation": 'S0 "Regler": "Disse er i brættets ene side"',
        "opening": 'S0 "Regler": "Ved spillets begyndelse"',
        "higher_die": 'S0 "Trækkene": "Hvis man kun trækker"',
        "bearoff_overshoot": 'S0 "Udspilningen": "Kaster man et tal"',
        "multipliers": 'S0 "Udspilningen": "Hvis taberen"',
        "backgammon_zone": 'S0 "Udspilningen": "1 brik i det fjendtlige FAG"',
        "borne_off_is_single": 'S0 "Udspilningen": "ikke har efterladt nogen i det fjendtlige FAG"',
        "double_timing": 'S0 "Doblerterningen": "inden sit kast"',
        "immediate_redouble": 'S0 "Doblerterningen": "Eller han kan redoble"',
        "cube_cap": 'S0 "Doblerterningen": "indtil 64-dobling"',
        "resignation": 'S0 "Doblerterningen": "giver op før tiden"',
        "automatic_double": 'S0 "Doblerterningen": "En variation af spillet"',
        "jacquet": 'S0 "Jacqet": "I denne version"',
    },
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
    stated={
        "opening": 'S1 "Hur spelar man Backgammon?": "varsin gång"',
        "multipliers": 'S1 "Specialregler vid vinst": "dubbla insatsen"',
        "backgammon_zone": 'S1 "Specialregler vid vinst": "vinnarens planhalva"',
        "immediate_redouble": 'S1 "Dubbleringskub": "att välja mellan"',
        "cube_cap": 'S1 "Dubbleringskub": "Dubbleringkuben är en sexsidig tärning"',
    },
)

DBF = RuleProfile(
    slug="dbf",
    name=gettext_noop("Danish federation rules"),
    source="S2, rules of Dansk Backgammon Forbund",
    cube_cap=64,
    illegal_move=IllegalMove.ACCEPT_OR_REDO_ALL,
    stated={
        "notation": 'S2 "Flyt af brikker - fortsat": "8-5, 6-5"',
        "higher_die": 'S2 "Flyt af brikker - regler" 6: "Hvis den ene eller den anden"',
        "bearoff_overshoot": 'S2 "Udtagning af brikker": "Hvis en terning viser"',
        "multipliers": 'S2 "Gammon & Backgammon": "vinder 1, 2 eller 3 point"',
        "backgammon_zone": 'S2 "Gammon & Backgammon": "i dit indre hjemland"',
        "borne_off_is_single": 'S2 "Gammon & Backgammon": "vinder du et almindeligt spil"',
        "double_timing": 'S2 "Dobleterningen": "inden terningerne kastes"',
        "immediate_redouble": 'S2 "Dobleterningen - fortsat": "nu to muligheder"',
        "cube_cap": 'S2 "Dobleterningen - fortsat": "2-4-8-16-32-64"',
        "match_play": 'S2 "Dobleterningen": "Alle kampe"',
        "crawford": 'S2 "Dobleterningen - afslutning": "Crawfordreglen"',
        "illegal_move": 'S2 "Ugyldige slag & ulovlige ryk": "foretager et ulovligt ryk"',
    },
)

NBGF_INFO = RuleProfile(
    slug="nbgf-info",
    name=gettext_noop("Norwegian federation introduction"),
    source='S3, nbgf.no "historie og regler" (not official)',
    stated={
        "notation": 'S3 "Backgammon regler": "nummerere fra 1 til 24"',
        "opening": 'S3 "Backgammon regler": "en terning hver"',
        "higher_die": 'S3 "Backgammon regler": "det høyeste nummeret"',
        "bearoff_overshoot": 'S3 "Backgammon regler": "Man kan ikke flytte inn en brikke" (the example)',
        "multipliers": 'S3 "Backgammon regler": "teller som tredobbelt"',
        "backgammon_zone": 'S3 "Backgammon regler": "innenfor motspillerens indre hjemland eller bar"',
        "borne_off_is_single": 'S3 "Backgammon regler": "ikke har flyttet ut noen av sine brikker"',
        "double_timing": 'S3 "Doblingskuben": "før hun kaster terningene"',
        "immediate_redouble": 'S3 "Doblingskuben": "enten akseptere eller gi seg"',
        "cube_cap": 'S3 "Doblingskuben": "noen grense for hvor langt"',
        "match_play": 'S3 "Doblingskuben": "en kamp om flere poeng"',
        "crawford": 'S3 "Crawford-regelen": "en omgang uten kuben"',
    },
)

DE_LEAFLET = RuleProfile(
    slug="de-leaflet",
    name=gettext_noop("Leaflet from a German publisher"),
    source='S4, "Spielregeln Backgammon"',
    opening=Opening.TWO_DICE_HIGHEST_TOTAL,
    bearoff_overshoot=Overshoot.FREE,
    multipliers=(1, 2),
    backgammon_zone=BackgammonZone.NONE,
    double_timing=DoubleTiming.ANY_TIME,
    cube_cap=64,
    match_play=False,
    crawford=False,
    stated={
        "opening": 'S4 "Ziel": "immer nur mit den jeweils 2 normalen Würfeln"',
        "bearoff_overshoot": 'S4 "Ziel": "über den Rand"',
        "multipliers": 'S4 "Spielende": "doppelte Wertung"',
        "backgammon_zone": 'S4 "Spielende": "doppelte Wertung"',
        "borne_off_is_single": 'S4 "Spielende": "keinen Stein ins Ziel"',
        "double_timing": 'S4 "Spielende": "Während eines Spieles"',
        "immediate_redouble": 'S4 "Spielende": "akzeptieren"',
        "cube_cap": 'S4 "Spielende": "bis zu 64 Punkte"',
    },
)

PROFILES: dict[str, RuleProfile] = {
    profile.slug: profile for profile in (WBGF, DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, DE_LEAFLET)
}

DEFAULT_PROFILE = WBGF
