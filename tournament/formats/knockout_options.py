"""The options of a knockout with a consolation, and how they determine the shape of its graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.errors import gettext_noop
from tournament.formats.consolation_graph import Shape
from tournament.formats.editions import EDITION, FIRST
from tournament.formats.errors import PlanError
from tournament.formats.knockout import CONSOLATION as CONSOLATION_BRACKET
from tournament.formats.knockout import Graph
from tournament.formats.options import PROTECT, OptionField, OptionKind, Options
from tournament.formats.plan import Reason

BYES = OptionField(
    name="byes",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Byes in a seeded draw"),
    default="seeds",
    choices=(("seeds", gettext_noop("to the top seeds")), ("random", gettext_noop("at random"))),
    help=gettext_noop("In a random draw byes always fall at random, spread evenly."),
)

CONSOLATION = OptionField(
    name="consolation",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Consolation"),
    default="progressive",
    choices=(
        ("none", gettext_noop("none")),
        ("simple", gettext_noop("simple: for those who lose their first match")),
        ("progressive", gettext_noop("progressive: later losers enter later")),
    ),
    help=gettext_noop("The loser of the final never enters a simple consolation."),
)

CUT_OFF = OptionField(
    name="cut_off",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Losers who enter the consolation"),
    default="finalists",
    choices=(
        ("nobody", gettext_noop("all, including the loser of the final")),
        ("finalists", gettext_noop("all but the finalists")),
        ("semifinalists", gettext_noop("those who lose before the semifinals")),
        ("quarterfinalists", gettext_noop("those who lose before the quarterfinals")),
        ("round", gettext_noop("those who lose up to a certain round")),
    ),
    help=gettext_noop("Usually those who lose before reaching the prize places. Only for a progressive consolation."),
)

CUT_OFF_ROUND = OptionField(
    name="cut_off_round",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Last round whose losers enter the consolation"),
    default=2,
    least=1,
    most=10,
    help=gettext_noop(
        "Used only if those who lose up to a certain round enter the consolation. Up to round 1 means those who lose "
        "their first match, so a player who loses in round 2 after a bye enters too. The loser of the final never does."
    ),
)

SHIFTED = OptionField(
    name="shifted",
    kind=OptionKind.FLAG,
    label=gettext_noop("Shifted consolation"),
    default=False,
    help=gettext_noop("The losers of consecutive rounds enter directly after one another, which saves a round."),
)

PLACED = OptionField(
    name="placed",
    kind=OptionKind.FLAG,
    label=gettext_noop("Losers placed when a round is over"),
    default=False,
    help=gettext_noop(
        "From round 2 on, the losers of a main round are placed together so that there are as few rematches as "
        "possible: about 0.2 in a consolation of 32 players instead of 0.4. The price: lines are known only when a "
        "round ends, in the main bracket and in the consolation. Only for a progressive consolation."
    ),
)

SECOND_CONSOLATION = OptionField(
    name="second_consolation",
    kind=OptionKind.FLAG,
    label=gettext_noop("Second consolation"),
    default=False,
    help=gettext_noop("For players who lose in the consolation before its final."),
)

LAST_CHANCE = OptionField(
    name="last_chance",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Last chance"),
    default="none",
    choices=(
        ("none", gettext_noop("none")),
        ("partial", gettext_noop("partial: for the losers of the consolation's quarterfinals and semifinals")),
        ("full", gettext_noop("full: for all who lose in the consolation before its final")),
    ),
    help=gettext_noop("With a second consolation, for players who lose there."),
)

REUNITE = OptionField(
    name="reunite",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Consolation and main bracket meet"),
    default="none",
    choices=(
        ("none", gettext_noop("not at all")),
        ("second-place", gettext_noop("the winner of the consolation plays the loser of the final for second place")),
        ("grand-final", gettext_noop("the two winners play a grand final")),
    ),
)

RECHARGE = OptionField(
    name="recharge",
    kind=OptionKind.FLAG,
    label=gettext_noop("Second grand final"),
    default=True,
    help=gettext_noop("A player who reaches the grand final unbeaten has to be beaten twice."),
)

THIRD_PLACE = OptionField(
    name="third_place",
    kind=OptionKind.FLAG,
    label=gettext_noop("Match for third place"),
    default=False,
    help=gettext_noop(
        "Between the losers of the semifinals, who must not enter the consolation; the same length as a semifinal. "
        "With a simple consolation it takes at least 8 entrants."
    ),
)


LIKE_MAIN = gettext_noop("The final first. If left empty, the lengths of the main bracket apply.")


def _lengths(name: str, label: str, help: str = LIKE_MAIN) -> OptionField:
    return OptionField(name=name, kind=OptionKind.LENGTHS, label=label, default=(), help=help)


CONSOLATION_LENGTHS = _lengths("consolation_lengths", gettext_noop("Consolation match lengths"))
SECOND_CONSOLATION_LENGTHS = _lengths(
    "second_consolation_lengths",
    gettext_noop("Match lengths of the second consolation"),
    gettext_noop("The final first. If left empty, the lengths of the consolation apply."),
)
LAST_CHANCE_LENGTHS = _lengths(
    "last_chance_lengths",
    gettext_noop("Last chance match lengths"),
    gettext_noop(
        "The final first. If left empty, the lengths of the consolation apply, or those of the second consolation if "
        "there is one."
    ),
)
FINAL_LENGTHS = _lengths("final_lengths", gettext_noop("Match length where consolation and main bracket meet"))

CONSOLATION_FIELDS = (
    CONSOLATION,
    CUT_OFF,
    CUT_OFF_ROUND,
    SHIFTED,
    PLACED,
    CONSOLATION_LENGTHS,
    SECOND_CONSOLATION,
    SECOND_CONSOLATION_LENGTHS,
    LAST_CHANCE,
    LAST_CHANCE_LENGTHS,
    REUNITE,
    RECHARGE,
    FINAL_LENGTHS,
    THIRD_PLACE,
    BYES,
    PROTECT,
)

DOUBLE_ELIMINATION_FIELDS = (SHIFTED, PLACED, CONSOLATION_LENGTHS, RECHARGE, FINAL_LENGTHS, BYES, PROTECT)

DOUBLE_ELIMINATION_PRESET = {"consolation": "progressive", "cut_off": "nobody", "reunite": "grand-final"}


def with_defaults(options: Options, fields: Sequence[OptionField], **preset: str) -> Options:
    """Return ``options`` with the presets, and with the default of each of ``fields`` that has no value."""
    own = {option.name: option.default for option in fields} | dict(options.own) | preset
    return replace(options, own=own)


def with_lengths(options: Options) -> Options:
    """Return ``options`` with lengths for every bracket: without its own, those of the one that its players lost in."""
    own = dict(options.own)
    second = own["second_consolation_lengths"] = own["second_consolation_lengths"] or own["consolation_lengths"]
    before = second if options.flag("second_consolation") else own["consolation_lengths"]
    own["last_chance_lengths"] = own["last_chance_lengths"] or before
    return replace(options, own=own)


def shape_of(options: Options, rounds: int, edition: int = EDITION) -> Shape:
    """Return the shape of a knockout whose main bracket has this many rounds.

    Raises PlanError for choices that exclude each other.
    """
    falling = max(_falling(options, rounds), 0)
    shape = Shape(
        falling=falling,
        winless=falling == 1 and (edition == FIRST or _is_for_first_losers(options)),
        shifted=options.flag("shifted"),
        second_consolation=options.flag("second_consolation"),
        last_chance=options.choice("last_chance"),
        reunite=options.choice("reunite"),
        recharge=options.flag("recharge"),
        third_place=options.flag("third_place"),
        placed=options.flag("placed"),
        edition=edition,
    )
    _refuse_whatever_the_field(options)
    if shape.third_place and (shape.falling >= max(rounds - 1, 1) or shape.reunite != "none"):
        raise _third_place_taken()
    return shape


def _is_for_first_losers(options: Options) -> bool:
    """Whether the consolation is for those who lose their first match, in round 1 or after a bye."""
    if options.choice("consolation") == "simple":
        return True
    return options.choice("cut_off") == "round" and options.number("cut_off_round") == 1


def _falling(options: Options, rounds: int) -> int:
    """Return the last main round whose losers enter the consolation; below 1 if there is none."""
    match options.choice("consolation"), options.choice("cut_off"):
        case "none", _:
            return 0
        case "simple", _:
            return min(1, rounds - 1)
        case _, "round":
            return min(options.number("cut_off_round"), rounds - 1)
        case _, cut_off:
            stay = ("nobody", "finalists", "semifinalists", "quarterfinalists")
            return rounds - stay.index(cut_off)


def refuse_contradictions(options: Options) -> None:
    """Raise PlanError for choices that exclude each other in every field; ``option`` names the one that has to give."""
    _refuse_whatever_the_field(options)
    _refuse_without_progression(options)
    falls = options.choice("consolation") == "progressive" and options.choice("cut_off") in ("nobody", "finalists")
    if options.flag("third_place") and (falls or options.choice("reunite") != "none"):
        raise _third_place_taken()


def _refuse_without_progression(options: Options) -> None:
    """Raise PlanError for a choice that only a progressive consolation can follow."""
    chosen = {
        "cut_off": options.choice("cut_off") != CUT_OFF.default,
        "shifted": options.flag("shifted"),
        "placed": options.flag("placed"),
    }
    if options.choice("consolation") == "progressive" or not any(chosen.values()):
        return
    if chosen["cut_off"]:
        raise PlanError(
            "consolation_not_progressive",
            gettext_noop(
                "Later losers enter a progressive consolation only: choose that one above, or “all but the finalists” "
                "here."
            ),
            option="cut_off",
        )
    raise PlanError(
        "consolation_not_progressive",
        gettext_noop("This is for a progressive consolation only: choose that one, or leave this out."),
        option="shifted" if chosen["shifted"] else "placed",
    )


def _refuse_whatever_the_field(options: Options) -> None:
    consolation, reunite = options.choice("consolation"), options.choice("reunite")
    attached = {
        "second_consolation": options.flag("second_consolation"),
        "last_chance": options.choice("last_chance") != "none",
        "reunite": reunite != "none",
    }
    if consolation == "none" and any(attached.values()):
        raise PlanError(
            "consolation_missing",
            gettext_noop("A second consolation, a last chance and a meeting with the main bracket need a consolation."),
            option=next(name for name, is_wanted in attached.items() if is_wanted),
        )
    all_fall = consolation == "progressive" and options.choice("cut_off") == "nobody"
    if reunite == "grand-final" and not all_fall:
        raise PlanError(
            "grand_final_not_for_all",
            gettext_noop("A grand final needs a progressive consolation that every loser enters."),
            option="reunite",
        )
    if reunite == "second-place" and all_fall:
        raise PlanError(
            "finalist_falls",
            gettext_noop(
                "The loser of the final can play for second place only if that player does not enter the consolation."
            ),
            option="reunite",
        )


def _third_place_taken() -> PlanError:
    return PlanError(
        "third_place_taken",
        gettext_noop("A match for third place needs both losers of the semifinals, but here they play on elsewhere."),
        option="third_place",
    )


def refuse_semifinalists_twice(shape: Shape, entrants: int) -> None:
    """Raise PlanError if a player could lose a semifinal after a bye, and so play for third place and enter too."""
    if shape.third_place and shape.winless and shape.edition > FIRST and 4 < entrants < 8:
        raise PlanError(
            "third_place_taken",
            gettext_noop(
                "With 5 to 7 entrants a player who has a bye can lose their first match in a semifinal and cannot then "
                "play both for third place and in the consolation: let those enter who lose before the semifinals."
            ),
            option="third_place",
        )


def notes_on(options: Options, shape: Shape, graph: Graph, entrants: int) -> tuple[Reason, ...]:
    """Return what a director should know about this shape before the draw is published."""
    is_there = any(True for _ in graph.bracket(CONSOLATION_BRACKET))
    if options.choice("consolation") == "none" or shape.reunite == "grand-final" or is_there:
        return ()
    field = (("entrants", entrants),)
    if not shape.falling:
        empty = gettext_noop("With %(entrants)s entrants nobody enters the consolation, so there is none.")
        return (Reason("consolation_empty", empty, field),)
    alone = gettext_noop("With %(entrants)s entrants only one player would enter the consolation, so there is none.")
    return (Reason("consolation_of_one", alone, field),) if shape.edition > FIRST else ()
