"""What the ratings have counted so far: a copy of the rated matches, and the ratings after some of them.

All of it follows from the score sheets and can be thrown away at any time (:func:`matches.counting.start_again`). It is
kept so that a ranking list need not be computed from every match there ever was. Ids here are no foreign keys: the
copies neither hold a match or player back nor move with them.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import models
from django.db.models import F, Q

from players.rows import Row, insert_rows


class CountedMatch(Row):
    """A rated match as it was counted: who beat whom, ids of players, to how many points, and when it was played."""

    match = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    winner = models.BigIntegerField()
    loser = models.BigIntegerField()
    length = models.PositiveSmallIntegerField()

    class Meta:
        indexes = [models.Index(fields=["at", "match"], name="counted_match_in_rating_order")]
        constraints = [
            models.CheckConstraint(condition=~Q(winner=F("loser")), name="counted_match_players_differ"),
            models.CheckConstraint(condition=Q(length__gte=1), name="counted_match_length_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.winner} beat {self.loser}"


class Recount(Row):
    """A match to be counted again, as what it says for the ratings may have changed.

    It is written in the transaction of the change and deleted by the count that has read the match since. With ``at``
    the change is not to be counted in a list of an earlier moment.
    """

    match = models.BigIntegerField()
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.match}"


class Counting(Row):
    """How far the count has come; there is one row at most.

    ``version`` is that of the rules by which it was counted. ``changes`` grows with every change to the counted
    matches: who stores something that follows from them asks whether it is still the number read with them. No list of
    a moment before ``at`` follows from them. Matches with an id of up to ``done`` have been counted, and those of up to
    ``goal`` have to be; all later ones have a :class:`Recount`.
    """

    version = models.PositiveIntegerField()
    changes = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField()
    done = models.BigIntegerField(default=0)
    goal = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="counting_is_one_row")]

    def __str__(self) -> str:
        return f"version {self.version}, changes {self.changes}"


class Checkpoint(Row):
    """The ratings of a system after the counted match ``match`` of the moment ``at``, the first of ``matches``.

    ``ratings`` are those of all players who have been rated by then (:mod:`matches.checkpoints` reads them).
    """

    system = models.SlugField()
    at = models.DateTimeField()
    match = models.BigIntegerField()
    matches = models.PositiveIntegerField()
    ratings = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "at", "match"], name="checkpoint_once_per_system_and_match")
        ]

    def __str__(self) -> str:
        return f"{self.system} after {self.matches}"


def recount(matches: Iterable[int], *, at: datetime | None = None) -> None:
    """Have these matches counted again; ``at`` is when they were decided, None if they no longer are or were before.

    It belongs in the transaction of whatever may change which of them are rated, and what they say.
    """
    recount_each((match, at) for match in matches)


def recount_each(matches: Iterable[tuple[int, datetime | None]]) -> None:
    """Have these matches counted again, each with when it was decided, as :func:`recount` does."""
    insert_rows([Recount.new(match=match, at=at) for match, at in matches])
