"""The options of a knockout with buy-ins."""

from __future__ import annotations

from dataclasses import replace

from rules.errors import gettext_noop
from tournament.formats.knockout_options import BYES, FINAL_LENGTHS
from tournament.formats.options import PROTECT, OptionField, OptionKind

BUY_IN_ROUNDS = OptionField(
    name="buy_in_rounds",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Last round whose losers may buy in"),
    default=1,
    least=1,
    most=9,
    help=gettext_noop("Losers can buy in until the round after it is over. Then the buy-in bracket is drawn."),
)

BUY_INS = OptionField(
    name="buy_ins",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Buy-ins per player"),
    default=1,
    least=1,
    most=4,
    help=gettext_noop("Several entries of one player never meet in the first round of the buy-in bracket."),
)

BUY_IN_PLACES = OptionField(
    name="buy_in_places",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Buy-ins in total"),
    default=0,
    least=0,
    most=512,
    help=gettext_noop("The most that are taken; 0 means no limit."),
)

BUY_IN_LENGTHS = OptionField(
    name="buy_in_lengths",
    kind=OptionKind.LENGTHS,
    label=gettext_noop("Buy-in bracket match lengths"),
    default=(),
    help=gettext_noop("The final first. If left empty, the lengths of the main bracket apply."),
)

BUY_IN_REUNITE = OptionField(
    name="reunite",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Buy-in bracket and main bracket meet"),
    default="none",
    choices=(
        ("none", gettext_noop("not at all: the buy-in bracket has a ranking of its own")),
        ("grand-final", gettext_noop("the two winners play a grand final")),
    ),
)

GRAND_FINAL_LENGTHS = replace(FINAL_LENGTHS, label=gettext_noop("Grand final match length"))

BUY_IN_FIELDS = (
    BUY_IN_ROUNDS,
    BUY_INS,
    BUY_IN_PLACES,
    BUY_IN_LENGTHS,
    BUY_IN_REUNITE,
    GRAND_FINAL_LENGTHS,
    BYES,
    PROTECT,
)
