"""Who stands on a list, where, and in which class. Pure."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping, Set
from datetime import date, datetime, tzinfo
from decimal import Decimal

from players.lists.values import Before, Criteria, Facts, Held, Line, Peaks, Provisional, Standing
from players.ratings import RatingSystem

NOBODY = Facts()


def months_after(day: date, months: int) -> date:
    """Return the day so many months later, or earlier if negative; the last day of a month that is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def shown(value: float, places: int) -> str:
    """Return the rating as the list shows it, with so many decimal places."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-places)))


def day_played(standing: Standing, zone: tzinfo | None) -> str:
    """Return the day there, or in UTC, on which the player's last match ended, as ISO 8601; empty without one."""
    if zone is None or not standing.last_played:
        return standing.last_played[:10]
    return datetime.fromisoformat(standing.last_played).astimezone(zone).date().isoformat()


def is_listed(facts: Facts, criteria: Criteria, as_of: date, *, last_played: str, is_provisional: bool) -> bool:
    """Whether the player stands on a list of this day, provisional or not."""
    if criteria.members and not facts.member:
        return False
    if criteria.nation and facts.nation != criteria.nation:
        return False
    if criteria.club and facts.club != criteria.club:
        return False
    if is_provisional and criteria.provisional is Provisional.LEFT_OUT:
        return False
    limit = active_from(criteria, as_of)
    return not limit or last_played >= limit


def active_from(criteria: Criteria, as_of: date) -> str:
    """Return the day from which a match keeps its players on the list, as ISO 8601; empty if none is asked for."""
    days = [criteria.active_since] if criteria.active_since else []
    if criteria.active_months:
        days.append(months_after(as_of, -criteria.active_months).isoformat())
    return min(days, default="")


def provisional_in(
    standings: Mapping[int, Standing], criteria: Criteria, system: RatingSystem, as_of: date
) -> frozenset[int]:
    """Return the players of whom the criteria or the system say that too little is known."""
    day = as_of.toordinal()
    return frozenset(
        player
        for player, one in standings.items()
        if one.rating.experience < criteria.experience or system.is_provisional(system.as_of(one.rating, day))
    )


def next_peaks(standing: Standing, value: float, matches: int, window: int) -> Peaks:
    """Return the peaks after a match that gave ``value``: of the last ``window`` ratings, those not reached since."""
    return (
        *(peak for peak in standing.peaks if peak[1] > value and peak[0] > matches - window),
        (matches, value),
    )


def peaks_within(standing: Standing, window: int) -> Peaks:
    """Return the peaks that are among the last ``window`` ratings."""
    return tuple(peak for peak in standing.peaks if peak[0] > standing.rating.matches - window) if window else ()


def highest(standing: Standing) -> float:
    """Return the highest rating after one of the last matches that are looked at; without one, the present rating."""
    return standing.peaks[0][1] if standing.peaks else standing.rating.value


def class_of(standing: Standing, criteria: Criteria, held: Held | None, as_of: date) -> Held:
    """Return the player's class on this day, after the one they had on the publication before."""
    names = [name for name, _from in criteria.classes]
    found = next((name for name, least in criteria.classes if highest(standing) >= least), names[-1])
    if held is None or held.name not in names:
        return Held(found)
    if names.index(found) > names.index(held.name) and held.until > as_of.isoformat():
        return held
    if names.index(found) < names.index(held.name):
        until = months_after(as_of, criteria.class_months).isoformat() if criteria.class_months else ""
        return Held(found, until)
    return Held(found, held.until if found == held.name else "")


def classes_of(
    standings: Mapping[int, Standing], criteria: Criteria, held: Mapping[int, Held], as_of: date
) -> dict[int, Held]:
    """Return the class of everybody with a standing; nobody has one on a list without classes."""
    if not criteria.classes:
        return {}
    return {player: class_of(one, criteria, held.get(player), as_of) for player, one in sorted(standings.items())}


def lines_of(
    standings: Mapping[int, Standing],
    facts: Mapping[int, Facts],
    held: Mapping[int, Held],
    provisional: Set[int],
    *,
    criteria: Criteria,
    before: Before,
    as_of: date,
    places: int,
    zone: tzinfo | None,
) -> list[Line]:
    """Return the lines of the list: the ranked by rating and then by id, then the provisional as the criteria say.

    Days are those of the time zone, of UTC without one.
    """
    played = {player: day_played(one, zone) for player, one in standings.items()}
    listed = {
        player: shown(one.rating.value, places)
        for player, one in standings.items()
        if is_listed(
            facts.get(player, NOBODY),
            criteria,
            as_of,
            last_played=played[player],
            is_provisional=player in provisional,
        )
    }
    ranked = _by_rating(player for player in listed.items() if player[0] not in provisional)
    rest = _by_rating(player for player in listed.items() if player[0] in provisional)
    if criteria.provisional is Provisional.BY_NAME:
        rest.sort(key=lambda one: (facts.get(one[0], NOBODY).order, one[0]))
    ranks: dict[str, list[int]] = {}
    for rank, (_player, value) in enumerate(ranked, start=1):
        ranks.setdefault(value, [rank, rank])[1] = rank

    def line(player: int, value: str) -> Line:
        one, was = standings[player], before.values.get(player)
        rank, rank_to = (0, 0) if player in provisional else ranks[value]
        return Line(
            player=player,
            rank=rank,
            rank_to=rank_to,
            value=value,
            delta=None if was is None else str(Decimal(value) - Decimal(was)),
            experience=one.rating.experience,
            matches=one.rating.matches,
            wins=one.rating.wins,
            last_played=played[player],
            provisional=player in provisional,
            class_name=held[player].name if player in held else "",
        )

    return [line(player, value) for player, value in (*ranked, *rest)]


def _by_rating(listed: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    return sorted(listed, key=lambda one: (-Decimal(one[1]), one[0]))
