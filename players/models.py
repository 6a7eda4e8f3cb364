"""People, their clubs, and the ranking lists that are computed from their matches."""

import uuid
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Rank
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.collation import DANISH, SWEDISH, sort_key
from players.lines import MAX_COUNTRY, MAX_NAME
from players.lists.models import (  # noqa: F401 - models stand here for Django
    OfficialList,
    Publication,
    PublishedLine,
    StartValue,
)
from players.lists.policies import ListPolicy  # noqa: F401 - a model stands here for Django
from players.registry.models import (  # noqa: F401 - models stand here for Django
    MAX_CODE,
    Alias,
    ExternalId,
    Federation,
    FormerValue,
    Gender,
    Membership,
    Norm,
    RegistryImport,
    RegistryRole,
    Title,
    Visibility,
    VisibilityRequest,
)
from players.registry.public_names import PublicNames  # noqa: F401 - a model stands here for Django
from players.registry.title_rules import TitleRules  # noqa: F401 - a model stands here for Django
from players.rows import Row
from players.webhooks.models import Delivery, Webhook  # noqa: F401 - models stand here for Django

MAX_KEY = 240


class User(AbstractUser):
    """A person who signs in: a director, a scorer, an officer of a federation.

    The login name (``username``) is half of what signs somebody in: only those with a role in the same tournament see
    it. What everybody may read is :attr:`shown_name`.
    """

    @property
    def shown_name(self) -> str:
        """The name that the public may read; a number for somebody who has given none."""
        return self.get_full_name() or f"#{self.pk}"


