"""Single fixtures with all that decides them, read by statements that are built once: one, or those changed since."""

from collections.abc import Callable

from django.db.models import QuerySet, prefetch_related_objects

from matches.models import Match, Scoresheet
from players.statements import Statement
from tournament.draw.outcomes import mark_as_new
from tournament.models import Advance, Call, Fixture


class FixtureStatement:
    """Reads the fixtures that ``found`` finds, between players or pairs, as ``read_fixtures`` does with names.

    See :func:`tournament.draw.outcomes.read_fixtures`.
    """

    def __init__(self, found: Callable[..., QuerySet[Fixture]]) -> None:
        def matches(*given: int) -> QuerySet:
            return found(*given).order_by().values("match")

        self._fixtures = Statement(lambda *given: found(*given).select_related("match"))
        opened = Scoresheet.objects.filter(state__in=Scoresheet.OPEN).select_related("claimed_by")
        self._sheets = Statement(lambda *given: opened.filter(match__in=matches(*given)))
        called = Call.objects.filter(left_at=None).select_related("table")
        self._calls = Statement(lambda *given: called.filter(match__in=matches(*given)))
        standing = Advance.objects.filter(ended_at=None)
        self._advances = Statement(lambda *given: standing.filter(match__in=matches(*given)))

    def read(self, *given: int) -> list[Fixture]:
        """Read the fixtures found for these numbers; it takes four queries, and one for games if there are any."""
        fixtures = self._fixtures.find(Fixture, *given)
        matches = {fixture.match.pk: mark_as_new(fixture.match) for fixture in fixtures if fixture.match is not None}
        for match in matches.values():
            # Two rows that refer to each other stay in memory until the garbage collector runs.
            Match._meta.get_field("fixture").delete_cached_value(match)
        if not matches:
            return fixtures
        sheets = self._sheets.find(Scoresheet, *given)
        prefetch_related_objects([sheet for sheet in sheets if sheet.final_a is None], "lines")
        for rows, name in (
            (sheets, "open_sheets"),
            (self._calls.find(Call, *given), "open_calls"),
            (self._advances.find(Advance, *given), "standing_advances"),
        ):
            for row in rows:
                if row.match_id in matches:  # one that has been committed since the fixtures were read is not
                    getattr(matches[row.match_id], name).append(row)
        return fixtures


CHANGED = FixtureStatement(lambda event, version: Fixture.objects.filter(stage__event=event, version__gt=version))
"""Given an event and a version of it: its fixtures that have changed since."""

ONE = FixtureStatement(lambda pk: Fixture.objects.filter(pk=pk))
"""Given its id: one fixture."""
