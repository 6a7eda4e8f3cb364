"""The divisions of a league: which event is above which, and how many change places after a season."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Event


class Division(Row):
    """The event is a division of its tournament, which is a season; ``level`` 1 is the top.

    After the season the first ``up`` go to the division above, and the last ``down`` to the one below.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="division")
    level = models.PositiveSmallIntegerField(_("level"))
    up = models.PositiveSmallIntegerField(_("go up"), default=0)
    down = models.PositiveSmallIntegerField(_("go down"), default=0)

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ["level"]
        constraints = [
            models.CheckConstraint(condition=Q(level__gte=1), name="division_level_from_one"),
            models.CheckConstraint(condition=Q(level__gt=1) | Q(up=0), name="division_top_sends_nobody_up"),
        ]

    def __str__(self) -> str:
        return f"{self.level}: {self.event_id}"
