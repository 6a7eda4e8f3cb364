"""Longer work: done by a worker, followed on a page, and cancelled if unwanted."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Event


class JobState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    REFUSED = "refused", _("refused")
    CANCELLED = "cancelled", _("cancelled")


class Job(Row):
    """A piece of work of one ``kind`` in :data:`tournament.jobs.kinds.JOBS`, with the input in ``given``.

    A worker holds it while it runs, until ``leased_until`` at the latest (:mod:`tournament.jobs.lease`). ``outcome`` is
    what came of it, as a sentence to be translated: ``template``, ``params``. A refusal speaks the ``language`` of the
    person who asked. How far the job is stands in the cache (:mod:`tournament.jobs.watch`).
    """

    kind = models.CharField(max_length=20)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="jobs")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="jobs")
    given = models.JSONField(default=dict)
    data = models.BinaryField(default=bytes)
    state = models.CharField(max_length=9, choices=JobState, default=JobState.WAITING)
    outcome = models.JSONField(default=dict)
    language = models.CharField(max_length=10, default="en")
    created_at = models.DateTimeField()
    leased_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    OPEN = (JobState.WAITING, JobState.RUNNING)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running"], ended_at__isnull=True)
                | Q(state__in=["done", "refused", "cancelled"], ended_at__isnull=False),
                name="job_that_ended_says_when",
            ),
            models.CheckConstraint(
                condition=Q(state="running", leased_until__isnull=False)
                | ~Q(state="running") & Q(leased_until__isnull=True),
                name="job_that_runs_is_leased",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("job", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    @property
    def sentence(self) -> str:
        """The job's outcome, in the reader's language; nothing before it ends."""
        return _(self.outcome["template"]) % self.outcome["params"] if self.outcome else ""
