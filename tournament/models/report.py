"""What events report to those who keep the official lists, and what their officers decide about it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON, Match
from players.lists.models import OfficialList
from players.lists.policy import MOST_WEIGHT
from players.rows import Row
from tournament.models.event import Event

MAX_SAID = 1000


class Sanction(Row):
    """An officer has approved an event for a list; ``weight`` replaces that of its class, in hundredths.

    ``withdrawn_at`` ends it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sanctions")
    official_list = models.ForeignKey(OfficialList, on_delete=models.PROTECT, related_name="sanctions")
    weight = models.PositiveSmallIntegerField(_("weight"), null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "official_list"],
                condition=Q(withdrawn_at__isnull=True),
                name="sanction_stands_once_per_event_and_list",
            ),
            models.CheckConstraint(
                condition=Q(weight__isnull=True) | Q(weight__range=(1, MOST_WEIGHT)), name="sanction_weight_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} for {self.official_list_id}"


class ReportState(models.TextChoices):
    ARRIVED = "arrived", _("arrived")
    RETURNED = "returned", _("returned with a question")
    ANSWERED = "answered", _("answered")
    QUEUED = "queued", _("kept for later")
    ACCEPTED = "accepted", _("accepted")


class EventReport(Row):
    """The results of an event that has ended, as they are before an officer of a list that it declared.

    ``digest`` is that of the matches when the event last ended. Only accepted reports count for the list; if other
    matches come after that, the report goes on counting, and ``changed_at`` says since when it wants another look.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="reports")
    official_list = models.ForeignKey(OfficialList, on_delete=models.PROTECT, related_name="reports")
    state = models.CharField(max_length=8, choices=ReportState, default=ReportState.ARRIVED)
    digest = models.CharField(max_length=64)
    arrived_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("report of an event")
        verbose_name_plural = _("reports of events")
        ordering = ["arrived_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "official_list"], name="event_report_once_per_list"),
            models.CheckConstraint(condition=Q(state__in=ReportState.values), name="event_report_state_known"),
        ]
        indexes = [models.Index(fields=["official_list", "state", "arrived_at"], name="event_report_in_inbox")]

    def __str__(self) -> str:
        return f"{self.event_id} for {self.official_list_id}: {self.state}"

    @property
    def is_open_again(self) -> bool:
        """Whether its event has been opened again since it was accepted: what counts may change at any time."""
        return self.state == ReportState.ACCEPTED and self.event.finished_at is None


class ReportStep(Row):
    """One step of a report: the state that it came to, and the question or the answer. Appended, never edited."""

    report = models.ForeignKey(EventReport, on_delete=models.CASCADE, related_name="steps")
    state = models.CharField(max_length=8, choices=ReportState)
    said = models.CharField(max_length=MAX_SAID, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ReportState.values), name="report_step_state_known"),
            models.CheckConstraint(
                condition=~Q(state__in=["returned", "answered"]) | ~Q(said=""), name="report_step_says_what_it_must"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.report_id}: {self.state}"


class RatingVerdict(models.TextChoices):
    COUNTS = "counts", _("counts")
    OUT = "out", _("does not count")
    POLICY = "policy", _("as the policy says")


class RatingRuling(Row):
    """An officer's decision whether a match counts for a list, whatever its score is in the standings.

    The latest of a match and a list holds. Appended, never edited.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rating_rulings")
    official_list = models.ForeignKey(OfficialList, on_delete=models.PROTECT, related_name="rating_rulings")
    verdict = models.CharField(max_length=6, choices=RatingVerdict)
    reason = models.CharField(_("reason"), max_length=MAX_REASON)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("ruling on rating")
        verbose_name_plural = _("rulings on rating")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=RatingVerdict.values), name="rating_ruling_verdict_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="rating_ruling_has_a_reason"),
        ]
        indexes = [models.Index(fields=["official_list", "match"], name="rating_ruling_of_match")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.verdict}"
