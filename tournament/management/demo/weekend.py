"""The demo of a first start: a weekend with six kinds of play, as it stands in the afternoon of its second day.

Yesterday a warm-up was played to its end, the doubles began, and a first jackpot filled. Today the championship is in
its semifinals and its consolation, a Swiss is in its third round, and somebody waits for the third jackpot.

Everything random comes from one ``random.Random``, so that the same seed gives the same draws and the same results.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from django.db import transaction

from matches.claims import Claim
from matches.models import Match
from matches.ratings import rate_matches
from players.models import Player, User
from rules.score import Side
from rules.sheet import GameResult
from tournament.draw.make import make_draw
from tournament.draw.secret import OPEN_NONCE
from tournament.draw.standings import store_standings
from tournament.entries.attendance import check_in, leave_event, set_door
from tournament.entries.lists import EntryLine
from tournament.entries.report import report_by_link
from tournament.entries.services import add_entries
from tournament.events.services import create_event, create_tournament, finish_event
from tournament.events.terms import EventTerms
from tournament.hall.tables import add_break, add_tables, update_table
from tournament.management.demo.fees import (
    BY_ROUNDS,
    EACH_JACKPOT,
    KRONE,
    ONE_IN_FOUR,
    THREE_BRACKETS,
    pay_fees,
    pay_prizes,
    terms_in_kroner,
)
from tournament.management.demo.hall import Course, Hall, Sitting
from tournament.management.demo.login import ensure_director
from tournament.management.demo.names import invent_players
from tournament.models import Departure, Event, Tournament
from tournament.money.services import set_money
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.prizes import PrizeTable
from tournament.results.walkovers import walk_over

TABLES = 18
STREAMED = 1
ZONE = "Europe/Copenhagen"
IN_CHAMPIONSHIP, IN_SWISS, PAIRS, SEEDS = 33, 12, 8, 8
MAIN, CONSOLATION, LAST_CHANCE, SWISS = "M", "C", "L", "S"


@transaction.atomic
def build_first_demo(*, login: Path, seed: int, now: datetime) -> Tournament | None:
    """Make the demo, whole or not at all; None if the installation has a tournament already.

    Where there was no user either, its director is the first administrator of the site: nobody else could make one
    without a shell.
    """
    if Tournament.everything.exists():
        return None
    nobody_here = not User.objects.exists()
    director = ensure_director(login)
    if nobody_here:
        director.is_superuser = True
        director.save(update_fields=["is_superuser"])
    return build_weekend(by=director, seed=seed, now=now)


@transaction.atomic
def build_weekend(*, name: str = "Demo Open", by: User, seed: int, now: datetime) -> Tournament:
    """Make the weekend as it stands ``now``, with its standings and the ranking list."""
    return Weekend(name=name, by=by, rng=Random(seed), now=now).build()


class Weekend:
    """The weekend: its events, and what happens in them beside the matches that the hall plays."""

    def __init__(self, *, name: str, by: User, rng: Random, now: datetime) -> None:
        self.by, self.rng, self.now = by, rng, now
        self.announced = now - timedelta(days=21)
        self.ago = {
            "warm-up": self._quarter(hours=25),
            "doubles": self._quarter(hours=22),
            "jackpot": self._quarter(hours=21),
            "championship": self._quarter(minutes=200),
            "swiss": self._quarter(minutes=110),
        }
        zone = ZoneInfo(ZONE)
        self.tournament = create_tournament(
            name=name,
            starts_on=self.ago["warm-up"].astimezone(zone).date(),
            ends_on=now.astimezone(zone).date(),
            place="København",
            time_zone=ZONE,
            by=by,
            at=self.announced,
        )
        people = invent_players(IN_CHAMPIONSHIP + IN_SWISS + 2 * PAIRS - 2, rng=rng, at=self.announced)
        self.of_doubles = _with_names_of_their_own(people)[: 2 * PAIRS - 2]
        others = [player for player in people if player not in self.of_doubles]
        self.field, self.of_swiss = others[:IN_CHAMPIONSHIP], others[IN_CHAMPIONSHIP:]
        self.skills = {player.pk: rng.uniform(-0.12, 0.12) for player in people}
        self.hall = Hall(self.tournament, tables=TABLES, skills=self.skills, rng=rng, by=by, now=now)

    def _quarter(self, **before: float) -> datetime:
        """Return the last quarter of an hour that was at least so long before now."""
        moment = self.now - timedelta(**before)
        return moment.replace(minute=moment.minute // 15 * 15, second=0, microsecond=0)

    def build(self) -> Tournament:
        self._set_up_hall()
        self._announce_events()
        self._take_entries()
        self._plan_yesterday()
        self._plan_championship()
        self._plan_swiss()
        self._plan_the_last_minutes()
        self.hall.run()
        for event in self.tournament.events.all():
            store_standings(event.pk)
        rate_matches("fibs", at=self.now)
        return self.tournament

    # Before the weekend.

    def _set_up_hall(self) -> None:
        at = self.announced
        add_tables(self.tournament, first=1, last=TABLES, by=self.by, at=at)
        update_table(self.tournament, number=STREAMED, event=None, streamed=True, out_of_order=False, by=self.by, at=at)
        dinner = self._quarter(minutes=-90)
        add_break(
            self.tournament,
            name="Dinner",
            starts_at=dinner,
            ends_at=dinner + timedelta(minutes=45),
            by=self.by,
            at=at,
        )

    def _announce_events(self) -> None:
        starts = self.ago
        self.warm_up = self._announce("Warm-up", "single-elimination", {"lengths": [7, 5]}, starts["warm-up"])
        options: dict[str, object] = {
            "lengths": [11, 9, 7],
            "seeding": "seeded",
            "protect": "club",
            "consolation_lengths": [7, 5],
            "last_chance": "full",
            "last_chance_lengths": [5, 3],
        }
        self.championship = self._announce("Championship", "consolation", options, starts["championship"])
        self.swiss = self._announce("Swiss", "swiss", {"lengths": [5], "rounds": 5}, starts["swiss"])
        self.doubles = self._announce(
            "Doubles", "single-elimination", {"lengths": [9, 7, 5]}, starts["doubles"], doubles=True
        )
        self.jackpot = self._announce("Jackpot", "jackpot", {"lengths": [5, 3], "size": "4"}, starts["jackpot"])
        for event, terms in (
            (self.warm_up, terms_in_kroner(100, BY_ROUNDS)),
            (
                self.championship,
                terms_in_kroner(600, THREE_BRACKETS, registration=50, rake_percent=10, added=2_000),
            ),
            (self.swiss, terms_in_kroner(200, ONE_IN_FOUR, rake_percent=10)),
            (self.doubles, terms_in_kroner(200, BY_ROUNDS)),
            (self.jackpot, terms_in_kroner(100, EACH_JACKPOT)),
        ):
            set_money(event, terms, by=self.by, at=self.announced)
        self.side_pool = open_side_pool(
            self.championship,
            name="Side pool",
            fee=300 * KRONE,
            table=PrizeTable("template", "two"),
            by=self.by,
            at=self.announced,
        )
        set_door(self.championship, max_entries=32, check_in=True, late_minutes=5, by=self.by, at=self.announced)

    def _announce(
        self, name: str, format: str, options: dict[str, object], starts_at: datetime, *, doubles: bool = False
    ) -> Event:
        terms = EventTerms(name=name, format=format, options=options, starts_at=starts_at, doubles=doubles)
        nonce = f"{OPEN_NONCE}{self.rng.getrandbits(128):032x}"
        return create_event(self.tournament, terms, nonce=nonce, by=self.by, at=self.announced)

    def _take_entries(self) -> None:
        """Enter everyone in the weeks before; one player falls ill, and the one who waits moves up."""
        at = self.now - timedelta(days=6)
        ill = min(self.field[SEEDS:-1], key=lambda player: self.skills[player.pk])
        best = sorted(self.field, key=lambda player: -self.skills[player.pk])[:SEEDS]
        lines = [
            replace(_line(player), seed=best.index(player) + 1 if player in best else None) for player in self.field
        ]
        self._enter(self.championship, lines, at)
        self._enter(self.swiss, [_line(player) for player in self.of_swiss], at + timedelta(minutes=10))
        mixed = _with_names_of_their_own([player for player in self.field if player not in (ill, *best)])[:2]
        self._enter(self.doubles, _pairs([*self.of_doubles, *mixed]), at + timedelta(minutes=20))
        healthy = [player for player in self.field if player != ill]
        of_warm_up = [*self.rng.sample(healthy, 4), *self.rng.sample([*self.of_doubles, *self.of_swiss], 4)]
        self._enter(self.warm_up, [_line(player) for player in of_warm_up], at + timedelta(minutes=30))
        absent = self.championship.entries.get(player=ill)
        at = self.now - timedelta(days=2)
        leave_event(absent, kind=Departure.WITHDRAWN, reason="Influenza", by=self.by, at=at)
        for entry in self.rng.sample(list(self.championship.entries.filter(left_at__isnull=True)), 14):
            at += timedelta(minutes=7)
            join_side_pool(self.side_pool, entry=entry, by=self.by, at=at)

    def _enter(self, event: Event, lines: Sequence[EntryLine], at: datetime) -> None:
        numbered = [replace(line, line=number) for number, line in enumerate(lines, start=1)]
        add_entries(event, lines=numbered, by=self.by, at=at)

    # The first day.

    def _plan_yesterday(self) -> None:
        starts = self.ago["warm-up"]
        self._open_the_door(self.warm_up, starts)
        warm_up = Course(self.warm_up, {MAIN: 2}, featured=frozenset({MAIN}), when_over=self._end_warm_up)
        self._draw_and_play(warm_up, starts)
        starts = self.ago["doubles"]
        self._open_the_door(self.doubles, starts, unpaid=1)
        self._draw_and_play(Course(self.doubles, {MAIN: 1}, {(MAIN, 2): self.now - timedelta(minutes=25)}), starts)
        self._plan_jackpots()

    def _end_warm_up(self, at: datetime) -> None:
        del self.hall.courses[self.warm_up.pk]
        finish_event(self.warm_up, by=self.by, at=at)
        self.hall.plan(at + timedelta(minutes=4), partial(pay_prizes, self.warm_up, rng=self.rng, by=self.by))
        self.hall.plan(at + timedelta(minutes=5), partial(rate_matches, "fibs"))

    def _plan_jackpots(self) -> None:
        """Fill the first jackpot yesterday, the second today; then somebody who was knocked out enters again."""
        starts = self.ago["jackpot"]
        first = self.rng.sample(self.of_swiss, 4)
        self.hall.plan(starts - timedelta(minutes=9), partial(self._enter_jackpot, first))
        self._draw_and_play(Course(self.jackpot, {"J": 2}), starts)
        self.hall.plan(self.now - timedelta(minutes=72), self._fill_second_jackpot)
        self.hall.plan(self.now - timedelta(minutes=9), self._enter_again)

    def _fill_second_jackpot(self, at: datetime) -> None:
        """Enter four players who are out of the doubles."""
        out = [sitting.entry_at(sitting.winner.other) for sitting in self._played(self.doubles)]
        people = [person for entry in out for person in entry.people if person in self.of_doubles]
        *three, last = self.rng.sample(people, 4)
        later = at + timedelta(minutes=22)
        self._enter_jackpot(three, at)
        self.hall.plan(later, partial(self._enter_jackpot, [last]))
        self.hall.plan(later, self.hall.call)

    def _enter_jackpot(self, players: Sequence[Player], at: datetime) -> None:
        self._enter(self.jackpot, [_line(player) for player in players], at)
        entered = self.jackpot.entries.filter(player__in=players).values_list("pk", flat=True)
        pays = partial(pay_fees, self.jackpot, set(entered), rng=self.rng, by=self.by)
        self.hall.plan(at + timedelta(seconds=30), pays)

    def _enter_again(self, at: datetime) -> None:
        """Enter the player who went out of a jackpot last; the fee is still to be paid."""
        last = self._played(self.jackpot)[-1]
        self._enter(self.jackpot, [_line(last.entry_at(last.winner.other).player)], at)

    def _open_the_door(self, event: Event, starts: datetime, *, unpaid: int = 0) -> None:
        """Take in the fees in the hour before the start, from all but the last few."""
        entries = list(event.entries.filter(waiting=False, left_at__isnull=True).values_list("pk", flat=True))
        paying = entries[: len(entries) - unpaid]
        for number, first in enumerate(range(0, len(paying), 8)):
            at = starts - timedelta(minutes=58 - 8 * number)
            pays = partial(pay_fees, event, set(paying[first : first + 8]), rng=self.rng, by=self.by)
            self.hall.plan(at, pays)

    def _draw_and_play(self, course: Course, starts: datetime) -> None:
        self.hall.plan(starts - timedelta(minutes=8), partial(make_draw, course.event, by=self.by))
        self.hall.plan(starts, partial(self.hall.open, course))

    # The second day.

    def _plan_championship(self) -> None:
        starts = self.ago["championship"]
        self._open_the_door(self.championship, starts, unpaid=3)
        self._check_in(self.championship, starts)
        self.hall.plan(starts - timedelta(minutes=1), self._leave_one_out)
        semifinals = self.now - timedelta(minutes=35)
        course = Course(
            self.championship,
            {MAIN: 0, CONSOLATION: 3, LAST_CHANCE: 4},
            {(MAIN, 4): semifinals, (LAST_CHANCE, 2): self.now - timedelta(minutes=12)},
            featured=frozenset({MAIN}),
        )
        self._draw_and_play(course, starts)

    def _check_in(self, event: Event, starts: datetime) -> None:
        for number, entry in enumerate(event.entries.filter(left_at__isnull=True)):
            at = starts - timedelta(minutes=60) + timedelta(seconds=75) * number
            self.hall.plan(at, partial(check_in, entry, by=self.by))

    def _leave_one_out(self, at: datetime) -> None:
        """Have a player of the first round not come in time: a walkover after half an hour."""
        first = {"fixture__stage__event": self.championship, "fixture__bracket": MAIN, "fixture__round": 1}
        unseeded = {"fixture__entry_a__seed__isnull": True, "fixture__entry_b__seed__isnull": True}
        match = Match.objects.filter(**first, **unseeded).order_by("-fixture__number")[0]
        self.hall.left_alone.add(match.pk)
        key = f"{self.rng.getrandbits(128):032x}"
        reason = "Not here 30 minutes after the start"
        award = partial(walk_over, match, to=Side.A, key=key, reason=reason, by=self.by)
        self.hall.plan(at + timedelta(minutes=31), award)
        self.hall.plan(at + timedelta(minutes=130), self._lose_one)

    def _lose_one(self, at: datetime) -> None:
        """Have a player who has lost twice go home, instead of playing in the last chance."""
        played = [sitting for sitting in self._played(self.championship) if sitting.bracket == CONSOLATION]
        lost = [sitting.entry_at(sitting.winner.other) for sitting in played]
        tired = [entry for entry in lost if entry.player_id not in self.hall.seated]
        if tired:
            leave_event(tired[0], kind=Departure.WITHDRAWN, reason="Has to catch a ferry", by=self.by, at=at)

    def _played(self, event: Event) -> list[Sitting]:
        """Return the matches of the event that were played to their end, in the order in which they ended."""
        return [sitting for sitting in self.hall.finished if sitting.course.event == event]

    def _plan_swiss(self) -> None:
        starts = self.ago["swiss"]
        self._open_the_door(self.swiss, starts, unpaid=2)
        third = {(SWISS, 3): self.now - timedelta(minutes=29)}
        self._draw_and_play(Course(self.swiss, {SWISS: 1}, third), starts)

    def _plan_the_last_minutes(self) -> None:
        """Have players report two matches, call some more at the end, and leave some others ready to be called."""
        last_call = self.now - timedelta(seconds=80)
        self.hall.plan(self.now - timedelta(minutes=60), partial(self._hold, spare=4))
        self.hall.plan(self.now - timedelta(minutes=12), partial(self._hold, spare=4, waiting=5))
        self.hall.plan(self.now - timedelta(minutes=5), self._report)
        self.hall.plan(self.now - timedelta(minutes=4), self._dispute)
        self.hall.plan(last_call, partial(self._hold, spare=2, waiting=3))
        self.hall.plan(last_call, self.hall.call)

    def _hold(self, *, spare: int, waiting: int = 0, at: datetime) -> None:
        self.hall.spare, self.hall.kept_waiting = spare, waiting

    def _report(self, at: datetime) -> None:
        """Have the winner of a match of the Swiss report it, before the opponent has confirmed."""
        sitting = self._nearly_over(SWISS)
        if sitting is not None:
            self._send(sitting, sitting.games, sitting.winner, at=at)

    def _dispute(self, at: datetime) -> None:
        """Have the players of a match differ about its second game: one says that it is over, the other is not so far.

        The match is one of the consolation if possible.
        """
        sitting = self._nearly_over(CONSOLATION, LAST_CHANCE, SWISS)
        if sitting is not None:
            first, second = sitting.games[:2]
            other = replace(second, winner=second.winner.other)
            self._send(sitting, sitting.games, sitting.winner, at=at)
            self.hall.plan(
                at + timedelta(seconds=40), partial(self._send, sitting, [first, other], sitting.winner.other)
            )

    def _nearly_over(self, *brackets: str) -> Sitting | None:
        """Return the match of these brackets that goes on now: of the first, without a score sheet, and soon to end."""
        going_on = [
            (brackets.index(sitting.bracket), sitting.entered, sitting.ends, sitting.match.pk)
            for sitting in self.hall.playing.values()
            if sitting.bracket in brackets and sitting.ends > self.now and not sitting.is_reported
        ]
        return self.hall.playing[min(going_on)[-1]] if going_on else None

    def _send(self, sitting: Sitting, games: Sequence[GameResult], side: Side, *, at: datetime) -> None:
        """Report the games for one side; from then on the desk waits for the players."""
        sitting.is_reported = True
        claim = Claim(key=f"{self.rng.getrandbits(128):032x}", games=tuple(games), confirmed=True)
        report_by_link(sitting.entry_at(side), sitting.match, claim=claim, at=at)


def _line(player: Player) -> EntryLine:
    return EntryLine(name=player.name, player_id=player.pk)


def _with_names_of_their_own(people: Collection[Player]) -> list[Player]:
    """Return those whose names nobody else has: a pair is entered by its names alone."""
    named = Counter(
        Player.objects.filter(folded_name__in=[player.folded_name for player in people]).values_list(
            "folded_name", flat=True
        )
    )
    return [player for player in people if named[player.folded_name] == 1]


def _pairs(people: Sequence[Player]) -> list[EntryLine]:
    pairs = zip(people[::2], people[1::2], strict=True)
    return [EntryLine(name=f"{one.name} & {other.name}") for one, other in pairs]
