"""Money sessions: two players, or a chouette, who play for points under agreed variants and settle at the end."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from rules.money import BoxResult
from rules.profiles import PROFILES, Variants
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms

MAX_UNIT = 12
VARIANTS = ("cube", "jacoby", "beavers", "automatic_doubles", "jacquet")


class MoneySession(Row):
    """The terms of a session, kept and seen by its owner alone; never rated.

    ``names`` are those of the players by seat. A point is worth ``stake`` of ``unit``, both of the players' choice.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="money_sessions")
    names = models.JSONField()
    profile = models.CharField(max_length=20)
    cube = models.BooleanField(default=True)
    jacoby = models.BooleanField(default=False)
    beavers = models.BooleanField(default=True)
    automatic_doubles = models.PositiveSmallIntegerField(default=0)
    jacquet = models.BooleanField(default=False)
    stake = models.PositiveIntegerField(default=1)
    unit = models.CharField(max_length=MAX_UNIT, blank=True, default="")
    begun_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("money session")
        verbose_name_plural = _("money sessions")
        constraints = [models.CheckConstraint(condition=Q(stake__gte=1), name="money_session_has_a_stake")]

    def __str__(self) -> str:
        return ", ".join(self.names)

    def get_absolute_url(self) -> str:
        return reverse("money-session", args=[self.pk])

    @property
    def variants(self) -> Variants:
        return Variants(**{name: getattr(self, name) for name in VARIANTS})

    @property
    def terms(self) -> Terms:
        """The terms of each game: money play."""
        return Terms(0, PROFILES[self.profile], crawford=False, variants=self.variants)

    @property
    def begun(self) -> MatchScore:
        return MatchScore(0)


class MoneyResult(Row):
    """The result of one game between the box and one other player, both by seat.

    A game of a chouette has a row for each player who was in it, each with its own cube.
    """

    session = models.ForeignKey(MoneySession, on_delete=models.CASCADE, related_name="results")
    number = models.PositiveSmallIntegerField()
    box = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    box_won = models.BooleanField()
    cube = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField()
    ending = models.CharField(max_length=10, choices=[(ending.value, ending.value) for ending in Ending])

    class Meta:
        verbose_name = _("result of a money session")
        verbose_name_plural = _("results of money sessions")
        ordering = ["session_id", "number", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number", "seat"], name="money_result_once_per_game_and_seat"),
            models.CheckConstraint(condition=~Q(box=F("seat")), name="money_result_box_plays_others"),
            models.CheckConstraint(
                condition=Q(number__gte=1, cube__gte=1, level__gte=1, level__lte=3), name="money_result_is_of_a_game"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.box}-{self.seat}"

    @property
    def result(self) -> BoxResult:
        winner = Side.A if self.box_won else Side.B
        game = GameResult(winner, self.cube, Level(self.level), Ending(self.ending))
        return BoxResult(self.box, self.seat, game)
