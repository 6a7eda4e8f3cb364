"""Which matches count for a list: its policy as data, and the first of its rules that keeps a match out.

Sources: results.ukbgf.com, policy (2017-03-15); backgammon.dk, rateable tournaments; NBgF, matches not begun
(2021-11-06); BGFed.be, rating; gammon.jp, guests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any


class Guests(StrEnum):
    """What becomes of a match against a guest: somebody who is no member of a federation that the list is for."""

    UNRATED = "unrated"
    HIDDEN = "hidden"
    """Both are rated, and the guest's rating is shown once they are a member."""
    FIXED = "fixed"
    """The member alone is rated, against an opponent of ``guest_rating``."""


class Where(StrEnum):
    """Where a match was played: over the board, or online."""

    LIVE = "live"
    ONLINE = "online"


class Bracket(StrEnum):
    """What a bracket is to its event."""

    MAIN = "main"
    CONSOLATION = "consolation"
    LAST_CHANCE = "last_chance"
    ROUNDS = "rounds"
    """Groups, round robins, Swiss rounds, leagues and ladders."""
    JACKPOT = "jackpot"


class Outcome(StrEnum):
    """How a pairing was decided."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Given up by a side during the match."""
    WALKOVER = "walkover"
    BYE = "bye"
    VOID = "void"
    SETTLED = "settled"


class Declared(StrEnum):
    """Whether an event named the list: not at all, only after this match was drawn and had ended, or before."""

    NO = "no"
    LATE = "late"
    BEFORE = "before"


CLASSES = ("A", "B", "C", "D")
"""The classes of events, the highest first."""

MOST_LENGTH = 999
MOST_RATING = 9999
MOST_WEIGHT = 1000
FULL_WEIGHT = 100
MOST_PER_DAY = 50


