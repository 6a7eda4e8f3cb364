"""Acceptances: records that do not prove a match, which an officer has accepted as one, with a reason."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row

MOST_WORDS = 200
"""The longest reason."""


class Acceptance(Row):
    """``record`` accepted as ``match`` by ``by``, for this ``reason``: accepted, not proved, and so never rated.

    ``known`` is what they said of the record, as :func:`rules.records.known.parse_known` reads it. The verdict on the
    record stays what the rules engine says. An acceptance is taken back once, for a reason too, and its match is void
    then; the record may be accepted again.
    """

    record = models.ForeignKey("matches.Record", on_delete=models.CASCADE, related_name="acceptances")
    match = models.OneToOneField("matches.Match", on_delete=models.CASCADE, related_name="acceptance")
    known = models.JSONField(default=dict, blank=True)
    reason = models.CharField(_("reason"), max_length=MOST_WORDS)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_back_for = models.CharField(_("reason"), max_length=MOST_WORDS, blank=True, default="")

    class Meta:
        verbose_name = _("accepted record")
        verbose_name_plural = _("accepted records")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["record"], condition=Q(taken_back_at__isnull=True), name="record_accepted_once_at_a_time"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="acceptance_has_a_reason"),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True, taken_back_for="")
                | Q(taken_back_at__isnull=False) & ~Q(taken_back_for=""),
                name="acceptance_is_taken_back_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.reason
