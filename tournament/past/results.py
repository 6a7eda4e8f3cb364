"""The results of a stage as they became known, moment after moment, from what is read once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from datetime import datetime

from matches.models import Match, Ruling, Scoresheet
from players.rows import with_rows
from tournament.draw.outcomes import mark_as_new, outcomes_of, results_of, sheets_as_of
from tournament.draw.rates import rate_as_of, rates_over_time
from tournament.formats import parse_options
from tournament.formats.plan import Outcome
from tournament.formats.rate_points import gives_rate_point
from tournament.models import Advance, Board, Fixture, Stage


class ResultsOverTime:
    """The outcomes of these fixtures of a stage at moments that never go back, in a fixed number of queries."""

    def __init__(self, stage: Stage, fixtures: Sequence[Fixture]) -> None:
        """Read ``fixtures`` as :func:`tournament.draw.outcomes.load_fixtures` loads them."""
        self._fixtures = {fixture.key: fixture for fixture in fixtures}
        matches = [match.pk for fixture in fixtures for match in fixture.matches.values()]
        self._sheets: dict[int, list[Scoresheet]] = defaultdict(list)
        self._rulings: dict[int, list[Ruling]] = defaultdict(list)
        self._advances: dict[int, list[Advance]] = defaultdict(list)
        sheets = Scoresheet.objects.filter(match__in=matches).prefetch_related("lines", "changes").order_by("number")
        for sheet in sheets:
            self._sheets[sheet.match_id].append(sheet)
        for ruling in Ruling.objects.filter(match__in=matches).order_by("-pk"):
            self._rulings[ruling.match_id].append(ruling)
        for advance in Advance.objects.filter(match__in=matches):
            self._advances[advance.match_id].append(advance)
        self._rate_point = gives_rate_point(parse_options(stage.format, stage.options))
        self._rates = rates_over_time(stage, frozenset(matches))
        self._times = {key: self._times_of(fixture) for key, fixture in self._fixtures.items()}
        self._known: dict[str, Outcome | None] = {}
        self._last: datetime | None = None

    def at(self, moment: datetime, keys: Collection[str]) -> Mapping[str, Outcome]:
        """Return the outcomes that were known then of the fixtures with these keys."""
        for key in keys:
            times = self._times[key]
            if key not in self._known or any(self._last is None or self._last < time <= moment for time in times):
                self._known[key] = self._outcome(self._fixtures[key], moment)
        self._last = moment
        return {key: outcome for key in keys if (outcome := self._known[key]) is not None}

    def _times_of(self, fixture: Fixture) -> list[datetime]:
        times = []
        for match in fixture.matches.values():
            for sheet in self._sheets[match.pk]:
                times += [sheet.at, *(change.at for change in sheet.changes.all())]
            times += [ruling.at for ruling in self._rulings[match.pk]]
            times += [at for at, _rates in self._rates.get(match.pk, ())]
            for advance in self._advances[match.pk]:
                times += [advance.at] + ([advance.ended_at] if advance.ended_at is not None else [])
        return times

    def _outcome(self, fixture: Fixture, moment: datetime) -> Outcome | None:
        then = copy(fixture)
        then.__dict__["_prefetched_objects_cache"] = {}  # a copy shares it with the original
        boards = fixture.boards.all() if fixture.match is None and fixture.matches else ()
        with_rows(then, "boards", [self._board(board, moment) for board in boards])
        then.match = self._match(fixture.match, moment) if fixture.match is not None else None
        return outcomes_of([then], results_of([then], rate_point=self._rate_point)).get(fixture.key)

    def _board(self, board: Board, moment: datetime) -> Board:
        then = copy(board)
        then.match = self._match(board.match, moment)
        return then

    def _match(self, match: Match, moment: datetime) -> Match:
        then = mark_as_new(copy(match))
        rate_as_of(then, self._rates.get(match.pk, ()), moment)
        for ruling in self._rulings[match.pk]:
            if ruling.at > moment:
                for name, value in ruling.before.items():
                    setattr(then, name, value)
        known = [sheet for sheet in self._sheets[match.pk] if sheet.at <= moment]
        then.open_sheets = sheets_as_of(known, moment)
        then.standing_advances = [  # type: ignore[attr-defined]
            advance
            for advance in self._advances[match.pk]
            if advance.at <= moment and (advance.ended_at is None or advance.ended_at > moment)
        ]
        return then
