"""Answers of the page and the API to questions about a play, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from rules.actions import IllegalAction
from rules.citations import Citation, cite
from rules.disputes import TEMPLATES, Dispute, Outcome, after_illegal_play, as_made, settle
from rules.errors import NotationError
from rules.ids import IdError
from rules.listing import WrittenPlay, faulty_hop, written_plays
from rules.notation import Play
from rules.notation_sw import format_point_sw
from rules.notations import colour_of, write_play
from rules.plays import Fault, RefusedPlay, Roll, UnclearPlay, judge_play
from rules.position import BAR, OFF, Position
from rules.profiles import Notation, RuleProfile
from rules.score import Side

MAX_PLAY_LENGTH = 80

PARAMETERS = {Fault.HIGHER_DIE: "higher_die", Fault.HIGHER_POINT: "bearoff_overshoot"}
"""The parameter of a rule profile on which a fault depends."""


@dataclass(frozen=True)
class Plays:
    """The legal plays of a roll under a profile; ``side`` is the player who rolled.

    They are written only once somebody reads them: that takes twenty times as long as finding them.
    """

    position: Position
    roll: Roll
    profile: RuleProfile
    side: Side = Side.A

    @cached_property
    def written(self) -> tuple[WrittenPlay, ...]:
        return written_plays(self.position, self.roll, self.profile)

    def text_of(self, play: Play) -> str:
        """Write the play in the notation of the profile."""
        return write_play(play, self.profile, self.side)

    def named(self, params: Mapping[str, object], play: Play) -> dict[str, object]:
        """Return what fills in the sentence of a fault of this play, in the notation of the profile."""
        point = params.get("point")
        said = {**params, "play": self.text_of(play)}
        if self.profile.notation is Notation.DK_SW and isinstance(point, int) and OFF < point < BAR:
            said["point"] = format_point_sw(point, colour_of(self.side))
        return said


@dataclass(frozen=True, slots=True)
class FaultShown:
    """The broken rule: a stable code, one sentence, its row in the table of rules, and where it is stated.

    ``citation`` is None for a rule on which the texts agree.
    """

    code: str
    message: str
    rule: str
    citation: Citation | None = None

    @property
    def filled_in(self) -> bool:
        """Whether the rule is missing from the profile's own text."""
        return self.citation is not None and not self.citation.stated


@dataclass(frozen=True, slots=True)
class DisputeShown:
    """A question that players bring, what follows, its row in the table of rules, and where that is stated."""

    dispute: str
    question: str
    outcome: str
    message: str
    rule: str
    citation: Citation

    @property
    def filled_in(self) -> bool:
        """Whether the profile's own text does not state what follows."""
        return not self.citation.stated


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a play: the position after it, or the fault and the first illegal move (empty: the whole play).

    ``follows`` is the consequence of an illegal play; None for a play that is legal or only written wrongly. ``made``
    is the position that the play leaves on the board, if the checkers can be moved like that, seen by the player who
    rolled.
    """

    play: str
    after: Position | None = None
    fault: FaultShown | None = None
    move: str = ""
    follows: DisputeShown | None = None
    made: Position | None = None


def list_plays(position: Position, roll: Roll, profile: RuleProfile, side: Side = Side.A) -> Plays:
    """List the legal plays of the roll of this side under the profile."""
    return Plays(position, roll, profile, side)


def judge(plays: Plays, play: Play) -> Judgement:
    """Judge the play by ``rules.plays.judge_play`` and put the verdict into words."""
    text = plays.text_of(play)
    try:
        return Judgement(text, after=judge_play(plays.position, plays.roll, play, plays.profile))
    except UnclearPlay as unclear:
        return Judgement(
            text, fault=FaultShown(unclear.code, _(unclear.template) % plays.named(unclear.params, play), unclear.rule)
        )
    except RefusedPlay as refused:
        parameter = PARAMETERS.get(refused.code)
        fault = FaultShown(
            code=refused.code,
            message=_(refused.template) % plays.named(refused.params, play),
            rule=refused.rule,
            citation=None if parameter is None else cite(parameter, plays.profile),
        )
        wrong = faulty_hop(plays.position, plays.roll, play, plays.profile)
        made = as_made(plays.position, play)
        return Judgement(
            text,
            fault=fault,
            move="" if wrong is None else plays.text_of(play[wrong : wrong + 1]),
            follows=_follows(plays, made),
            made=made,
        )


def disputes(profile: RuleProfile) -> list[DisputeShown]:
    """Return the disputes that players bring to the director, and what follows from each under the profile."""
    return [_dispute(dispute, profile) for dispute in Dispute]


def _dispute(dispute: Dispute, profile: RuleProfile, outcome: Outcome | None = None) -> DisputeShown:
    """Settle the dispute under the profile, or with the given outcome."""
    settled = settle(dispute, profile)
    outcome = outcome or settled.outcome
    return DisputeShown(
        dispute=dispute,
        question=_(TEMPLATES[dispute]),
        outcome=outcome,
        message=_(TEMPLATES[outcome]),
        rule=settled.rule,
        citation=settled.citation,
    )


def _follows(plays: Plays, made: Position | None) -> DisputeShown | None:
    if made is None:
        return _dispute(Dispute.ILLEGAL_PLAY, plays.profile)
    try:
        outcome = after_illegal_play(plays.position, plays.roll, made, plays.profile)
    except IllegalAction:
        return None
    return _dispute(Dispute.ILLEGAL_PLAY, plays.profile, outcome)


def sentence(error: NotationError) -> str:
    """Return the message of the error in the reader's language."""
    return _(error.template) % error.params if isinstance(error, IdError) else str(error)
