"""Answers of the page and the API to questions about a play, in the reader's language."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.actions import IllegalAction
from rules.citations import Citation, cite
from rules.disputes import TEMPLATES, Dispute, Outcome, after_illegal_play, as_made, settle
from rules.errors import NotationError
from rules.ids import IdError
from rules.listing import WrittenPlay, faulty_hop, written_plays
from rules.notation import Play, format_play
from rules.plays import Fault, RefusedPlay, Roll, UnclearPlay, judge_play
from rules.position import Position
from rules.profiles import RuleProfile

MAX_PLAY_LENGTH = 80

PARAMETERS = {Fault.HIGHER_DIE: "higher_die", Fault.HIGHER_POINT: "bearoff_overshoot"}
"""The parameter of a rule profile on which a fault depends."""


@dataclass(frozen=True, slots=True)
class Plays:
    """The legal plays of a roll under a profile."""

    position: Position
    roll: Roll
    profile: RuleProfile
    written: tuple[WrittenPlay, ...]


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


def list_plays(position: Position, roll: Roll, profile: RuleProfile) -> Plays:
    """List the legal plays of the roll under the profile."""
    return Plays(position, roll, profile, written_plays(position, roll, profile))


def judge(plays: Plays, play: Play) -> Judgement:
    """Judge the play by ``rules.plays.judge_play`` and put the verdict into words."""
    text = format_play(play)
    try:
        return Judgement(text, after=judge_play(plays.position, plays.roll, play, plays.profile))
    except UnclearPlay as unclear:
        return Judgement(text, fault=FaultShown(unclear.code, _(unclear.template) % unclear.params, unclear.rule))
    except RefusedPlay as refused:
        parameter = PARAMETERS.get(refused.code)
        fault = FaultShown(
            code=refused.code,
            message=_(refused.template) % refused.params,
            rule=refused.rule,
            citation=None if parameter is None else cite(parameter, plays.profile),
        )
        wrong = faulty_hop(plays.position, plays.roll, play, plays.profile)
        made = as_made(plays.position, play)
        return Judgement(
            text,
            fault=fault,
            move="" if wrong is None else format_play(play[wrong : wrong + 1]),
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
