"""What a match will do to the ratings of an official list: shown before it is decided."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from matches.models import Conclusion, Match, Scoresheet, SheetState
from players.lists.document import criteria_from_json
from players.lists.models import OfficialList, Publication, PublishedLine, StartValue
from players.lists.policy import guests_in, why_not
from players.lists.run import FULL, started, weighed
from players.lists.values import Criteria, Provisional
from players.parameters import ParameterError
from players.ratings import Rating, RatingSystem, build_system
from tournament.models import Event, Fixture
from tournament.models.team import fixture_of
from tournament.reporting.counting import lists_of
from tournament.reporting.facts import Decided, judge_all


@dataclass(frozen=True, slots=True)
class IfWon:
    """The change of both ratings if side A wins, and if side B does."""

    a_if_a: float
    b_if_a: float
    a_if_b: float
    b_if_b: float


@dataclass(frozen=True, slots=True)
class Stake:
    """What a match is worth on a list; ``number`` is that of the publication whose ratings are taken, 0 for none."""

    name: str
    number: int
    if_won: IfWon


def stakes_of_open(match: Match, at: datetime) -> list[Stake]:
    """Return what the match is worth on the lists that its event declares; nothing once it is decided, or in no draw.

    Reads :data:`tournament.models.team.PLACES` as loaded, and asks nothing in an event that declares no list.
    """
    fixture = fixture_of(match)
    if fixture is None or not fixture.stage.event.rated_for:
        return []
    if Scoresheet.objects.filter(match=match, state=SheetState.CONFIRMED).exists():
        return []
    event = fixture.stage.event
    return stakes_of(fixture, event, match, lists_of(event), at)


def stakes_of(
    fixture: Fixture, event: Event, match: Match, lists: Collection[OfficialList], at: datetime
) -> list[Stake]:
    """Return what the undecided match is worth on each of these lists for which it would count.

    Nothing is said where the ratings are not public: of guests, of players whom the criteria may have kept off the last
    publication, and of systems that look at more than rating and experience.
    """
    found = []
    for official_list in lists:
        weight = _weight(fixture, event, match, official_list, at)
        system = _system(official_list) if weight is not None else None
        if weight is None or system is None:
            continue
        newest = Publication.objects.filter(official_list=official_list).order_by("-number").defer("document").first()
        known = _ratings(official_list, system, newest, (match.side_a_id, match.side_b_id))
        if known is not None:
            number = newest.number if newest else 0
            found.append(Stake(official_list.name, number, _if_won(system, *known, match.length, weight)))
    return found


def _weight(fixture: Fixture, event: Event, match: Match, official_list: OfficialList, at: datetime) -> int | None:
    """Return how much the match would count for the list if it were played now, None if not at all."""
    sheet = Scoresheet(
        match=match,
        conclusion=Conclusion.PLAYED,
        state=SheetState.CONFIRMED,
        final_a=match.length,
        final_b=0,
        played_at=at,
    )
    decided = Decided(event, sheet, fixture.bracket, fixture.match_id != match.pk, fixture.stage.drawn_at)
    judged = next(judge_all(official_list, iter((decided,))))
    is_out = why_not(judged.policy, judged.facts) is not None or any(guests_in(judged.policy, judged.facts))
    return None if is_out else judged.weight


def _system(official_list: OfficialList) -> RatingSystem | None:
    """Return the system if rating and experience are all that it looks at."""
    try:
        system = build_system(official_list.kind, official_list.parameters)
    except ParameterError:
        return None
    return system if type(system.newcomer) is Rating and not system.counts_time else None


def _ratings(
    official_list: OfficialList, system: RatingSystem, newest: Publication | None, players: tuple[int, int]
) -> tuple[Rating, Rating] | None:
    """Return the ratings of both players on the newest publication, or as it would begin; None if one is not known."""
    known: dict[int, Rating] = {}
    starts = StartValue.objects.filter(official_list=official_list, player__in=players)
    for player, value, experience in starts.values_list("player", "value", "experience"):
        known[player] = started(system, float(value), experience)
    if newest is not None:
        known = {} if not _lists_everybody(newest) else known
        lines = PublishedLine.objects.filter(Q(publication=newest), player__in=players)
        for line in lines.order_by("place"):
            known[line.player_id] = Rating(float(line.value), line.experience, line.matches, line.wins)
    missing = [player for player in players if player not in known]
    if missing and newest is not None and not _lists_everybody(newest):
        return None
    return known.get(players[0], system.newcomer), known.get(players[1], system.newcomer)


def _lists_everybody(publication: Publication) -> bool:
    """Whether everybody with a rating stands on the publication."""
    criteria = criteria_from_json(publication.criteria)
    asked = criteria.members, criteria.nation, criteria.club, criteria.active_months, criteria.active_since
    return asked == _ASKS_NOTHING and criteria.provisional is not Provisional.LEFT_OUT


_NONE = Criteria()
_ASKS_NOTHING = _NONE.members, _NONE.nation, _NONE.club, _NONE.active_months, _NONE.active_since


def _if_won(system: RatingSystem, a: Rating, b: Rating, length: int, weight: int) -> IfWon:
    def change(winner: Rating, loser: Rating) -> tuple[float, float]:
        after = system.rate_match(winner, loser, length)
        if weight != FULL:
            after = weighed(winner, after[0], weight), weighed(loser, after[1], weight)
        return after[0].value - winner.value, after[1].value - loser.value

    a_if_a, b_if_a = change(a, b)
    b_if_b, a_if_b = change(b, a)
    return IfWon(a_if_a, b_if_a, a_if_b, b_if_b)
