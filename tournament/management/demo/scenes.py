"""A demo with a single event in any format, played as far as it is asked for.

Everything random comes from one ``random.Random``, so that the same seed gives the same draws and the same results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.claims import Claim
from matches.models import Match, SheetState
from matches.ratings import rate_matches
from players.errors import Refusal
from players.models import Player, User
from rules.sheet import GameResult
from tournament.draw.calls import persons_of
from tournament.draw.chain import load_chain
from tournament.draw.challenges import challenge
from tournament.draw.make import make_draw
from tournament.draw.secret import OPEN_NONCE
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import create_event, create_tournament, finish_event
from tournament.events.terms import EventTerms
from tournament.formats import FORMATS
from tournament.management.demo.games import random_match
from tournament.management.demo.names import invent_players
from tournament.models import Event, Tournament
from tournament.results.enter import enter_result

HOURS_IN_PLAY = 4
GAME_BY_GAME_UP_TO = 32
"""Events with more matches than this get whole score sheets instead of single games."""


@dataclass(frozen=True, slots=True)
class Until:
    """How far a demo event is played: ``entries``, ``draw``, ``round`` (with its number), ``middle`` or ``end``."""

    point: str
    round: int = 0

    @classmethod
    def parse(cls, text: str) -> "Until":
        """Read ``entries``, ``draw``, ``round:2``, ``middle`` or ``end``. Raises Refusal for anything else."""
        point, _colon, number = text.partition(":")
        if point == "round" and number.isascii() and number.isdecimal() and int(number[:4]) >= 1:
            return cls(point, int(number[:4]))
        if text in {"entries", "draw", "middle", "end"}:
            return cls(text)
        raise Refusal(
            "until_unknown",
            _("A demo can stop at entries, draw, round:1 (or a later round), middle or end, not at “%(until)s”.")
            % {"until": text[:40]},
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """One event of a demo."""

    name: str
    format: str
    players: int
    lengths: tuple[int, ...]
    until: Until


def build_demo(
    scene: Scene, *, name: str = "Demo Open", place: str = "København", by: User, seed: int, now: datetime
) -> Tournament:
    """Make a tournament with this event as it stands ``now``, its standings, and the ranking list.

    Raises Refusal, with nothing made, if the format cannot draw its field or there are more players than invented
    names.
    """
    rng = Random(seed)
    began = now - timedelta(hours=2 * HOURS_IN_PLAY)
    with transaction.atomic():
        tournament = create_tournament(name=name, starts_on=timezone.localdate(began), place=place, by=by, at=began)
        people = invent_players(scene.players, rng=rng, at=began)
        event = _draw_event(tournament, scene, people, rng=rng, by=by, at=began)
    _play_event(event, scene, rng=rng, by=by, now=now)
    rate_matches("fibs", at=now)
    return tournament


def _draw_event(
    tournament: Tournament, scene: Scene, people: Sequence[Player], *, rng: Random, by: User, at: datetime
) -> Event:
    terms = EventTerms(name=scene.name, format=scene.format, options={"lengths": list(scene.lengths)})
    event = create_event(tournament, terms, nonce=f"{OPEN_NONCE}{rng.getrandbits(128):032x}", by=by, at=at)
    if people:
        lines = [EntryLine(name=player.name, player_id=player.pk, line=n) for n, player in enumerate(people, start=1)]
        add_entries(event, lines=lines, by=by, at=at)
    if scene.until.point != "entries":
        make_draw(event, by=by, at=at)
        if FORMATS[scene.format].pairs_on_challenge():
            _challenge_the_next(event, by=by, at=at)
    return event


def _challenge_the_next(event: Event, *, by: User, at: datetime) -> None:
    """Let every second player of a ladder, from the top, challenge the one on the rung above."""
    placings = load_chain(event).at(event.stages.get()).plan.placings or ()
    entries = {entry.pk: entry for entry in event.entries.select_related("player", "partner", "event__tournament")}
    rungs = [entries[placing.entrant] for placing in placings]
    for high, low in zip(rungs[::2], rungs[1::2], strict=False):
        challenge(event, challenger=low, challenged=high, by=by, at=at)


def _play_event(event: Event, scene: Scene, *, rng: Random, by: User, now: datetime) -> None:
    """Enter the event's results and standings; events that have ended were played before those still in progress."""
    if scene.until.point == "entries":
        return
    hours = timedelta(hours=HOURS_IN_PLAY)
    ended = now - hours if scene.until.point == "end" else now
    _Play(event, scene, rng=rng, by=by, began=ended - hours, now=ended).play()
    if scene.until.point == "end":
        finish_event(event, by=by, at=ended)
    store_standings(event.pk)


class _Play:
    """The results of one event, entered in the order of the draw."""

    def __init__(self, event: Event, scene: Scene, *, rng: Random, by: User, began: datetime, now: datetime) -> None:
        self.event, self.rng, self.by, self.began, self.now = event, rng, by, began, now
        self.until = scene.until
        players = event.entries.order_by("number").values_list("player_id", flat=True)
        self.skills = {player_id: rng.uniform(-0.12, 0.12) for player_id in players}
        fixtures = event.stages.get().fixtures.exclude(feed_a="bye").exclude(feed_b="bye")
        rounds = list(fixtures.values_list("round", flat=True))
        self.by_game = len(rounds) <= GAME_BY_GAME_UP_TO
        self.to_finish = {
            "draw": 0,
            "round": sum(number <= self.until.round for number in rounds),
            "middle": len(rounds) * 3 // 5,
            "end": len(rounds),
        }[self.until.point]

    def play(self) -> None:
        """Finish as many matches as the scene asks for; in the middle of an event, begin some more."""
        finished = 0
        # A second grand final that is not needed is never played.
        while finished < self.to_finish and (ready := self._ready()):
            for match in ready[: self.to_finish - finished]:
                self._enter(match, self._random_games(match), after=finished)
                finished += 1
        # A Swiss publishes its next round when the one before it is over.
        while self.until.point == "end" and (ready := self._ready()):
            for match in ready:
                self._enter(match, self._random_games(match), after=finished)
                finished += 1
        if self.until.point == "middle":
            ready = self._ready()
            playing: set[int] = set()
            for match in ready[: max(1, len(ready) // 2)]:
                if playing.isdisjoint(persons_of(match)):
                    playing.update(persons_of(match))
                    self._begin(match, after=finished)

    def _ready(self) -> list[Match]:
        matches = Match.objects.filter(fixture__stage__event=self.event).exclude(sheets__state=SheetState.CONFIRMED)
        return list(matches.order_by("fixture__round", "fixture__number"))

    def _begin(self, match: Match, *, after: int) -> None:
        """Start the match, unless a single game would decide it."""
        for _attempt in range(20):
            games = self._random_games(match)
            if len(games) > 1:
                self._enter(match, games[: self.rng.randint(1, len(games) - 1)], after=after)
                return

    def _enter(self, match: Match, games: Sequence[GameResult], *, after: int) -> None:
        for count in range(1 if self.by_game else len(games), len(games) + 1):
            share = (after + count / len(games)) / (self.to_finish + 1)
            at = self.began + (self.now - self.began) * min(share, 1)
            claim = Claim(
                key=f"{self.rng.getrandbits(128):032x}",
                base=count - 1 if self.by_game else 0,
                games=tuple(games[:count]),
                confirmed=True,
            )
            enter_result(match, claim=claim, by=self.by, at=at)

    def _random_games(self, match: Match) -> list[GameResult]:
        chance = 0.5 + self.skills[match.side_a_id] - self.skills[match.side_b_id]
        return random_match(match.terms, rng=self.rng, chance=chance)
