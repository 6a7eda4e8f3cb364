"""Tests and examples that begin with nothing in the memory of the process."""

from django.core.cache import cache, caches
from hypothesis.extra import django

from config.quick import PARTS
from matches.counting import forget_rated
from matches.rating_line import forget_lines
from tournament.draw.kept import forget_events
from tournament.draw.standings import forget_standings
from tournament.hall.running import forget_running
from tournament.hall.surroundings import forget_surroundings
from tournament.pages.kept import MEMORY
from tournament.pages.rules.last_record import forget_records
from tournament.roles.counting import COUNTS
from tournament.snapshot.now import forget_snapshots


def forget_everything() -> None:
    """Empty the caches, and throw away what this process keeps: a test that is undone leaves ids that come again."""
    cache.clear()
    caches["limits"].clear()
    COUNTS.clear()
    MEMORY.clear()
    PARTS.clear()
    forget_events()
    forget_lines()
    forget_records()
    forget_rated()
    forget_running()
    forget_surroundings()
    forget_snapshots()
    forget_standings()


class ExampleTestCase(django.TestCase):
    """A test case of Hypothesis whose examples know nothing of each other."""

    def setup_example(self) -> None:
        super().setup_example()
        forget_everything()
