"""What federations and organisers take out of the program: how they want their tables, and the files that were made."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.lines import MAX_NAME
from players.lists.models import OfficialList
from players.models import Federation
from players.registry.models import of_one
from players.rows import Row
from tournament.models.job import Job


class Every(models.TextChoices):
    """How often a worker makes a file by itself."""

    NEVER = "", _("only when asked")
    DAY = "day", _("every day")
    WEEK = "week", _("every week")
    MONTH = "month", _("every month")


class ExportProfile(Row):
    """How a federation or an organiser wants one ``kind`` of table: columns and their names.

    The kinds are those of :data:`tournament.exports.kinds.KINDS`; an organiser has those of their own events.

    ``columns`` are pairs of a column of the kind and the title that it gets, in order. How numbers, days and letters
    are written (:mod:`tournament.exports.layout`) matters to CSV alone. ``asked_until`` is the last day of the latest
    period for which a worker was asked by the calendar, on behalf of ``scheduled_by``.
    """

    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="export_profiles"
    )
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="export_profiles"
    )
    name = models.CharField(_("name"), max_length=MAX_NAME)
    kind = models.CharField(max_length=20)
    official_list = models.ForeignKey(
        OfficialList,
        verbose_name=_("list"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="export_profiles",
    )
    columns = models.JSONField()
    format = models.CharField(_("format"), max_length=4, default="csv")
    delimiter = models.CharField(_("between columns"), max_length=1, default=";")
    decimal = models.CharField(_("decimal sign"), max_length=1, default=",")
    encoding = models.CharField(_("encoding"), max_length=12, default="utf-8-sig")
    dates = models.CharField(_("days as"), max_length=10, default="iso")
    names_schema = models.BooleanField(_("first line names the schema"), default=False)
    every = models.CharField(_("made"), max_length=5, choices=Every, default=Every.NEVER, blank=True)
    asked_until = models.DateField(null=True, blank=True)
    scheduled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("export profile")
        verbose_name_plural = _("export profiles")
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=of_one("federation", "organiser"), name="export_profile_of_one_keeper"),
            models.UniqueConstraint(fields=["federation", "name"], name="export_profile_name_once_per_federation"),
            models.UniqueConstraint(fields=["organiser", "name"], name="export_profile_name_once_per_organiser"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(kind=""), name="export_profile_has_name_and_kind"),
            models.CheckConstraint(condition=Q(every__in=Every.values), name="export_profile_every_known"),
            models.CheckConstraint(
                condition=Q(every="") | Q(asked_until__isnull=False), name="export_profile_scheduled_from_a_day"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class KeptExport(Row):
    """A file that a worker made, of the days from ``first`` to ``last``.

    ``data`` is the file compressed by zlib, ``sha256`` and ``size`` are those of the file itself. It is null once the
    name of a person may no longer be read: the file would go on telling it.
    """

    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="kept_exports"
    )
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="kept_exports"
    )
    profile = models.ForeignKey(
        ExportProfile, on_delete=models.SET_NULL, null=True, blank=True, related_name="kept_exports"
    )
    job = models.OneToOneField(Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="kept_export")
    name = models.CharField(_("name"), max_length=160)
    format = models.CharField(max_length=4)
    first = models.DateField(_("from"))
    last = models.DateField(_("to"))
    rows = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    data = models.BinaryField(null=True, blank=True)
    made_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("kept export")
        verbose_name_plural = _("kept exports")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=of_one("federation", "organiser"), name="kept_export_of_one_keeper"),
            models.CheckConstraint(condition=Q(first__lte=F("last")), name="kept_export_days_in_order"),
            models.CheckConstraint(condition=~Q(sha256=""), name="kept_export_has_a_digest"),
        ]
        indexes = [models.Index(fields=["made_at"], name="kept_export_made_at")]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def forget_data(cls) -> None:
        """Empty all files: after this nobody reads in them a name that may no longer be read."""
        cls.objects.exclude(data=None).update(data=None)
