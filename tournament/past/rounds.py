"""The rounds of a stage that is paired round by round, each with the moment at which its pairings were settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db.models import Min

from matches.models import Scoresheet
from tournament.draw.chain import pairs_continuously
from tournament.draw.outcomes import has_begun
from tournament.models import Call, Fixture, Stage


def rounds_settled(stage: Stage, fixtures: Sequence[Fixture]) -> Iterator[tuple[int, list[Fixture], datetime]]:
    """Yield each round or batch with its fixtures and the moment whose results paired it; moments never go back.

    A round is paired again with each change until play in it begins. Reads ``fixtures`` as
    :func:`tournament.draw.outcomes.load_fixtures` loads them.
    """
    rounds: dict[int, list[Fixture]] = {}
    for fixture in fixtures:
        rounds.setdefault(fixture.round, []).append(fixture)
    moment = stage.drawn_at
    stands_at_once = pairs_continuously(stage)
    for round, of_round in sorted(rounds.items()):
        times = [match.created_at for fixture in of_round for match in fixture.matches.values()]
        if not stands_at_once:
            times += _began(of_round) if any(map(has_begun, of_round)) else [_last_change(stage)]
        moment = max([*times, *([moment] if moment is not None else [])])
        yield round, of_round, moment


def paired_at(fixtures: Sequence[Fixture]) -> datetime | None:
    """Return when the last pairing of these was made as it stands; None if nobody of them meets anybody."""
    return max((match.created_at for fixture in fixtures for match in fixture.matches.values()), default=None)


def _began(fixtures: Sequence[Fixture]) -> list[datetime]:
    """Return when the first of these was reported, entered or started."""
    matches = [match.pk for fixture in fixtures for match in fixture.matches.values()]
    sheets = Scoresheet.objects.filter(match__in=matches).aggregate(first=Min("at"))["first"]
    calls = Call.objects.filter(match__in=matches).aggregate(first=Min("started_at"))["first"]
    return sorted(time for time in (sheets, calls) if time is not None)[:1]


def _last_change(stage: Stage) -> datetime:
    return stage.event.log.order_by("-at").values_list("at", flat=True)[0]
