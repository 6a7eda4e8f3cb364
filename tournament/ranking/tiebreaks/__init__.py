"""The table of tie-breaks, which separate entrants with the same number of wins.

What counts is the same for every tie-break (our definition; the sources differ or are silent):

- *bye*: no match, no opponent, no points. If the format counts it as a win, it is a win like any other, and the
  tie-breaks that go by opponents take it as one with as many wins as the entrant (after FIDE Handbook C.07, 2023,
  where an unplayed round is treated as if played against oneself).
- *walkover* (not begun): a win and a loss, and the two count as each other's opponents, so that everyone who was to
  meet a player who withdrew is treated alike. No points for either side, whatever score is noted.
- *forfeit* (begun and given up): a win and a loss, and the points on the score sheet as it stood.
- *withdrawal*: what was played stays. Where everyone meets everyone, the matches still to be played become walkovers;
  where rounds are paired one by one, there are none.

Values are whole numbers or fractions, so a tie is an exact equality.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rules.errors import gettext_noop
from tournament.ranking.tiebreaks import measures
from tournament.ranking.tiebreaks.measures import Compute
from tournament.ranking.tiebreaks.results import Field, Result, ResultKind, Value

__all__ = [
    "DEFAULT_TIEBREAKS",
    "HEAD_TO_HEAD",
    "MAX_TIEBREAKS",
    "PLAY_OFF",
    "TIEBREAKS",
    "Field",
    "Result",
    "ResultKind",
    "TieBreak",
    "Value",
]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One line of ``TIEBREAKS``.

    ``compute(field, group)`` gives a value for each entrant of ``group``, or None for those to whom the tie-break does
    not apply; it separates nobody from an entrant with None. ``within_group`` means that the value depends on the rest
    of the group, so it is computed again for those still tied; all others are computed once from the whole field.
    With ``ends`` no later tie-break is tried. ``decides`` is the sentence for a line that this tie-break put in its
    place, with ``wins`` and ``values``. ``byes``, ``walkovers`` and ``withdrawals`` say how it treats these. A value
    in ``hundredths`` is shown with two decimals.
    """

    name: str
    description: str
    source: str
    higher_is_better: bool
    compute: Compute
    decides: str
    byes: str
    walkovers: str
    withdrawals: str
    within_group: bool = False
    ends: bool = False
    hundredths: bool = False

    def show(self, value: Value) -> str:
        """Write the value as it appears in a sentence: 12, 7/2, 1523.40."""
        if self.hundredths:
            return f"{int(value) // 100}.{int(value) % 100:02}"
        return str(Fraction(value))


BYE_NO_MEETING = gettext_noop("A bye is not a match: there is no opponent.")
BYE_LIKE_ONESELF = gettext_noop(
    "A bye that counts as a win counts as an opponent with as many wins as the entrant; any other bye counts for "
    "nothing."
)
BYE_NO_POINTS = gettext_noop("A bye has no points, even if it counts as a win.")
WALKOVER_LIKE_ANY = gettext_noop("A walkover is a win and a loss like any other.")
WALKOVER_NO_POINTS = gettext_noop("A walkover gives no points to either side.")
WITHDRAWN_OPPONENT = gettext_noop(
    "A player who withdrew counts as an opponent with the wins they have; the matches they did not play are "
    "walkovers or were not paired."
)
WITHDRAWN_POINTS = gettext_noop("Points from play before a withdrawal count; after it there are none.")
BYE_NOTHING = gettext_noop("A bye changes nothing.")
WALKOVER_NOTHING = gettext_noop("A walkover changes nothing.")
WITHDRAWN_NOTHING = gettext_noop("A withdrawal changes nothing.")

HEAD_TO_HEAD = "head-to-head"
PLAY_OFF = "play-off"
DEFAULT_TIEBREAKS = (HEAD_TO_HEAD, "point-difference", "buchholz", "sonneborn-berger")
MAX_TIEBREAKS = 5
"""The most tie-breaks that an event can have."""

