"""Swiss with lives: each loss costs a life, and a player with none left is out.

By rounds, or continuous: free players are paired again as soon as enough of them are free that nobody can choose their
opponent by finishing early or late.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import combinations
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.drawing import check_draw
from tournament.formats.editions import FIRST
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.lots import round_scope
from tournament.formats.options import OptionField, OptionKind, Options
from tournament.formats.plan import Draw, Entrant, Pairing, Placing, Plan, Reason
from tournament.formats.swiss_rounds import AVOID, BYES, FAIR, MOST_ENTRANTS, WITHIN, SwissRounds

LIVES = OptionField(
    name="lives",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Lives"),
    default=3,
    least=2,
    most=5,
    help=gettext_noop("Players are out after this many losses."),
)
MODE = OptionField(
    name="mode",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Pairing"),
    help=gettext_noop(
        "If pairing is by rounds, a bye counts as a win. If it is continuous, nobody has a bye: the "
        "player left over waits."
    ),
    default="rounds",
    choices=(("rounds", gettext_noop("by rounds")), ("continuous", gettext_noop("continuous, as players become free"))),
)
BATCH = OptionField(
    name="batch",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Batch"),
    default=8,
    least=2,
    most=64,
    help=gettext_noop(
        "For continuous pairing: how many players must be free before they are paired while others are still playing."
    ),
)
STOP = OptionField(
    name="stop",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Ends"),
    default="last",
    choices=(
        ("last", gettext_noop("when one is left")),
        ("left", gettext_noop("when at most a given number of players are left")),
        (
            "power",
            gettext_noop(
                "when the number of lives left is a power of two and at most a given number: for a lives bracket"
            ),
        ),
        (
            "ahead",
            gettext_noop("when only one has more than one life left: all with exactly one share the next places"),
        ),
    ),
)
LEFT = OptionField(
    name="left",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Number left"),
    default=8,
    least=2,
    most=256,
    help=gettext_noop("Of players or of lives, depending on the option above."),
)
BYES_AS_LIVES = replace(BYES, default=FAIR)
"""A bye is a life saved, so it is shared before rematches are avoided, unless the director chooses otherwise."""


class SwissLives(Format):
    """A Swiss in which a number of losses puts an entrant out; ranked by lives left, then by wins, including byes."""

    slug: ClassVar[str] = "swiss-lives"
    name: ClassVar[str] = gettext_noop("Swiss with lives")
    description: ClassVar[str] = gettext_noop(
        "Every loss costs a life; players with the same number of lives meet, until one or a few are left."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (LIVES, MODE, BATCH, STOP, LEFT, WITHIN, AVOID, BYES_AS_LIVES)
    open_entries: ClassVar[bool] = True
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = True
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = MOST_ENTRANTS

    def is_continuous(self, options: Options) -> bool:
        return options.choice(MODE.name) == "continuous"

    def scope(self, pairing: Pairing) -> str:
        return round_scope(pairing.round)

    def plan(self, draw: Draw) -> Plan:
        """Plan the rounds, or batches, up to the first that awaits a result, and anything published after it.

        A batch counts as a round, also in an entrant's ``presence``. Raises PlanError, also for a field that has no
        more entrants than are to be left at the end (``left_not_below_field``).
        """
        check_draw(draw, self)
        if draw.options.choice("stop") == "left" and len(draw.entrants) <= draw.options.number("left"):
            raise PlanError(
                "left_not_below_field",
                gettext_noop("The stage should end with %(left)s still in, but only %(count)s have entered."),
                left=draw.options.number("left"),
                count=len(draw.entrants),
            )
        event = _Event(draw, is_continuous=self.is_continuous(draw.options))
        if event.is_continuous:
            event.hold_batches()
        else:
            event.hold_rounds()
        finished = event.is_over and not event.rounds.running
        return Plan(
            pairings=event.rounds.pairings,
            placings=event.placings(is_final=finished),
            finished=finished,
            stale=event.rounds.stale,
            free_wins=dict(event.rounds.byes),
            notes=tuple(event.rounds.notes),
            lives={entrant.id: event.rounds.score(entrant.id) for entrant in event.left},
        )


class _Event:
    """A Swiss with lives as it grows: ``round`` is the next to be paired."""

    def __init__(self, draw: Draw, *, is_continuous: bool) -> None:
        self.draw = draw
        self.is_continuous = is_continuous
        self.rounds = SwissRounds(draw, draw.options.choice("within"), draw.options.number("lives"))
        self.round = 1

    def hold_rounds(self) -> None:
        """Pair each round once all earlier rounds are decided."""
        while True:
            is_next = not self.rounds.running and not self.is_over
            if not is_next and self.round > self.rounds.last_published:
                return
            self.rounds.add_published(self.round)
            if is_next:
                self.rounds.pair_rest(self.round, self.here, self.spare_matches)
            self.round += 1

    def hold_batches(self) -> None:
        """Pair a batch whenever enough players are free, or when nobody is playing."""
        enough = self.draw.options.number("batch")
        while self.round <= self.rounds.last_published:
            self.rounds.add_published(self.round)
            self.round += 1
        while not self.is_over and self.spare_matches:
            free = [entrant for entrant in self.here if entrant.id not in self.rounds.running]
            if len(free) < enough and self.rounds.running:
                return
            if self.rounds.pair_batch(self.round, free, self.spare_matches):
                self.round += 1
                continue
            back = [mark for entrant in self.left for mark in entrant.presence if mark > self.round]
            if self.rounds.running or not back:
                return
            self.round = min(back)

    @property
    def left(self) -> list[Entrant]:
        """Return the entrants who have a life left and have not withdrawn for good."""
        return [
            entrant
            for entrant in self.draw.entrants
            if self.rounds.score(entrant.id) > 0
            and (entrant.plays_in(self.round) or any(mark > self.round for mark in entrant.presence))
        ]

    @property
    def here(self) -> list[Entrant]:
        """Return the remaining entrants who are present in the next round."""
        return [entrant for entrant in self.left if entrant.plays_in(self.round)]

    @property
    def is_over(self) -> bool:
        """Whether no more pairings are to be made once all running ones are decided."""
        left = self.left
        if not any(one.persons.isdisjoint(other.persons) for one, other in combinations(left, 2)):
            return True
        match self.draw.options.choice("stop"):
            case "left":
                return len(left) <= self.draw.options.number("left")
            case "power":
                return not self.rounds.running and self.spare_matches == 0
            case "ahead":
                return len(self.ahead) == 1
        return False

    @property
    def ahead(self) -> list[Entrant]:
        """Return the entrants who have more than one life left."""
        return [entrant for entrant in self.left if self.rounds.score(entrant.id) > 1]

    @property
    def spare_matches(self) -> int:
        """Return how many matches can be started before the event has to stop; each costs one life."""
        if self.draw.options.choice("stop") != "power":
            return len(self.draw.entrants)
        playing = len(self.rounds.running) // 2
        lives = sum(self.rounds.score(entrant.id) for entrant in self.left) - playing
        most = min(lives - self.matches_owed, self.draw.options.number("left"))
        return lives - (1 << (most.bit_length() - 1))

    @property
    def matches_owed(self) -> int:
        """Return how many more matches it takes until everyone has been drawn; a round draws everyone at once.

        In the first edition of the rules a bye was enough.
        """
        has_met = self.rounds.is_drawn if self.draw.edition == FIRST else self.rounds.played
        undrawn = sum(not has_met(entrant.id) for entrant in self.left)
        return -(-undrawn // 2) if self.is_continuous else min(undrawn, 1)

    def placings(self, *, is_final: bool) -> tuple[Placing, ...]:
        """Return everyone's places: by lives left, then by wins.

        Where play ends with one player ahead, all with one life left share their places. Unless ``is_final``, a player
        who is still in can lose all lives, or win.
        """
        wins, rounds = self.rounds.wins, self.rounds
        left = {entrant.id for entrant in self.left}
        sharing: set[int] = set()
        if is_final and self.draw.options.choice("stop") == "ahead":
            sharing = left - {entrant.id for entrant in self.ahead}
        least, most = {}, {}
        for id in rounds.entrants:
            least[id] = most[id] = (rounds.score(id) if id in left else 0, 0 if id in sharing else wins[id])
            if id in left and not is_final:
                least[id], most[id] = (0, wins[id]), (rounds.lives + 1, 0)
        lowest, highest = sorted(least.values()), sorted(most.values())
        count = len(rounds.entrants)
        placings = [
            Placing(
                entrant=id,
                place=count - bisect_right(lowest, most[id]) + 1,
                place_to=count - bisect_left(highest, least[id]),
                why=self._why_place(id, is_in=id in left, is_sharing=id in sharing and len(sharing) < len(left)),
            )
            for id in rounds.entrants
        ]
        return tuple(sorted(placings, key=lambda placing: (placing.place, placing.place_to, placing.entrant)))

    def _why_place(self, id: int, *, is_in: bool, is_sharing: bool) -> Reason:
        lives = max(self.rounds.score(id), 0)
        params = (("record", f"{self.rounds.wins[id]}–{self.rounds.losses[id]}"), ("lives", lives))
        if is_sharing:
            return Reason(
                "one_life_left",
                gettext_noop(
                    "One life left, with a record of %(record)s, when only one player had more: all with one life left "
                    "share these places."
                ),
                params,
            )
        if is_in:
            return Reason("lives_left", gettext_noop("Lives left: %(lives)s, with a record of %(record)s."), params)
        if lives:
            return Reason("withdrawn", gettext_noop("Withdrew with a record of %(record)s."), params)
        return Reason("lives_lost", gettext_noop("Lost all lives, with a record of %(record)s."), params)
