"""A tournament's hall: its tables, the calls of matches to them, the players there, and the day's breaks."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from players.models import MAX_NAME, Player
from players.rows import Row
from tournament.models.event import Event, Tournament


class Table(Row):
    """A numbered board in the hall.

    Only matches of ``event`` are called to a reserved table automatically; to a streamed one, matches are called only
    when somebody chooses it; to one that is out of order, none.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    event = models.ForeignKey(
        Event, verbose_name=_("reserved for"), on_delete=models.SET_NULL, null=True, blank=True, related_name="tables"
    )
    streamed = models.BooleanField(_("streamed"), default=False)
    out_of_order = models.BooleanField(_("out of order"), default=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="table_number_once_per_tournament"),
            models.CheckConstraint(condition=Q(number__gte=1), name="table_number_positive"),
        ]

    def __str__(self) -> str:
        return str(self.number)


class CallEnding(models.TextChoices):
    """The reason why a call is no longer open."""

    DONE = "done", _("the match was decided")
    RECALLED = "recalled", _("recalled")
    MOVED = "moved", _("moved to another table")
    REDRAWN = "redrawn", _("the pairing changed")


class Call(Row):
    """A match called to a table: open until the players have left it, and then with the reason in ``ending``.

    In a hall without numbered tables, matches are called by their players' names: ``table`` is null. A match that moves
    leaves one call and begins another, which keeps ``called_at`` and ``started_at``.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="calls")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, null=True, blank=True, related_name="calls")
    called_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=8, choices=CallEnding, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(left_at__isnull=True), name="call_one_open_per_match"
            ),
            models.UniqueConstraint(
                fields=["table"], condition=Q(left_at__isnull=True), name="call_one_open_per_table"
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True, ending="") | Q(left_at__isnull=False, ending__in=CallEnding.values),
                name="call_that_ended_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} at table {self.table_id}"

    @property
    def table_number(self) -> int | None:
        """The number of its table; None if its players were called by name."""
        return self.table.number if self.table is not None else None


class Seat(Row):
    """A person in a call. ``tournament`` and ``left_at`` are the call's, to ensure that nobody is in two at once."""

    call = models.ForeignKey(Call, on_delete=models.CASCADE, related_name="seats")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "person"],
                condition=Q(left_at__isnull=True),
                name="seat_one_open_per_person_and_tournament",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in call {self.call_id}"


class Break(Row):
    """A period in which play stops throughout the hall."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="breaks")
    name = models.CharField(_("name"), max_length=MAX_NAME)
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("to"))

    class Meta:
        verbose_name = _("break")
        verbose_name_plural = _("breaks")
        ordering = ["tournament_id", "starts_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="break_has_name"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="break_ends_after_it_starts"),
        ]

    def __str__(self) -> str:
        return self.name


class DirectorCall(Row):
    """The director called to a match by its players: open until ``done_at``. ``taken_at`` is when somebody set out.

    ``tournament`` is the match's, and ``entry`` the side that called; null if it has been removed since.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="director_calls")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="director_calls")
    entry = models.ForeignKey("tournament.Entry", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    called_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("call for the director")
        verbose_name_plural = _("calls for the director")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(done_at__isnull=True), name="director_call_one_open_per_match"
            ),
        ]

    def __str__(self) -> str:
        return f"director to {self.match_id}"