TIEBREAKS: dict[str, TieBreak] = {
    HEAD_TO_HEAD: TieBreak(
        name=gettext_noop("Head to head"),
        description=gettext_noop(
            "Wins in the matches between those who are tied, if each of them has met all the others. "
            "If they beat each other in a cycle, the tie stands."
        ),
        source="After FIDE Handbook C.07 (2023), Direct Encounter; only where all have met: our definition.",
        higher_is_better=True,
        compute=measures.head_to_head,
        decides=gettext_noop("Tied on wins (%(wins)s); head to head decides: %(values)s."),
        byes=BYE_NO_MEETING,
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=gettext_noop(
            "A player who withdrew has met everybody they played, and everybody who beat them by walkover."
        ),
        within_group=True,
    ),
    "point-difference": TieBreak(
        name=gettext_noop("Point difference"),
        description=gettext_noop("Points won minus points lost in all matches; a walkover gives no points."),
        source="Our definition.",
        higher_is_better=True,
        compute=measures.point_difference,
        decides=gettext_noop("Tied on wins (%(wins)s); the point difference decides: %(values)s."),
        byes=BYE_NO_POINTS,
        walkovers=WALKOVER_NO_POINTS,
        withdrawals=WITHDRAWN_POINTS,
    ),
    "points-for": TieBreak(
        name=gettext_noop("Points won"),
        description=gettext_noop("Points won in all matches; a walkover gives no points."),
        source="Our definition.",
        higher_is_better=True,
        compute=measures.points_for,
        decides=gettext_noop("Tied on wins (%(wins)s); the points won decide: %(values)s."),
        byes=BYE_NO_POINTS,
        walkovers=WALKOVER_NO_POINTS,
        withdrawals=WITHDRAWN_POINTS,
    ),
    "buchholz": TieBreak(
        name=gettext_noop("Buchholz"),
        description=gettext_noop("The wins of all opponents, added up."),
        source="After FIDE Handbook C.07 (2023), Buchholz; matches not played: our definition.",
        higher_is_better=True,
        compute=measures.buchholz,
        decides=gettext_noop("Tied on wins (%(wins)s); Buchholz decides: %(values)s."),
        byes=BYE_LIKE_ONESELF,
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=WITHDRAWN_OPPONENT,
    ),
    "buchholz-median": TieBreak(
        name=gettext_noop("Median Buchholz"),
        description=gettext_noop("The wins of all opponents but the best and the worst, added up."),
        source="After FIDE Handbook C.07 (2023), Median-1 Buchholz; matches not played: our definition.",
        higher_is_better=True,
        compute=partial(measures.buchholz, lowest=1, highest=1),
        decides=gettext_noop("Tied on wins (%(wins)s); median Buchholz decides: %(values)s."),
        byes=BYE_LIKE_ONESELF,
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=WITHDRAWN_OPPONENT,
    ),
    "buchholz-cut-1": TieBreak(
        name=gettext_noop("Buchholz cut 1"),
        description=gettext_noop("The wins of all opponents but the worst, added up."),
        source="After FIDE Handbook C.07 (2023), Buchholz Cut-1; matches not played: our definition.",
        higher_is_better=True,
        compute=partial(measures.buchholz, lowest=1),
        decides=gettext_noop("Tied on wins (%(wins)s); Buchholz without the worst opponent decides: %(values)s."),
        byes=BYE_LIKE_ONESELF,
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=WITHDRAWN_OPPONENT,
    ),
    "buchholz-cut-2": TieBreak(
        name=gettext_noop("Buchholz cut 2"),
        description=gettext_noop("The wins of all opponents but the two worst, added up."),
        source="After FIDE Handbook C.07 (2023), Buchholz Cut-2; matches not played: our definition.",
        higher_is_better=True,
        compute=partial(measures.buchholz, lowest=2),
        decides=gettext_noop("Tied on wins (%(wins)s); Buchholz without the two worst opponents decides: %(values)s."),
        byes=BYE_LIKE_ONESELF,
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=WITHDRAWN_OPPONENT,
    ),
    "sonneborn-berger": TieBreak(
        name=gettext_noop("Sonneborn-Berger"),
        description=gettext_noop("The wins of the opponents who were beaten, added up."),
        source="After FIDE Handbook C.07 (2023), Sonneborn-Berger; matches not played: our definition.",
        higher_is_better=True,
        compute=measures.sonneborn_berger,
        decides=gettext_noop("Tied on wins (%(wins)s); Sonneborn-Berger decides: %(values)s."),
        byes=BYE_LIKE_ONESELF,
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=WITHDRAWN_OPPONENT,
    ),
    "progressive": TieBreak(
        name=gettext_noop("Progressive"),
        description=gettext_noop(
            "The wins after each round, added up: a player who wins early has met stronger opponents."
        ),
        source="After FIDE Handbook C.07 (2023), Sum of Progressive Scores.",
        higher_is_better=True,
        compute=measures.progressive,
        decides=gettext_noop("Tied on wins (%(wins)s); the progressive sum decides: %(values)s."),
        byes=gettext_noop("A bye that counts as a win is a win in its round; any other bye adds nothing."),
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=gettext_noop("A player who withdrew keeps their wins in the sum of each later round."),
    ),
    "opponents-win-rate": TieBreak(
        name=gettext_noop("Opponents' win rate"),
        description=gettext_noop("The share of matches that each opponent has won, averaged over all opponents."),
        source=(
            "After Magic Tournament Rules, Appendix C, opponents' match-win percentage; no floor for weak opponents: "
            "our definition."
        ),
        higher_is_better=True,
        compute=measures.opponents_win_rate,
        decides=gettext_noop("Tied on wins (%(wins)s); the opponents' win rate decides: %(values)s."),
        byes=gettext_noop("A bye is not a match, neither one's own nor an opponent's."),
        walkovers=WALKOVER_LIKE_ANY,
        withdrawals=gettext_noop(
            "A player who withdrew counts by the share of their matches that they won, walkovers included."
        ),
    ),
    "rating": TieBreak(
        name=gettext_noop("Rating"),
        description=gettext_noop(
            "The rating at the time of the draw, if all the tied entrants have one; the higher rating comes first."
        ),
        source="Our definition.",
        higher_is_better=True,
        compute=measures.rating,
        decides=gettext_noop("Tied on wins (%(wins)s); the rating at the draw decides: %(values)s."),
        byes=BYE_NOTHING,
        walkovers=WALKOVER_NOTHING,
        withdrawals=WITHDRAWN_NOTHING,
        hundredths=True,
    ),
    PLAY_OFF: TieBreak(
        name=gettext_noop("Play-off"),
        description=gettext_noop("Wins in play-offs, if every tied entrant has played one."),
        source="After FIDE Handbook C.07 (2023), Play-offs; how it is counted: our definition.",
        higher_is_better=True,
        compute=measures.play_off,
        decides=gettext_noop("Tied on wins (%(wins)s); the play-off decides: %(values)s."),
        byes=gettext_noop("A bye in the play-off does not count as a win in it."),
        walkovers=gettext_noop("A walkover in the play-off counts as a win in it."),
        withdrawals=gettext_noop("A player who withdraws from the play-off before it begins loses it by walkover."),
        within_group=True,
    ),
    "shared": TieBreak(
        name=gettext_noop("Shared place"),
        description=gettext_noop("Those who are still tied share the place, whatever tie-breaks come after this one."),
        source="Our definition.",
        higher_is_better=True,
        compute=measures.shared,
        decides="",
        byes=BYE_NOTHING,
        walkovers=WALKOVER_NOTHING,
        withdrawals=WITHDRAWN_NOTHING,
        ends=True,
    ),
}