class Club(Row):
    """A club, which may belong to a federation; its ``code`` is that of the federation's own lists."""

    name = models.CharField(_("name"), max_length=MAX_NAME, unique=True)
    code = models.CharField(_("code"), max_length=MAX_CODE, blank=True)
    town = models.CharField(_("town"), max_length=MAX_NAME, blank=True)
    federation = models.ForeignKey(
        Federation,
        verbose_name=_("federation"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="clubs",
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="club_has_name"),
            models.UniqueConstraint(
                fields=["federation", "code"], condition=~models.Q(code=""), name="club_code_once_per_federation"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SortKeyField(models.CharField):
    """The key by which the row's ``name`` sorts in an alphabet: computed whenever the row is stored."""

    def __init__(self, *args: Any, alphabet: str, **options: Any) -> None:
        self.alphabet = alphabet
        super().__init__(*args, **{"max_length": MAX_KEY, "editable": False, "default": "", **options})

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "alphabet": self.alphabet}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = sort_key(model_instance.name, self.alphabet)[:MAX_KEY]  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class Player(Row):
    """A person who plays. Names are not unique: two people may share one.

    ``name`` is what everybody may read, so whatever shows it shows no more than that; ``given`` and ``family`` are the
    person's own names, for those who keep the registry, empty while nobody has told them apart.
    ``visibility`` says what ``name`` is made of them (:mod:`players.registry.names`). ``public_id`` is the person's
    for good, in this installation and in all files. ``birth_year`` is filled where ``birth_date`` is.
    ``merged_into`` is the row that stands for the person if this one was a duplicate; then only its :class:`Merge`
    refers to this one.
    """

    name = models.CharField(_("name"), max_length=MAX_NAME)
    folded_name = models.CharField(max_length=120, editable=False, db_index=True)
    danish_order = SortKeyField(alphabet=DANISH)
    swedish_order = SortKeyField(alphabet=SWEDISH)
    country = models.CharField(_("country"), max_length=MAX_COUNTRY, blank=True)
    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.SET_NULL, null=True, blank=True, related_name="players"
    )
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    given = models.CharField(_("given names"), max_length=MAX_NAME, blank=True)
    family = models.CharField(_("family name"), max_length=MAX_NAME, blank=True)
    town = models.CharField(_("town"), max_length=MAX_NAME, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    birth_date = models.DateField(_("date of birth"), null=True, blank=True)
    gender = models.CharField(_("gender"), max_length=1, choices=Gender, blank=True)
    visibility = models.CharField(_("shown as"), max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    created_at = models.DateTimeField()
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="duplicates")

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name", "id"]
        indexes = [  # a page of the persons in each order, without sorting them all
            models.Index(fields=["merged_into", "folded_name", "id"], name="player_folded_name"),
            models.Index(fields=["merged_into", "danish_order", "id"], name="player_danish_order"),
            models.Index(fields=["merged_into", "swedish_order", "id"], name="player_swedish_order"),
        ]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="player_has_name"),
            models.CheckConstraint(
                condition=models.Q(merged_into__isnull=True) | ~models.Q(merged_into=models.F("id")),
                name="player_merged_into_another",
            ),
            models.CheckConstraint(
                condition=models.Q(birth_date__isnull=True) | models.Q(birth_year__isnull=False),
                name="player_born_in_a_year",
            ),
            models.CheckConstraint(
                condition=models.Q(visibility=Visibility.PUBLIC) | ~models.Q(family=""),
                name="player_not_public_has_family_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])


class Merge(Row):
    """Two player rows found to be the same person: ``kept`` stands for both, until ``undone_at``.

    ``detail`` is what the merge did, by which it is undone: ``moved`` has the ids of the rows that belonged to
    ``gone``, by column, ``filled`` what ``kept`` took over; the tournament app adds to it. It is empty for a merge from
    before this was kept, which cannot be undone.
    """

    kept = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    gone = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    detail = models.JSONField(default=dict)
    at = models.DateTimeField()
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["gone"], condition=models.Q(undone_at__isnull=True), name="merge_stands_once_per_player"
            ),
            models.CheckConstraint(condition=~models.Q(kept=models.F("gone")), name="merge_is_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.gone} is {self.kept}"


class RankingList(Row):
    """One run of a rating system over all rated matches, oldest first; a new run replaces it.

    ``version`` grows with every run. ``covers`` says for which steps the run was asked for, and -1 that another is
    needed: no clock decides whether the list is out of date.
    """

    system = models.SlugField(unique=True)
    computed_at = models.DateTimeField()
    matches = models.PositiveIntegerField()
    version = models.PositiveBigIntegerField(default=0)
    covers = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("ranking list")
        verbose_name_plural = _("ranking lists")

    def __str__(self) -> str:
        return self.system

    def lines(self) -> models.QuerySet:
        """Return the ratings with players and clubs, best first and ties by name; equals share a ``place``."""
        return self._in_order(self.ratings.all()).annotate(
            place=models.Window(Rank(), order_by=models.F("value").desc())
        )

    def some_lines(self, after: int, count: int) -> list["Rating"]:
        """Return so many of :meth:`lines` after the first ``after``: they are read without the rest of the list."""
        values = list(self.ratings.order_by("-value").values_list("value", flat=True)[after : after + count])
        if not values:
            return []
        higher = self.ratings.filter(value__gt=values[0]).count()
        between = self._in_order(self.ratings.filter(value__range=(values[-1], values[0])))
        found = list(between[after - higher : after - higher + count])
        place = higher + 1
        for number, (before, line) in enumerate(pairwise([None, *found]), start=after + 1):
            if before is not None and line.value != before.value:
                place = number
            line.place = place
        return found

    @staticmethod
    def _in_order(ratings: models.QuerySet) -> models.QuerySet:
        return ratings.select_related("player__club").order_by("-value", "player__folded_name", "player_id")


class Rating(Row):
    """A player's line in a ranking list."""

    ranking_list = models.ForeignKey(RankingList, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    value = models.DecimalField(_("rating"), max_digits=10, decimal_places=4)
    experience = models.PositiveIntegerField(_("experience"))
    matches = models.PositiveIntegerField(_("matches"))
    wins = models.PositiveIntegerField(_("wins"))
    place: int
    """The place in the list, where it was asked for."""

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["-value", "player_id"]
        indexes = [models.Index(fields=["ranking_list", "-value"], name="rating_best_first")]
        constraints = [
            models.UniqueConstraint(fields=["ranking_list", "player"], name="rating_one_per_player_and_list"),
            models.CheckConstraint(
                condition=models.Q(wins__lte=models.F("matches")), name="rating_wins_within_matches"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.value}"
