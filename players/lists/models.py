"""The rows of official lists: a list, the values that it started from, and its publications, which never change."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.lines import MAX_NAME
from players.rows import Row

MAX_KIND = 40
MAX_SOURCE = 80
MOST_PLACES = 4


class OfficialList(Row):
    """A list that a federation publishes: its rating system with parameters, and who stands on it.

    A list without a federation belongs to the administrators. Matches that ended after ``counts_from`` count, all with
    null. ``criteria`` are those of the next publication (:class:`players.lists.values.Criteria`). Once there is a
    publication, system, parameters, ``counts_from`` and the start values stay.
    """

    slug = models.SlugField(_("address"), unique=True, max_length=40)
    name = models.CharField(_("name"), max_length=MAX_NAME)
    federation = models.ForeignKey(
        "players.Federation",
        verbose_name=_("federation"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="official_lists",
    )
    kind = models.CharField(_("rating system"), max_length=MAX_KIND)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    places = models.PositiveSmallIntegerField(_("decimal places"), default=2)
    counts_from = models.DateTimeField(_("matches count from"), null=True, blank=True)
    criteria = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("official list")
        verbose_name_plural = _("official lists")
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="official_list_has_a_name"),
            models.CheckConstraint(condition=Q(places__lte=MOST_PLACES), name="official_list_places_few"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("official-list", args=[self.slug])


class StartValue(Row):
    """What a player had on the official list ``source`` of the day ``as_of``: this list goes on from there."""

    official_list = models.ForeignKey(OfficialList, on_delete=models.PROTECT, related_name="start_values")
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="start_values")
    value = models.DecimalField(_("rating"), max_digits=10, decimal_places=4)
    experience = models.PositiveIntegerField(_("experience"), default=0)
    as_of = models.DateField(_("as of"))
    source = models.CharField(_("source"), max_length=MAX_SOURCE)

    class Meta:
        verbose_name = _("start value")
        verbose_name_plural = _("start values")
        ordering = ["player_id"]
        constraints = [
            models.UniqueConstraint(fields=["official_list", "player"], name="start_value_once_per_list_and_player"),
            models.CheckConstraint(condition=~Q(source=""), name="start_value_has_a_source"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.value}"


class Frozen(TypeError):  # noqa: N818
    """An attempt to change or delete what has been published: a fault of the program, never of a person."""


class FrozenRows(models.QuerySet):
    """Rows that are stored once and never changed."""

    def update(self, **values: Any) -> int:
        raise Frozen("A publication never changes.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Frozen("A publication is never deleted.")


class Publication(Row):
    """A list as it was published: number ``number`` of its list, counted from 1 without gaps, as of a day.

    ``document`` holds everything that it follows from (:mod:`players.lists.document`), compressed; ``sha256`` is the
    digest of what it is uncompressed, ``signature`` that of the digest by the key ``key``, all in hex. It counts the
    matches that ended by ``matches_until`` and asks for memberships on ``memberships_until``; ``base`` is the number of
    the publication that its run began from. Appended, never changed.
    """

    official_list = models.ForeignKey(OfficialList, on_delete=models.PROTECT, related_name="publications")
    number = models.PositiveIntegerField()
    previous = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="following")
    base = models.PositiveIntegerField()
    as_of = models.DateField()
    matches_until = models.DateTimeField()
    memberships_until = models.DateField()
    criteria = models.JSONField()
    matches = models.PositiveIntegerField()
    inputs_sha256 = models.CharField(max_length=64)
    corrections = models.PositiveIntegerField(default=0)
    document = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)
    key = models.CharField(max_length=64)
    published_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = FrozenRows.as_manager()

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering = ["official_list", "number"]
        constraints = [
            models.UniqueConstraint(fields=["official_list", "number"], name="publication_number_once_per_list"),
            models.CheckConstraint(
                condition=Q(number=1, previous__isnull=True) | Q(number__gt=1, previous__isnull=False),
                name="publication_follows_another_but_the_first",
            ),
            models.CheckConstraint(condition=Q(base__lt=F("number")), name="publication_begins_from_an_earlier_one"),
            models.CheckConstraint(
                condition=~Q(sha256="") & ~Q(signature="") & ~Q(key=""), name="publication_is_signed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.official_list} {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("publication", args=[self.official_list.slug, self.number])

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Frozen("A publication never changes.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Frozen("A publication is never deleted.")


class PublishedLine(Row):
    """A line of a publication, as its document has it, with the names that the document holds by a hash alone.

    ``person`` is the player's id at the time, ``player`` the person today: a merge moves it. ``rank`` is null for
    provisional players. When a person is deleted, names, club and salt go, and the document stays what it was.
    """

    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, related_name="lines")
    place = models.PositiveIntegerField()
    person = models.BigIntegerField()
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="published_lines")
    rank = models.PositiveIntegerField(null=True, blank=True)
    rank_to = models.PositiveIntegerField(null=True, blank=True)
    value = models.DecimalField(_("rating"), max_digits=10, decimal_places=4)
    delta = models.DecimalField(_("change"), max_digits=10, decimal_places=4, null=True, blank=True)
    experience = models.PositiveIntegerField(_("experience"))
    matches = models.PositiveIntegerField(_("matches"))
    wins = models.PositiveIntegerField(_("wins"))
    last_played = models.DateField(_("last played"), null=True, blank=True)
    class_name = models.CharField(_("class"), max_length=MAX_NAME, blank=True)
    number = models.CharField(_("number"), max_length=30, blank=True)
    title = models.CharField(_("title"), max_length=12, blank=True)
    name = models.CharField(_("name"), max_length=MAX_NAME)
    folded_name = models.CharField(max_length=120, editable=False)
    nation = models.CharField(_("country"), max_length=3, blank=True)
    club = models.CharField(_("club"), max_length=MAX_NAME, blank=True)
    salt = models.CharField(max_length=32, blank=True)

    class Meta:
        verbose_name = _("line of a publication")
        verbose_name_plural = _("lines of publications")
        ordering = ["publication", "place"]
        constraints = [
            models.UniqueConstraint(fields=["publication", "place"], name="published_line_place_once"),
            models.UniqueConstraint(fields=["publication", "person"], name="published_line_person_once"),
            models.CheckConstraint(
                condition=Q(rank__isnull=True, rank_to__isnull=True) | Q(rank__lte=F("rank_to")),
                name="published_line_ranks_in_order",
            ),
            models.CheckConstraint(condition=Q(wins__lte=F("matches")), name="published_line_wins_within_matches"),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.name} {self.value}"
