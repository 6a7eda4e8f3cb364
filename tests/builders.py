"""Events for tests, built through the services that people use, and interruptions in the middle of a service."""

import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

from django.db.models import Model
from django.db.models.signals import post_save

from matches.claims import Claim
from matches.models import Match, Scoresheet, SheetState
from players.models import User
from rules.score import Level, MatchScore, Side
from rules.sheet import GameResult
from tournament.draw.make import make_draw
from tournament.draw.secret import OPEN_NONCE
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import create_event, create_tournament
from tournament.events.terms import EventTerms
from tournament.models import Appointment, Event, Fixture, Role, Tournament
from tournament.models.team import matches_in
from tournament.money.terms import MoneyTerms
from tournament.prizes import PayoutPlan, PrizeTable
from tournament.results.enter import enter_result
from tournament.sign_in.tokens import make_token

MEMBER_NAMES = ("Anna", "Bo", "Carl", "Dora", "Eva", "Finn", "Gry", "Hans", "Ida", "Jan")
AT = datetime(2026, 3, 6, 19, 0, tzinfo=UTC)
SEED = "0123456789abcdef" * 2
"""The seed of every event in the tests, so that their draws are the same each time."""
NONCE = f"{OPEN_NONCE}of the tests"
"""The nonce of every event's chain in the tests: its links are the same on every machine."""


def build_director(name: str = "director", tournament: Tournament | None = None) -> User:
    """A user who can direct tournaments of their own; with a ``tournament``, they are a director of that one too."""
    user = User.objects.create_user(name, password="long-enough-for-tests", first_name=name)
    if tournament is not None:
        Appointment.objects.create(tournament=tournament, user=user, role=Role.DIRECTOR, since=AT)
    return user


def build_key(user: User, scope: str = "write") -> str:
    """The key of a new access token of the user."""
    return make_token(user, name="test", scope=scope, days=None, at=AT)[1]


def build_tournament(director: User, name: str = "Friday Club") -> Tournament:
    return create_tournament(name=name, starts_on=date(2026, 3, 6), by=director, at=AT)


def build_terms(**terms: object) -> EventTerms:
    """Terms of an event: Main, a knockout to 5 points unless said otherwise."""
    return EventTerms(**{"name": "Main", "format": "single-elimination", "options": {"lengths": [5]}, **terms})


def build_money_terms(**terms: object) -> MoneyTerms:
    """An entry costs 50 euros, and the winner takes it all unless said otherwise."""
    fees = {"fee": 5000, "reentry_fee": 5000, "registration_fee": 0, "rake": "none", "rake_value": 0, "added": 0}
    prizes = {"payouts": PayoutPlan(), "auction": PrizeTable("template", "winner")}
    return MoneyTerms(**{"currency": "EUR", **fees, **prizes, **terms})


def build_event(
    director: User,
    *,
    players: int = 8,
    format: str = "single-elimination",
    lengths: tuple[int, ...] = (5,),
    drawn: bool = True,
    tournament: Tournament | None = None,
    **terms: object,
) -> Event:
    """Build an event with players Player 1, Player 2 ..., drawn unless said otherwise, the same way each time.

    Its draw is from ``seed``, as draws were before there were lots; with an empty one lots decide.

    With ``boards`` above 1 they are teams Team 1, Team 2 ... of Anna 1, Bo 1, Carl 1 ..., the last one a reserve.
    """
    tournament = tournament or build_tournament(director)
    options = {"lengths": list(lengths), **terms.pop("options", {})}
    seed, nonce = terms.pop("seed", SEED), terms.pop("nonce", NONCE)
    terms_of_play = build_terms(format=format, options=options, **terms)
    event = create_event(tournament, terms_of_play, nonce=nonce, by=director, at=AT)
    event.stages.update(seed=seed)
    if players:
        name = team_line if event.has_teams else player_line
        lines = [EntryLine(name=name(number, event.boards), line=number) for number in range(1, players + 1)]
        add_entries(event, lines=lines, by=director, at=AT)
    if drawn:
        make_draw(event, by=director, at=AT)
    event.refresh_from_db()
    return event


def player_line(number: int, boards: int = 1) -> str:
    return f"Player {number}"


def team_line(number: int, boards: int) -> str:
    members = ", ".join(f"{name} {number}" for name in MEMBER_NAMES[: boards + 1])
    return f"Team {number}: {members}"


def fixture_of(event: Event, key: str) -> Fixture:
    return Fixture.objects.select_related("match", "entry_a__player", "entry_b__player").get(
        stage__event=event, key=key
    )


def open_matches(event: Event) -> list[Match]:
    open_ones = matches_in(event).exclude(sheets__state=SheetState.CONFIRMED)
    path = "board__fixture" if event.has_teams else "fixture"
    return list(open_ones.order_by(f"{path}__round", f"{path}__number", "board__number"))


def claim(**claimed: object) -> Claim:
    """Return a claim with a key of its own."""
    return Claim(key=uuid.uuid4().hex, **claimed)


def win(match: Match, winner: Side, *, loser_points: int = 0, by: User | None = None, base: int = 0) -> Scoresheet:
    """Let ``winner`` win the match by a final score."""
    final = (match.length, loser_points) if winner is Side.A else (loser_points, match.length)
    return enter_result(match, claim=claim(final=final, base=base), may_repair=True, by=by, at=AT)


def random_games(length: int, rng: random.Random) -> tuple[GameResult, ...]:
    """The games of a whole match, as they might be played."""
    games = []
    score = MatchScore(length)
    while not score.over:
        cube = 1 if score.is_crawford else rng.choice([1, 1, 2])
        game = GameResult(rng.choice(list(Side)), cube, rng.choice([Level.SINGLE, Level.SINGLE, Level.GAMMON]))
        games.append(game)
        score = score.after(game.winner, game.points)
    return tuple(games)


def play_out(event: Event, *, seed: int = 1, by: User | None = None) -> None:
    """Play all matches of the event game by game to the end."""
    rng = random.Random(seed)
    while matches := open_matches(event):
        for match in matches:
            games = random_games(match.length, rng)
            enter_result(match, claim=claim(games=games, confirmed=True), by=by, at=AT)


@contextmanager
def after_each_save(model: type[Model], act: Callable[[Model], None]) -> Iterator[None]:
    """Do something else to a row of the model as soon as it has been saved."""

    def receive(instance: Model, **_signal: object) -> None:
        act(instance)

    post_save.connect(receive, sender=model)
    try:
        yield
    finally:
        post_save.disconnect(receive, sender=model)
