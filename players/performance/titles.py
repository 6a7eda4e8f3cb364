"""Titles for performance ratings and norms: the table of each body, as data, and what matches come to by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from players.performance.matches import AnalysedMatch, Performance, counting, latest, months_after
from players.performance.norms import BotNorm
from rules.errors import gettext_noop


@dataclass(frozen=True, slots=True)
class Title:
    """A title for a performance rating of ``limit`` or lower (None: whatever it is), and for ``norms`` held."""

    code: str
    name: str
    limit: Decimal | None
    norms: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """What matches come to: their points, and the sum of the ratings, each as often as the length of its match."""

    points: int = 0
    total: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class TitleTable:
    """The titles of a body, the highest first, and over which matches the rating is taken.

    ``window`` is the most points of the latest matches that count (None: all), ``least`` the fewest points for a title,
    ``months`` the time from the first match within which all are played (None: any). ``norm`` is the rule of the norms
    that follow from such matches, if the body has one. With ``clocked`` only matches with a clock count, with
    ``sanction`` only those of events that the body has approved, and with ``members`` only its members have titles. A
    table is ``verified`` if all of this is published; one that is not claims no conformity.
    """

    slug: str
    name: str
    source: str
    verified: bool
    titles: tuple[Title, ...]
    least: int
    shortest: int = 1
    window: int | None = None
    months: int | None = None
    norm: BotNorm | None = None
    clocked: bool = True
    sanction: bool = True
    members: bool = True

    def title_for(self, found: Performance | Tally, thirds: int = 0) -> Title | None:
        """Return the highest title for this performance and so many thirds of norms; None if it is for none."""
        return next((title for title in self.titles if self.earns(title, found, thirds)), None)

    def earns(self, title: Title, found: Performance | Tally, thirds: int) -> bool:
        """Whether the performance, over enough points, and the norms are enough for the title."""
        if thirds < 3 * title.norms:
            return False
        if title.limit is None:
            return title.norms > 0
        return found.points >= max(self.least, 1) and found.total <= title.limit * found.points

    def performance(self, matches: Iterable[AnalysedMatch]) -> Performance:
        """Return the performance over those of the matches that count for the title."""
        played = self._within(self._counting(matches))
        return Performance(tuple(played)) if self.window is None else latest(played, self.window)

    def tallies(self, matches: Iterable[AnalysedMatch]) -> list[tuple[date, Tally]]:
        """Return what the performance was after each match that counts, oldest first, with the day of the match."""
        played = self._within(self._counting(matches))
        found, first, points, total = list[tuple[date, Tally]](), 0, 0, Decimal(0)
        for one in played:
            points, total = points + one.length, total + one.length * (one.pr or Decimal(0))
            while self.window is not None and points > self.window:
                gone = played[first]
                points, total, first = points - gone.length, total - gone.length * (gone.pr or Decimal(0)), first + 1
            found.append((one.day, Tally(points, total)))
        return found

    def _counting(self, matches: Iterable[AnalysedMatch]) -> list[AnalysedMatch]:
        return counting(matches, shortest=self.shortest, clocked=self.clocked, approved=self.sanction)

    def _within(self, played: list[AnalysedMatch]) -> list[AnalysedMatch]:
        """Return those of the matches, oldest first, that are within the months from the first."""
        if self.months is None or not played:
            return played
        last_day = months_after(played[0].day, self.months)
        return [one for one in played if one.day <= last_day]


TITLES: dict[str, TitleTable] = {
    table.slug: table
    for table in (
        # The limits, the length and the window are published. How many points a title needs could not be read.
        TitleTable(
            slug="bmab",
            name=gettext_noop("BMAB"),
            source="usbgf.org, Backgammon Masters Awarding Body; ausbgf.org.au/about-bmab",
            verified=False,
            titles=(
                Title("SGM", gettext_noop("Super Grandmaster"), Decimal("2.5")),
                Title("GM", gettext_noop("Grandmaster"), Decimal(4)),
                Title("M", gettext_noop("Master"), Decimal("6.5")),
                Title("A", gettext_noop("Advanced"), Decimal(10)),
                Title("I", gettext_noop("Intermediate"), Decimal(16)),
            ),
            least=200,
            shortest=7,
            window=300,
        ),
        # The limits and the nine months are published. How many points a title needs could not be read.
        TitleTable(
            slug="bg-cbid",
            name=gettext_noop("Backgammon-Club der Besten in Deutschland"),
            source="bgverband.de/live-backgammon/cbid/ausschreibung",
            verified=False,
            titles=(
                Title("GM", gettext_noop("Grandmaster"), Decimal(5)),
                Title("M", gettext_noop("Master"), Decimal("6.5")),
                Title("CM", gettext_noop("Candidate Master"), Decimal(8)),
            ),
            least=100,
            months=9,
        ),
    )
}
"""The tables of titles, by slug; ``dataclasses.replace`` makes one with other numbers."""