class PolicyError(ValueError):
    """Rules that no policy can have: ``code`` is stable, ``name`` the rule at fault, empty if it is none of them."""

    def __init__(self, code: str, name: str = "") -> None:
        super().__init__(code)
        self.code, self.name = code, name


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Which matches count for a list.

    ``shortest`` and ``longest`` are lengths in points, no limit with None. ``brackets``, ``where`` and ``classes`` are
    those that count; no classes are all. With ``members`` both players belong, on the day of the match, to the
    federation of the list or to one of the ``treaty`` (codes); ``guests`` says what becomes of others, and
    ``guest_rating`` is what a fixed opponent has. ``teams``: the boards between two teams count. ``begun``: both sides
    have played. ``forfeits``: a match that a side gave up counts once both have played. ``penalties``: a match with
    penalty points counts. ``sanction``: the federation has approved the event. ``before_play``: the event declared the
    list before the match, or its draw. ``weights`` are in hundredths, by class; 100 where none is given.
    ``most_per_day`` is how many matches a pair may play in a day before the officer is warned; no limit with None.

    Raises PolicyError for rules that contradict each other or are beyond the limits.
    """

    shortest: int = 1
    longest: int | None = None
    brackets: frozenset[Bracket] = frozenset(Bracket)
    where: frozenset[Where] = frozenset({Where.LIVE})
    members: bool = True
    treaty: frozenset[str] = frozenset()
    guests: Guests = Guests.UNRATED
    guest_rating: int | None = None
    teams: bool = True
    begun: bool = True
    forfeits: bool = False
    penalties: bool = True
    sanction: bool = False
    classes: frozenset[str] = frozenset()
    weights: Mapping[str, int] = field(default_factory=dict)
    before_play: bool = True
    most_per_day: int | None = None

    def __post_init__(self) -> None:
        _check_number("shortest", self.shortest, 1, MOST_LENGTH)
        _check_number("longest", self.longest, 1, MOST_LENGTH, empty=True)
        if self.longest is not None and self.longest < self.shortest:
            raise PolicyError("lengths_crossed", "longest")
        if not self.brackets or not self.where:
            raise PolicyError("nothing_counts", "where" if self.brackets else "brackets")
        _check_number("guest_rating", self.guest_rating, 0, MOST_RATING, empty=self.guests is not Guests.FIXED)
        _check_number("most_per_day", self.most_per_day, 1, MOST_PER_DAY, empty=True)
        if not self.classes <= set(CLASSES):
            raise PolicyError("class_unknown", "classes")
        for letter, weight in self.weights.items():
            if letter not in CLASSES:
                raise PolicyError("class_unknown", "weights")
            _check_number("weights", weight, 1, MOST_WEIGHT)

    def weight_of(self, event_class: str) -> int:
        """Return how much a match in an event of this class counts, in hundredths."""
        return self.weights.get(event_class, FULL_WEIGHT)


def _check_number(name: str, value: object, least: int, most: int, *, empty: bool = False) -> None:
    if value is None and empty:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PolicyError("number_out_of_range", name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Affiliation:
    """A player on the day of the match: the codes of the federations they were a member of, and a guest of."""

    member_of: frozenset[str] = frozenset()
    guest_of: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFacts:
    """What a policy asks about a match; ``federation`` is the code of the list's own.

    ``begun`` is whether both sides have played; ``voided`` that an officer has ruled that it does not count.
    """

    outcome: Outcome
    federation: str = ""
    length: int = 1
    bracket: Bracket = Bracket.MAIN
    where: Where = Where.LIVE
    doubles: bool = False
    teams: bool = False
    begun: bool = True
    penalised: bool = False
    event_class: str = ""
    sanctioned: bool = False
    declared: Declared = Declared.BEFORE
    voided: bool = False
    allowed: bool = False
    """Whether an officer has ruled that the match counts in spite of the policy."""
    players: tuple[Affiliation, Affiliation] = (Affiliation(), Affiliation())


Rule = Callable[[Policy, MatchFacts], bool]
"""Whether a match is kept out."""


def is_member(policy: Policy, facts: MatchFacts, side: Affiliation) -> bool:
    """Whether the player belonged to a federation whose members the list rates."""
    return bool(side.member_of & (policy.treaty | {facts.federation}))


def guests_in(policy: Policy, facts: MatchFacts) -> tuple[bool, bool]:
    """Return which of the two players are guests; nobody is where the list does not ask for members."""
    if not policy.members:
        return False, False
    first, second = (not is_member(policy, facts, side) for side in facts.players)
    return first, second


def _is_guest_unrated(policy: Policy, facts: MatchFacts) -> bool:
    """Whether a guest keeps the match out: guests are not rated, or both are guests of a fixed rating."""
    guests = guests_in(policy, facts)
    if policy.guests is Guests.FIXED:
        return all(guests)
    return policy.guests is Guests.UNRATED and any(guests)


def _was_invited(policy: Policy, facts: MatchFacts) -> bool:
    """Whether everybody who is no member was a registered guest of one of the federations."""
    bodies = policy.treaty | {facts.federation}
    strangers = [side for side in facts.players if not is_member(policy, facts, side)]
    return all(side.guest_of & bodies for side in strangers)


RULES: Mapping[str, Rule] = {
    "bye": lambda _policy, facts: facts.outcome is Outcome.BYE,
    "not_declared": lambda policy, facts: (
        facts.declared is Declared.NO or (policy.before_play and facts.declared is Declared.LATE)
    ),
    "void": lambda _policy, facts: facts.outcome is Outcome.VOID,
    "ruled_out": lambda _policy, facts: facts.voided,
    "walkover": lambda _policy, facts: facts.outcome is Outcome.WALKOVER,
    "settled": lambda _policy, facts: facts.outcome is Outcome.SETTLED,
    "doubles": lambda _policy, facts: facts.doubles,
    "not_begun": lambda policy, facts: policy.begun and not facts.begun,
    "forfeit": lambda policy, facts: facts.outcome is Outcome.FORFEIT and not policy.forfeits,
    "teams": lambda policy, facts: facts.teams and not policy.teams,
    "bracket": lambda policy, facts: facts.bracket not in policy.brackets,
    "online": lambda policy, facts: facts.where is Where.ONLINE and Where.ONLINE not in policy.where,
    "live": lambda policy, facts: facts.where is Where.LIVE and Where.LIVE not in policy.where,
    "class": lambda policy, facts: bool(policy.classes) and facts.event_class not in policy.classes,
    "unsanctioned": lambda policy, facts: policy.sanction and not facts.sanctioned,
    "too_short": lambda policy, facts: facts.length < policy.shortest,
    "too_long": lambda policy, facts: policy.longest is not None and facts.length > policy.longest,
    "penalties": lambda policy, facts: facts.penalised and not policy.penalties,
    "guest": lambda policy, facts: _is_guest_unrated(policy, facts) and _was_invited(policy, facts),
    "not_member": _is_guest_unrated,
}
"""The rules by code, in the order in which they are asked: what a match is comes before who played it."""

ALWAYS = frozenset({"bye", "void", "walkover", "doubles", "ruled_out"})
"""The codes that no ruling overcomes: there is no result of two players, or a ruling says so."""


def why_not(policy: Policy, facts: MatchFacts) -> str | None:
    """Return the code of the first rule that keeps the match out of the list; None if it counts.

    A ruling that a match counts overcomes every rule but those of :data:`ALWAYS`.
    """
    for code, keeps_out in RULES.items():
        if (code in ALWAYS or not facts.allowed) and keeps_out(policy, facts):
            return code
    return None


SETS = {"brackets": Bracket, "where": Where, "treaty": str, "classes": str}
"""The rules that are sets, and what is in them."""

FLAGS = ("members", "teams", "begun", "forfeits", "penalties", "sanction", "before_play")
NUMBERS = ("shortest", "longest", "guest_rating", "most_per_day")


def write_policy(policy: Policy) -> dict[str, Any]:
    """Return the policy as JSON: every rule by name, sets in order."""
    rules: dict[str, Any] = {}
    for one in fields(Policy):
        value = getattr(policy, one.name)
        if one.name in SETS:
            value = sorted(str(item) for item in value)
        elif one.name == "weights":
            value = dict(sorted(value.items()))
        rules[one.name] = str(value) if isinstance(value, StrEnum) else value
    return rules


def read_policy(rules: object) -> Policy:
    """Return the policy that this JSON says; a rule that is left out has its default.

    Raises PolicyError for anything else than an object of known rules, each of its kind and within its limits.
    """
    if not isinstance(rules, dict):
        raise PolicyError("rules_not_an_object")
    values: dict[str, Any] = {}
    known = {one.name for one in fields(Policy)}
    for name, value in rules.items():
        if name not in known:
            raise PolicyError("rule_unknown", str(name)[:40])
        values[name] = _read_rule(name, value)
    return Policy(**values)


def _read_rule(name: str, value: object) -> object:
    if name in SETS:
        if not isinstance(value, list) or not all(isinstance(item, str) and len(item) <= 20 for item in value):
            raise PolicyError("rule_invalid", name)
        try:
            return frozenset(SETS[name](item) for item in value)
        except ValueError:
            raise PolicyError("rule_invalid", name) from None
    if name in FLAGS and not isinstance(value, bool):
        raise PolicyError("rule_invalid", name)
    if name in NUMBERS and value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise PolicyError("rule_invalid", name)
    if name == "weights" and not isinstance(value, dict):
        raise PolicyError("rule_invalid", name)
    if name == "guests":
        try:
            return Guests(value)  # type: ignore[arg-type]
        except ValueError:
            raise PolicyError("rule_invalid", name) from None
    return value
