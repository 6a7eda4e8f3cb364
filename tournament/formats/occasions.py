"""The occasions on which clubs play, each with the format and options that suit it. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.formats.consolation import Consolation
from tournament.formats.jackpot import Jackpot
from tournament.formats.league import League
from tournament.formats.swiss import Swiss
from tournament.formats.swiss_lives import SwissLives


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """An occasion with its format. Texts are English, to be translated.

    ``options`` are those that differ from the defaults of the format; the ones in ``asks`` are asked for by the form.
    ``tournament`` is what a tournament of this kind is called before its day, ``event`` what its event is called, and
    ``days`` how many days it lasts.
    """

    slug: str
    name: str
    description: str
    format: str
    options: Mapping[str, object]
    asks: tuple[str, ...] = ()
    tournament: str
    event: str
    days: int = 1


OCCASIONS: Mapping[str, Occasion] = {
    occasion.slug: occasion
    for occasion in (
        Occasion(
            slug="club-evening",
            name=gettext_noop("Club evening"),
            description=gettext_noop("A short knockout, and a consolation for those who lose their first match."),
            format=Consolation.slug,
            options={"lengths": [7, 5], "consolation": "simple"},
            tournament=gettext_noop("Club night"),
            event=gettext_noop("Main"),
        ),
        Occasion(
            slug="weekend",
            name=gettext_noop("Weekend championship"),
            description=gettext_noop("A long knockout with a consolation that later losers enter, and a last chance."),
            format=Consolation.slug,
            options={
                "lengths": [13, 11, 9],
                "consolation_lengths": [9, 7],
                "last_chance": "full",
                "last_chance_lengths": [5],
            },
            tournament=gettext_noop("Championship"),
            event=gettext_noop("Championship"),
            days=2,
        ),
        Occasion(
            slug="swiss-rounds",
            name=gettext_noop("Swiss"),
            description=gettext_noop(
                "A fixed number of rounds: everyone plays in each, against equally strong results."
            ),
            format=Swiss.slug,
            options={"lengths": [7], "rounds": 5},
            asks=("rounds",),
            tournament=gettext_noop("Swiss"),
            event=gettext_noop("Swiss"),
        ),
        Occasion(
            slug="swiss-lives",
            name=gettext_noop("Swiss with lives"),
            description=gettext_noop("Four losses put a player out; play ends when only one has fewer than three."),
            format=SwissLives.slug,
            options={"lengths": [7], "lives": 4, "stop": "ahead"},
            tournament=gettext_noop("Swiss"),
            event=gettext_noop("Swiss"),
        ),
        Occasion(
            slug="season",
            name=gettext_noop("League"),
            description=gettext_noop("Everyone meets everyone over several weeks, in up to 32 entries."),
            format=League.slug,
            options={"lengths": [9]},
            asks=("home_and_away",),
            tournament=gettext_noop("League"),
            event=gettext_noop("League"),
        ),
        Occasion(
            slug="side-jackpot",
            name=gettext_noop("Jackpot"),
            description=gettext_noop("Small knockouts, each starting when it is full; players may enter again."),
            format=Jackpot.slug,
            options={"lengths": [5], "size": "8"},
            asks=("size",),
            tournament=gettext_noop("Jackpot"),
            event=gettext_noop("Jackpot"),
        ),
    )
}
