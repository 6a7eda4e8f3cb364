"""The closing of an event's entries, and the public value that becomes known after it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Event, PublicSource

LONGEST_WORD = 40


class Closing(Row):
    """The entries of an event as they were closed for the draw of a stage; ``digest`` commits to them.

    ``value`` is empty until it is known, and never changes after that. A closing that no longer counts stays, with
    ``voided_at``: the entries were reopened for ``void_reason``, or without a reason the draw was taken back.

    ``dice`` is what one person typed in, public once another has repeated it. ``drand_round``, of drand's
    chain quicknet, was named when the entries closed; ``signature`` is drand's own, whose hash is the value, in hex.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="closings")
    number = models.PositiveSmallIntegerField()
    stage = models.PositiveSmallIntegerField(default=1)
    source = models.CharField(max_length=5, choices=[one for one in PublicSource.choices if one[0] != "none"])
    digest = models.CharField(max_length=64)
    closed_at = models.DateTimeField()
    dice = models.CharField(max_length=60, blank=True)
    dice_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    drand_round = models.BigIntegerField(null=True, blank=True)
    signature = models.CharField(max_length=96, blank=True)
    value = models.CharField(max_length=64, blank=True)
    known_at = models.DateTimeField(null=True, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("closing")
        verbose_name_plural = _("closings")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="closing_number_once_per_event"),
            models.UniqueConstraint(
                fields=["event"], condition=Q(voided_at__isnull=True), name="closing_open_once_per_event"
            ),
            models.CheckConstraint(
                condition=Q(value="", known_at__isnull=True) | (~Q(value="") & Q(known_at__isnull=False)),
                name="closing_value_known_at_a_moment",
            ),
            models.CheckConstraint(
                condition=Q(source=PublicSource.DRAND, drand_round__gte=1)
                | Q(source__in=("dice", "words"), drand_round__isnull=True, signature=""),
                name="closing_names_a_round_of_drand",
            ),
            models.CheckConstraint(
                condition=Q(source=PublicSource.DICE) | Q(dice="", dice_by__isnull=True), name="closing_has_dice"
            ),
            models.CheckConstraint(
                condition=Q(voided_at__isnull=False) | Q(void_reason=""), name="closing_void_for_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"


class GivenWord(Row):
    """A word from a player's private page; ``number`` is that of the entry in the document that was closed."""

    closing = models.ForeignKey(Closing, on_delete=models.CASCADE, related_name="words")
    number = models.PositiveSmallIntegerField()
    word = models.CharField(max_length=LONGEST_WORD)
    given_at = models.DateTimeField()

    class Meta:
        verbose_name = _("word")
        verbose_name_plural = _("words")
        ordering = ["closing_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["closing", "number"], name="given_word_once_per_entry"),
            models.CheckConstraint(condition=~Q(word=""), name="given_word_is_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.word}"
