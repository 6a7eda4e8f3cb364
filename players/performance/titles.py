"""Titles for performance ratings: the limits of each body, and the best title that a player has reached."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from players.performance.matches import AnalysedMatch, Performance, counting, latest
from rules.errors import gettext_noop


@dataclass(frozen=True, slots=True)
class Title:
    """A title for a performance rating of ``limit`` or lower."""

    code: str
    name: str
    limit: Decimal


@dataclass(frozen=True, slots=True)
class TitleTable:
    """The titles of a body, the highest first, and over which matches the rating is taken.

    ``window`` is the most points of the latest matches that count (None: all), ``least`` the fewest points for a title,
    ``months`` the time from the first match within which all are played (None: any). A table is ``verified`` if all of
    this is published; one that is not claims no conformity.
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

    def title_for(self, found: Performance) -> Title | None:
        """Return the highest title for this performance; None if there are too few points, or it is for none."""
        pr = found.pr
        if pr is None or found.points < self.least:
            return None
        return next((title for title in self.titles if pr <= title.limit), None)

    def best_title(self, matches: Iterable[AnalysedMatch]) -> tuple[Title, AnalysedMatch] | None:
        """Return the highest title that the player has reached and the match with which they first did.

        A title is never lost: later matches change nothing.
        """
        played = counting(matches, shortest=self.shortest)
        best: tuple[int, AnalysedMatch] | None = None
        for number in range(1, len(played) + 1):
            title = self.title_for(self.performance(played[:number]))
            rank = self.titles.index(title) if title else len(self.titles)
            if rank < (len(self.titles) if best is None else best[0]):
                best = rank, played[number - 1]
        return None if best is None else (self.titles[best[0]], best[1])

    def performance(self, matches: Iterable[AnalysedMatch]) -> Performance:
        """Return the performance over those of the matches that count for the title."""
        played = counting(matches, shortest=self.shortest)
        if self.months is not None and played:
            last_day = months_after(played[0].day, self.months)
            played = [one for one in played if one.day <= last_day]
        return Performance(tuple(played)) if self.window is None else latest(played, self.window)


def months_after(day: date, months: int) -> date:
    """Return the day so many months later, or the last day of that month if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


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
