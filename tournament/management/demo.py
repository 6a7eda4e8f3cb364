"""Invented players and a tournament in play, made through the services that people use.

Everything random comes from one ``random.Random``, so that the same seed gives the same draws and the same results.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import Match, SheetState
from matches.ratings import rate_matches
from matches.services import Claim
from players.errors import Refusal
from players.models import Player, User
from players.services import create_player, fold_name
from rules.errors import Severity
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_game
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import create_event, create_tournament, finish_event
from tournament.events.terms import EventTerms
from tournament.models import Event, Tournament
from tournament.results.enter import enter_result

DIRECTOR = "demo-director"
HOURS_IN_PLAY = 4
GAME_BY_GAME_UP_TO = 32
"""Events with more matches than this get whole score sheets instead of single games."""

FIRST_NAMES = (
    *(
        "Anders",
        "Anna",
        "Astrid",
        "Birgit",
        "Bjørn",
        "Britta",
        "Carsten",
        "Cecilie",
        "Dagny",
        "Dieter",
        "Ebba",
        "Eirik",
    ),
    *("Elin", "Emil", "Frederik", "Freja", "Gerd", "Greta", "Gunnar", "Hanne", "Heike", "Henrik", "Ingrid", "Jens"),
    *("Jörg", "Jürgen", "Kåre", "Karin", "Katrin", "Knut", "Lars", "Liv", "Maja", "Märta", "Mikkel", "Nils", "Oda"),
    *("Olaf", "Petra", "Ragnhild", "Sigrid", "Søren", "Sven", "Thea", "Torben", "Uwe", "Vibeke", "Åse"),
)
LAST_NAMES = (
    *("Aas", "Ahlgren", "Bakke", "Becker", "Bengtsson", "Bergström", "Bjerre", "Brandt", "Dahl", "Dreyer", "Ekström"),
    *("Engelhardt", "Fjeldstad", "Friis", "Hagen", "Hedlund", "Hjorth", "Holmgren", "Iversen", "Jørgensen", "Kirchner"),
    *(
        "Kjær",
        "Krüger",
        "Lindqvist",
        "Lund",
        "Møller",
        "Nordby",
        "Nygård",
        "Ohlsson",
        "Pedersen",
        "Rasmussen",
        "Richter",
    ),
    *("Sandvik", "Schäfer", "Sjöberg", "Skovgaard", "Solberg", "Strand", "Sørensen", "Thiele", "Vestergaard", "Vogt"),
    *("Wallin", "Weiß", "Wikström", "Ødegaard", "Åkesson"),
)
CLUBS = {
    "Demo København": "DK",
    "Demo Aarhus": "DK",
    "Demo Malmö": "SE",
    "Demo Stockholm": "SE",
    "Demo Oslo": "NO",
    "Demo Bergen": "NO",
    "Demo Hamburg": "DE",
    "Demo Berlin": "DE",
}


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


SCENES = (
    Scene("Warm-up", "single-elimination", 8, (5,), Until("end")),
    Scene("Championship", "single-elimination", 16, (9, 7), Until("middle")),
    Scene("Round robin", "round-robin", 6, (5,), Until("middle")),
)


def build_demo(
    scenes: Sequence[Scene], *, name: str = "Demo Open", place: str = "København", by: User, seed: int, now: datetime
) -> Tournament:
    """Make a tournament with these events as they stand ``now``, their standings, and the ranking list.

    Raises Refusal, with nothing made, if a format cannot draw its field or there are more players than invented names.
    """
    rng = Random(seed)
    began = now - timedelta(hours=2 * HOURS_IN_PLAY)
    with transaction.atomic():
        tournament = create_tournament(name=name, starts_on=timezone.localdate(began), place=place, by=by, at=began)
        people = invent_players(max(scene.players for scene in scenes), rng=rng, at=began)
        events = [_draw_event(tournament, scene, people[: scene.players], rng=rng, by=by, at=began) for scene in scenes]
    for event, scene in zip(events, scenes, strict=True):
        _play_event(event, scene, rng=rng, by=by, now=now)
    rate_matches("fibs", at=now)
    return tournament


def invent_players(count: int, *, rng: Random, at: datetime) -> list[Player]:
    """Return invented players with clubs; players whom an earlier demo made with the same names are used again."""
    names = [f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES]
    if not 0 <= count <= len(names):
        raise Refusal("demo_players", _("A demo has from 0 to %(limit)s players.") % {"limit": len(names)})
    people = [(name, rng.choice(list(CLUBS))) for name in rng.sample(names, count)]
    known = {
        (player.folded_name, player.club.name): player
        for player in Player.objects.filter(club__name__in=CLUBS).select_related("club").order_by("-id")
        if player.club
    }
    return [
        known.get((fold_name(name), club)) or create_player(name=name, club=club, country=CLUBS[club], at=at)
        for name, club in people
    ]


def _draw_event(
    tournament: Tournament, scene: Scene, people: Sequence[Player], *, rng: Random, by: User, at: datetime
) -> Event:
    terms = EventTerms(name=scene.name, format=scene.format, options={"lengths": list(scene.lengths)})
    event = create_event(tournament, terms, seed=f"{rng.getrandbits(128):032x}", by=by, at=at)
    if people:
        lines = [EntryLine(name=player.name, player_id=player.pk, line=n) for n, player in enumerate(people, start=1)]
        add_entries(event, lines=lines, by=by, at=at)
    if scene.until.point != "entries":
        make_draw(event, by=by, at=at)
    return event


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
            for match in ready[: max(1, len(ready) // 2)]:
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


def random_match(terms: Terms, *, rng: Random, chance: float = 0.5) -> list[GameResult]:
    """Return the games of a whole match under these terms, all legal; side A wins each with probability ``chance``."""
    games: list[GameResult] = []
    score = terms.opening
    while not score.over:
        game = _likely_game(terms, score, len(games) + 1, rng=rng, chance=chance)
        games.append(game)
        score = terms.after(score, len(games), game)
    return games


def _likely_game(terms: Terms, score: MatchScore, number: int, *, rng: Random, chance: float) -> GameResult:
    """Return a legal game that raises no warning, or any legal game if 30 attempts do not produce one.

    A single game with the cube at 1 is always legal.
    """
    legal = GameResult(Side.A if rng.random() < chance else Side.B)
    for _attempt in range(30):
        game = _random_game(rng, chance)
        findings = check_game(terms, score, number, game)
        if not findings:
            return game
        if all(finding.severity is Severity.WARNING for finding in findings):
            legal = game
    return legal


def _random_game(rng: Random, chance: float) -> GameResult:
    """Return a typical game: half have a double taken, a quarter end in a drop, a quarter of the others are gammons."""
    winner = Side.A if rng.random() < chance else Side.B
    (cube,) = rng.choices((1, 2, 4, 8), (45, 50, 4, 1))
    if rng.random() < 0.25:
        return GameResult(winner, min(cube, 2), Level.SINGLE, Ending.DROP)
    (level,) = rng.choices((Level.SINGLE, Level.GAMMON, Level.BACKGAMMON), (74, 25, 1))
    (ending,) = rng.choices((Ending.BEAROFF, Ending.RESIGNED), (70, 30))
    return GameResult(winner, cube, level, ending)


# The demo director's login: made once for an installation and kept in a file that only its owner can read.


def ensure_director(path: Path) -> User:
    """Let the demo director sign in with the name and the password in ``path``, which only its owner can read."""
    user, made = User.objects.get_or_create(username=DIRECTOR)
    password = read_login(path)
    if password is None:
        password = secrets.token_urlsafe(9)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(f"{DIRECTOR}\n{password}\n")
        made = True
    if made:
        user.set_password(password)
        user.save()
    return user


def read_login(path: Path) -> str | None:
    """Return the demo director's password, or None if no demo was made."""
    if not path.exists():
        return None
    lines = path.read_text().splitlines()
    return lines[1] if len(lines) == 2 and lines[0] == DIRECTOR and lines[1] else None


def director_login(path: Path) -> tuple[str, str] | None:
    """Return the demo director's name and password; None if there is no such user or the password has been changed."""
    password = read_login(path)
    user = User.objects.filter(username=DIRECTOR, is_active=True).first()
    if password is None or user is None or not user.check_password(password):
        return None
    return user.username, password


@transaction.atomic
def build_first_demo(*, login: Path, seed: int, now: datetime) -> Tournament | None:
    """Make the demo, whole or not at all; None if the installation has a tournament already."""
    if Tournament.everything.exists():
        return None
    return build_demo(SCENES, by=ensure_director(login), seed=seed, now=now)
