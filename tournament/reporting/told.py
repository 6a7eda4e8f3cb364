"""What everybody reads of the matches that moved a rating: of which event they are, and how they ended."""

from collections.abc import Collection
from dataclasses import dataclass

from matches.claims import claim_of, score_of
from matches.models import Match, Scoresheet, SheetState
from tournament.models import Event, Fixture

CHUNK = 900


@dataclass(frozen=True, slots=True)
class ToldMatch:
    """A match that is still there, with its event, empty without one, and the winner's and the loser's score."""

    event: str = ""
    score: tuple[int, int] | None = None


def told_matches(matches: Collection[int]) -> dict[int, ToldMatch]:
    """Return what is told of those of these matches that are still there, by id, in a few queries."""
    found, ids = dict[int, ToldMatch](), sorted(set(matches))
    for place in range(0, len(ids), CHUNK):
        chunk = ids[place : place + CHUNK]
        there = Match.objects.filter(pk__in=chunk).values_list("pk", flat=True)
        events, scores = _events(chunk), _scores(chunk)
        found |= {pk: ToldMatch(events.get(pk, ""), scores.get(pk)) for pk in there}
    return found


def _events(matches: Collection[int]) -> dict[int, str]:
    found = {}
    for path in ("match", "boards__match"):
        rows = Fixture.objects.filter(**{f"{path}__in": matches}, stage__event__in=Event.objects.all())
        for pk, tournament, event in rows.values_list(path, "stage__event__tournament__name", "stage__event__name"):
            found[pk] = f"{tournament}, {event}"
    return found


def _scores(matches: Collection[int]) -> dict[int, tuple[int, int]]:
    sheets = Scoresheet.objects.filter(match__in=matches, state=SheetState.CONFIRMED)
    found = {}
    for sheet in sheets.select_related("match").prefetch_related("lines"):
        claim = claim_of(sheet)
        score = score_of(sheet.match.terms, claim.games, claim.final, claim.awarded_to)
        found[sheet.match_id] = (max(score.a, score.b), min(score.a, score.b))
    return found
