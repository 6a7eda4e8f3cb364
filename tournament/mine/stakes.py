"""What follows for an entry from winning or losing its open match, by the plan of the draw: nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from matches.ratings import as_listed
from players.models import Rating
from players.ratings import RATINGS
from players.ratings import Rating as Strength
from tournament.draw.chain import Chain
from tournament.formats import FORMATS
from tournament.formats.advance import Advanced, retrace
from tournament.formats.jackpot import Jackpot
from tournament.formats.plan import Entrant, LoserOf, LoserOfRound, Outcome, Pairing, Placing, Plan, Seat, WinnerOf
from tournament.mine.places import names_in, ranking_name
from tournament.models import Stage
from tournament.money.accounts import Ledger
from tournament.prizes import Currency
from tournament.reporting.stakes import Stake as Official
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureSnapshot, StageSnapshot

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Stake:
    """What follows from one result. ``next`` is the pairing in which the entry then sits, against ``opponent``.

    The opponent is a name, or whom the entry waits for. ``place`` to ``place_to`` are then possible in the ``section``
    that the match is played for, or in the whole field; without ``next`` they are where the entry ends. ``prizes`` are
    then certain in each list that pays, by the name of its ranking, in the smallest unit. Rankings have names where
    there are several: ``ranking`` is that of the places. ``ratings`` are the changes of the entry's rating, by system.
    ``tells_place`` is false where the places say nothing: they are the same either way, or those of another bracket.
    """

    is_win: bool
    next: Pairing | None = None
    opponent: str = ""
    place: int = 0
    place_to: int = 0
    section: str = ""
    ranking: str = ""
    prizes: tuple[tuple[str, int], ...] = ()
    currency: Currency | None = None
    ratings: tuple[tuple[str, Decimal], ...] = ()
    tells_place: bool = True

    @property
    def is_known(self) -> bool:
        """Whether there is anything to say."""
        return self.next is not None or self.place > 0 or bool(self.ratings)


def stakes_of(
    chain: Chain,
    snapshot: EventSnapshot,
    fixture: FixtureSnapshot,
    entry_id: int,
    ledger: Ledger | None = None,
    official: Sequence[Official] = (),
) -> tuple[Stake, ...]:
    """Return what follows from winning and from losing the fixture, as far as it is known.

    Who meets whom is said where a bracket decides it. Where rounds are paired by results, or lots place the losers of a
    round, only the rating is. Ratings are those of today's list, then what the match is worth on ``official`` lists.
    """
    a, b = fixture.a.entry, fixture.b.entry
    if a is None or b is None:
        return ()
    me, other = (a, b) if a.id == entry_id else (b, a)
    moves = _rating_moves(me, other, fixture.length)
    if moves:
        moves += [_own_moves(one, is_side_a=me is a) for one in official]
    (stage,) = (one for one in chain.stages if any(fixture in shown.fixtures for shown in _stage(snapshot, one)))
    (shown,) = _stage(snapshot, stage)
    run = _run_of(chain, stage)
    found = []
    for is_win in (True, False):
        outcome = Outcome(me.id, other.id) if is_win else Outcome(other.id, me.id)
        ratings = tuple((system, won if is_win else lost) for system, won, lost in moves)
        plan = _plan_with(stage, run, fixture.key, outcome) or _jackpots_with(chain, stage, fixture.key, outcome)
        found.append(_stake(plan, shown, fixture, me.id, is_win=is_win, ratings=ratings, ledger=ledger))
    if len({(stake.place, stake.place_to) for stake in found}) == 1:
        found = [replace(stake, tells_place=False) for stake in found]
    return tuple(stake for stake in found if stake.is_known)


def _stage(snapshot: EventSnapshot, stage: Stage) -> list[StageSnapshot]:
    return [one for one in snapshot.stages if one.id == stage.pk]


def _run_of(chain: Chain, stage: Stage) -> Advanced | None:
    """Return how far the stage's knockout is advanced; None in another format, or where lots place losers."""
    run = chain.runs.get(stage.pk) or chain.at(stage).plan.run
    return None if run is None or run.graph.places_losers else run


def _plan_with(stage: Stage, run: Advanced | None, key: str, outcome: Outcome) -> Plan | None:
    """Return the plan of the stage after one more outcome; None where only a draw to come would tell."""
    if run is None or key not in run.graph.index:
        return None
    after = retrace(run, {**run.outcomes, key: outcome})
    return None if after is None else FORMATS[stage.format].plan_after(after)


def _jackpots_with(chain: Chain, stage: Stage, key: str, outcome: Outcome) -> Plan | None:
    """Return the plan of a stage of jackpots after one more outcome; None in another format."""
    if stage.format != Jackpot.slug:
        return None
    draw = chain.at(stage).draw
    return FORMATS[stage.format].plan(replace(draw, outcomes={**draw.outcomes, key: outcome}))


