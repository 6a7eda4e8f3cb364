"""Alerts: what the holder of an entry's link wants to be told, and what they have been told."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Entry

MAX_ADDRESS = 500


class Channel(models.TextChoices):
    """The way on which an alert travels."""

    PUSH = "push", _("notification")
    MAIL = "mail", _("e-mail")


class Subscription(Row):
    """A browser or an e-mail address to which alerts about an entry are sent, asked for with its private link.

    It ends with that link: ``epoch`` is the link's. ``address`` is that of the push service, with the browser's keys
    beside it, or the e-mail address, to which nothing but a question is sent before it is confirmed (``confirmed_at``).
    ``days_before`` is when reminders of a deadline begin. A row is deleted for good when it ends: the address is
    nobody's business any more.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="subscriptions")
    epoch = models.PositiveIntegerField()
    channel = models.CharField(max_length=4, choices=Channel)
    address = models.CharField(max_length=MAX_ADDRESS)
    public_key = models.CharField(max_length=100, blank=True)
    secret = models.CharField(max_length=40, blank=True)
    kinds = models.JSONField(default=list)
    days_before = models.PositiveSmallIntegerField(default=2)
    language = models.CharField(max_length=8)
    made_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("alerts")
        verbose_name_plural = _("alerts")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "channel", "address"], name="subscription_once_per_address"),
            models.CheckConstraint(condition=Q(channel__in=Channel.values), name="subscription_channel_known"),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}"


class Alert(Row):
    """Something that a subscriber is told once: ``subject`` names what, such as a call of a match.

    ``sent_at`` is null while it is being sent, and until it is tried again.
    """

    subscription = models.ForeignKey(Subscription, on_delete=models.CASCADE, related_name="alerts")
    subject = models.CharField(max_length=80)
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")
        constraints = [models.UniqueConstraint(fields=["subscription", "subject"], name="alert_once_per_subject")]

    def __str__(self) -> str:
        return self.subject
