"""Series of a federation: a season or tour of events whose players get points."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.lines import MAX_NAME
from players.models import Federation
from players.rows import Row
from tournament.models.event import Event


class Series(Row):
    """A season or tour of events. ``points`` is one of :data:`players.points.POINTS`, with its ``parameters``.

    The ``best`` results of each player count; null is all. With ``members_only`` a result counts for those alone who
    were members of the federation when the event ended. Its standings are computed (:mod:`tournament.series`) and
    never stored.
    """

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="series")
    name = models.CharField(_("name"), max_length=MAX_NAME)
    slug = models.SlugField(max_length=40)
    points = models.CharField(_("points"), max_length=20)
    parameters = models.JSONField(default=dict, blank=True)
    best = models.PositiveSmallIntegerField(_("results that count"), null=True, blank=True)
    members_only = models.BooleanField(_("members only"), default=False)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["federation", "slug"], name="series_slug_once_per_federation"),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(slug="") & ~Q(points=""), name="series_has_name_and_points"
            ),
            models.CheckConstraint(condition=Q(best__isnull=True) | Q(best__gte=1), name="series_counts_a_result"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("series", args=[self.federation.code, self.slug])


class SeriesEvent(Row):
    """An event of a series, at place ``number`` in its order, counted from 1 without gaps.

    ``division`` and ``weight``, in hundredths, are what the point system asks of the event. Only the first
    ``designated`` places get points where they are for places; null is all.
    """

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="rows")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="in_series")
    number = models.PositiveSmallIntegerField()
    division = models.PositiveSmallIntegerField(_("division"), default=1)
    weight = models.PositiveSmallIntegerField(_("weight"), default=100)
    designated = models.PositiveSmallIntegerField(_("places with points"), null=True, blank=True)

    class Meta:
        verbose_name = _("event of a series")
        verbose_name_plural = _("events of series")
        ordering = ["series_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["series", "event"], name="series_event_once"),
            models.UniqueConstraint(fields=["series", "number"], name="series_event_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1, division__gte=1), name="series_event_counts_from_one"),
            models.CheckConstraint(
                condition=Q(designated__isnull=True) | Q(designated__gte=1), name="series_event_designates_a_place"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.number}"
