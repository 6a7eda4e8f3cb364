"""Teams: their members, and the matches between two teams, one for each board."""

from collections.abc import Callable

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from matches.services import matches_of
from players.models import Player
from players.rows import Row
from players.statements import Statement
from tournament.models.draw import Fixture, Stage
from tournament.models.event import Entry, Event

PLACES = ("fixture__stage__event__tournament", "board__fixture__stage__event__tournament")
"""The relations to load with a match for :func:`fixture_of`."""

FORMER_PLACE = "former__stage__event__tournament"
"""The relation to load with a match to say in which event it was before it lost its place there."""


class Member(Row):
    """A player in a team other than the one on board 1, who is the entry's ``player``.

    A member on a board beyond those of the event is a reserve.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    board = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        ordering = ["entry_id", "board"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "board"], name="member_board_once_per_entry"),
            models.UniqueConstraint(fields=["entry", "player"], name="member_player_once_per_entry"),
            models.CheckConstraint(condition=Q(board__gte=2), name="member_board_after_the_first"),
        ]

    def __str__(self) -> str:
        return f"{self.board}. {self.player}"


class Board(Row):
    """One board of a fixture between two teams, and the match played on it."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="board")

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        ordering = ["fixture_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "number"], name="board_number_once_per_fixture"),
            models.CheckConstraint(condition=Q(number__gte=1), name="board_number_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}.{self.number}"


def present_matches(matches: QuerySet[Match] | None = None) -> QuerySet[Match]:
    """Return the matches, all unless some are given, without those of deleted events and tournaments."""
    present = Event.objects.all()
    gone = Fixture.objects.filter(match=OuterRef("pk")).exclude(stage__event__in=present)
    gone_boards = Board.objects.filter(match=OuterRef("pk")).exclude(fixture__stage__event__in=present)
    found = Match.objects.all() if matches is None else matches
    return found.filter(~Exists(gone), ~Exists(gone_boards))


def listed_matches(player: Player | int) -> QuerySet[Match]:
    """Return the matches shown in lists of the matches of the player, or of that with this id.

    These are the present ones, without boards of a pairing that fell before anything was entered for them, and without
    matches of records whose acceptance was taken back.
    """
    listed = present_matches(matches_of(player)).exclude(former__isnull=False, sheets__isnull=True)
    return listed.exclude(acceptance__taken_back_at__isnull=False)


def matches_in(event: Event, *, stage: Stage | None = None) -> QuerySet[Match]:
    """Return the matches in the event's draw, or in one stage: those of its fixtures or of their boards."""
    path = "board__fixture" if event.has_teams else "fixture"
    return Match.objects.filter(**({f"{path}__stage__event": event} if stage is None else {f"{path}__stage": stage}))


def find_fixture(match: Match, *related: str) -> Fixture | None:
    """Find the same fixture as :func:`fixture_of`, read afresh with ``related``: by default event and tournament."""
    fixtures = Fixture.objects.order_by("pk").select_related(*(related or ("stage__event__tournament",)))
    # One after the other: both at once would look through every fixture there is.
    return fixtures.filter(match=match).first() or fixtures.filter(boards__match=match).first()


def event_of(match: Match) -> Event | None:
    """Return the event to whose draw the match belongs, with its tournament, deleted or not."""
    return found_by_match(_EVENTS_OF, match.pk)


def by_match(events: Callable[[], QuerySet[Event]]) -> tuple[Statement, Statement]:
    """Return statements that find, among these events, the one to whose draw a match belongs."""
    # One after the other: both at once would look through every fixture there is.
    return (
        Statement(lambda match: events().filter(stages__fixtures__match=match).order_by()),
        Statement(lambda match: events().filter(stages__fixtures__boards__match=match).order_by()),
    )


def found_by_match(statements: tuple[Statement, Statement], match: int) -> Event | None:
    """Return the event that :func:`by_match` finds for the match with this id."""
    return next((event for statement in statements for event in statement.find(Event, match)), None)


_EVENTS_OF = by_match(lambda: Event.everything.select_related("tournament"))


def fixture_of(match: Match) -> Fixture | None:
    """Return the fixture that the match decides, alone or with other boards; None if it belongs to no draw.

    Reads :data:`PLACES` as loaded.
    """
    board = getattr(match, "board", None)
    return board.fixture if board is not None else getattr(match, "fixture", None)
