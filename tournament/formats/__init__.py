"""The formats in which an event can be drawn. A new one needs a module and a line in ``FORMATS``."""

from collections.abc import Mapping

from tournament.formats.buy_in import KnockoutWithBuyIns
from tournament.formats.consolation import Consolation, DoubleElimination
from tournament.formats.fighters import FightersBracket
from tournament.formats.format import Format
from tournament.formats.gsl import Gsl
from tournament.formats.jackpot import Jackpot
from tournament.formats.ladder import Ladder
from tournament.formats.league import League
from tournament.formats.lives_bracket import LivesBracket
from tournament.formats.options import Options
from tournament.formats.pools import Pools
from tournament.formats.round_robin import RoundRobin
from tournament.formats.single_elimination import SingleElimination
from tournament.formats.swiss import Monrad, Swiss
from tournament.formats.swiss_lives import SwissLives

FORMATS: dict[str, Format] = {
    SingleElimination.slug: SingleElimination(),
    Consolation.slug: Consolation(),
    DoubleElimination.slug: DoubleElimination(),
    FightersBracket.slug: FightersBracket(),
    KnockoutWithBuyIns.slug: KnockoutWithBuyIns(),
    LivesBracket.slug: LivesBracket(),
    RoundRobin.slug: RoundRobin(),
    Swiss.slug: Swiss(),
    Monrad.slug: Monrad(),
    SwissLives.slug: SwissLives(),
    Pools.slug: Pools(),
    Gsl.slug: Gsl(),
    League.slug: League(),
    Jackpot.slug: Jackpot(),
    Ladder.slug: Ladder(),
}

SIMULATED: dict[str, Format] = {slug: format for slug, format in FORMATS.items() if not format.pairs_on_challenge()}
"""The formats that can be forecast: in all others players choose their opponents, so that a guess would be needed."""


def choices() -> list[tuple[str, str]]:
    """Return the slug and English name of every format, for a model field's ``choices``."""
    return [(format.slug, format.name) for format in FORMATS.values()]


def parse_options(slug: str, data: Mapping[str, object]) -> Options:
    """Read the options in ``data`` for the format ``slug``. Raises PlanError for options that it does not have."""
    return Options.parse(data, FORMATS[slug].fields)
