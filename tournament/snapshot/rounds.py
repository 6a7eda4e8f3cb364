"""What players call the brackets, rounds and matches of a draw."""

from django.utils.translation import gettext as _

from players.errors import in_words
from rules.errors import gettext_noop
from tournament.formats.challenge import LADDER
from tournament.formats.main_bracket import round_title
from tournament.snapshot.event import StageSnapshot
from tournament.snapshot.values import FixtureSnapshot

TITLES = {
    "M": gettext_noop("Main bracket"),
    "C": gettext_noop("Consolation"),
    "D": gettext_noop("Second consolation"),
    "L": gettext_noop("Last chance"),
    "F": gettext_noop("Grand final"),
    "P": gettext_noop("Match for second place"),
    "T": gettext_noop("Match for third place"),
    "E": gettext_noop("Final eight"),
    "B": gettext_noop("Buy-in bracket"),
    "BX": gettext_noop("Not in the buy-in bracket"),
    "R": gettext_noop("Round robin"),
    "S": gettext_noop("Rounds"),
    "H": gettext_noop("Ladder"),
}
ROUND_BY_ROUND = "S"
ALL_MEET_ALL = ("R", "G")


def bracket_title(bracket: str) -> str:
    """Return the name that players use for a bracket."""
    if bracket in TITLES:
        return _(TITLES[bracket])
    return (_("Group %(name)s") if bracket[0] == "G" else _("Jackpot %(name)s")) % {"name": bracket[1:]}


def round_name(stage: StageSnapshot, fixture: FixtureSnapshot) -> str:
    """Return the name of a fixture's round, such as the final or the semifinals; elsewhere its bracket or number."""
    bracket = fixture.bracket
    if bracket == LADDER:
        return _("Challenge %(number)s") % {"number": fixture.number}
    if bracket[0] in (ROUND_BY_ROUND, *ALL_MEET_ALL):
        name = _("Round %(round)s") % {"round": fixture.round}
        return name if len(bracket) == 1 else f"{bracket_title(bracket)}, {name}"
    if bracket in ("F", "P", "T"):
        return bracket_title(bracket) if fixture.round == 1 else _("Second grand final")
    if stage.ends_in_a_final(bracket):
        name = in_words(round_title(fixture.round, stage.last_rounds[bracket]))
    else:
        name = _("Round %(round)s") % {"round": fixture.round}
    return name if bracket == "M" else f"{bracket_title(bracket)}: {name}"


def match_name(stage: StageSnapshot, fixture: FixtureSnapshot) -> str:
    """Return the name of a match whose players are not known: its round, and its number unless it is alone there."""
    name = round_name(stage, fixture)
    beside = [one for one in stage.fixtures if (one.bracket, one.round) == (fixture.bracket, fixture.round)]
    if len(beside) == 1:
        return name
    return _("%(round)s, match %(number)s") % {"round": name, "number": fixture.number}