def _stake(
    plan: Plan | None,
    stage: StageSnapshot,
    fixture: FixtureSnapshot,
    entry: int,
    *,
    is_win: bool,
    ratings: tuple[tuple[str, Decimal], ...],
    ledger: Ledger | None,
) -> Stake:
    if plan is None:
        return Stake(is_win, ratings=ratings)
    decided = {one.key for one in stage.fixtures if one.a.is_winner or one.b.is_winner or one.is_void}
    coming = (one for one in plan.pairings if entry in one.entrant_ids and not one.is_bye)
    next = min(
        (one for one in coming if one.key != fixture.key and one.key not in decided),
        key=lambda one: one.round,
        default=None,
    )
    section, placing = _placing(plan, next.bracket if next else fixture.bracket, entry)
    opponent = _opponent(stage, next, entry) if next is not None else ""
    if placing is None:
        return Stake(is_win, next, opponent, ratings=ratings)
    own_section, _placed = _placing(plan, fixture.bracket, entry)
    return Stake(
        is_win,
        next,
        opponent,
        placing.place,
        placing.place_to,
        section,
        ranking_name(section, is_one_of_several=bool(plan.sections)),
        prizes=_prizes(ledger, plan, entry, is_settled=next is None),
        currency=ledger.currency if ledger is not None else None,
        ratings=ratings,
        tells_place=next is None or section == own_section,
    )


def _placing(plan: Plan, bracket: str, entry: int) -> tuple[str, Placing | None]:
    """Return the entry's places in the ranking that this bracket is played for: a section, or the whole field as ""."""
    for section in plan.sections:
        if section.bracket == bracket and section.placings is not None:
            return bracket, _find(section.placings, entry)
    return "", _find(plan.placings or (), entry)


def _find(placings: Sequence[Placing], entry: int) -> Placing | None:
    return next((one for one in placings if one.entrant == entry), None)


def _opponent(stage: StageSnapshot, pairing: Pairing, entry: int) -> str:
    """Return whom the entry meets there: a name, or whose winner or loser."""
    mine_is_a = isinstance(pairing.a, Entrant) and pairing.a.id == entry
    return seat_in_words(stage, pairing.b if mine_is_a else pairing.a)


def seat_in_words(stage: StageSnapshot, seat: Seat) -> str:
    """Return who sits there, or who will come: the winner of Ann – Bo."""
    match seat:
        case Entrant():
            return seat.name
        case WinnerOf(key):
            return _("the winner of %(match)s") % {"match": names_in(stage, key)}
        case LoserOf(key):
            return _("the loser of %(match)s") % {"match": names_in(stage, key)}
        case LoserOfRound(round):
            return _("a loser of round %(round)s") % {"round": round}
    return ""


def _prizes(ledger: Ledger | None, plan: Plan, entry: int, *, is_settled: bool) -> tuple[tuple[str, int], ...]:
    """Return the prizes that are certain, by the name of their ranking."""
    found = []
    for one in ledger.prize_lists if ledger is not None else ():
        section, placing = _placing(plan, one.section, entry)
        if placing is not None and section == one.section and (prize := _prize(one.prizes, placing, is_settled)):
            found.append((ranking_name(section, is_one_of_several=bool(plan.sections)), prize))
    return tuple(found)


def _prize(prizes: Sequence[int], placing: Placing, is_settled: bool) -> int:
    """Return the prize that is certain: that of the worst place, or once places are shared an equal part of theirs."""
    if not is_settled:
        return prizes[placing.place_to - 1] if placing.place_to <= len(prizes) else 0
    return sum(prizes[placing.place - 1 : placing.place_to]) // (placing.place_to - placing.place + 1)


def _own_moves(stake: Official, *, is_side_a: bool) -> tuple[str, Decimal, Decimal]:
    """Return the list with how the rating of this side moves with a win and with a loss, to two decimal places."""
    worth = stake.if_won
    won, lost = (worth.a_if_a, worth.a_if_b) if is_side_a else (worth.b_if_b, worth.b_if_a)
    return stake.name, Decimal(won).quantize(HUNDREDTH), Decimal(lost).quantize(HUNDREDTH)


def _rating_moves(me: EntrySnapshot, other: EntrySnapshot, length: int) -> list[tuple[str, Decimal, Decimal]]:
    """Return for each list how the rating of a single player moves with a win and with a loss."""
    if any(entry.partner_id is not None or entry.members for entry in (me, other)):
        return []
    known: dict[tuple[str, int], Strength] = {}
    lines = Rating.objects.filter(ranking_list__system__in=RATINGS, player__in=[me.player_id, other.player_id])
    for line in lines.select_related("ranking_list"):
        strength = Strength(float(line.value), line.experience, line.matches, line.wins)
        known[line.ranking_list.system, line.player_id] = strength
    found = []
    for slug, system in RATINGS.items():
        mine, theirs = (known.get((slug, one.player_id), system.newcomer) for one in (me, other))
        won, _theirs = system.rate_match(mine, theirs, length)
        _winner, lost = system.rate_match(theirs, mine, length)
        found.append((system.name, as_listed(won.value - mine.value), as_listed(lost.value - mine.value)))
    return found
