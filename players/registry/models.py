"""The rows of the registry: federations, and what they have recorded of people, each with its dates.

A person has no fields of a federation: a number, a membership or a title is a row of its own. What is overwritten in
the row of a person is kept as a :class:`FormerValue`.
"""

from collections.abc import Iterable
from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.lines import MAX_COUNTRY, MAX_NAME
from players.rows import Row

MAX_CODE = 12
"""Of federations, clubs and titles."""
MAX_ISSUER = 20
MAX_NUMBER = 30
MAX_PATTERN = 80
MAX_SOURCE = 80
MAX_FOLDED = 120


def of_one(*names: str) -> Q:
    """Return the condition that exactly one of these columns is filled."""
    found = Q()
    for name in names:
        found |= Q(**{f"{other}__isnull": other != name for other in names})
    return found


class Visibility(models.TextChoices):
    """What the public may read of a person's name (:func:`players.registry.names.public_name`)."""

    PUBLIC = "public", _("name")
    INITIALS = "initials", _("initials")
    HIDDEN = "hidden", _("number")
    MINOR = "minor", _("initials, as a minor")


class Gender(models.TextChoices):
    FEMALE = "f", _("female")
    MALE = "m", _("male")
    OTHER = "x", _("other")


class Federation(Row):
    """A body that has members and issues numbers and titles; ``parent`` is the one that it belongs to.

    Its ``code`` in small letters is the issuer of its numbers. ``number_pattern`` is a regular expression that the
    whole of a number has to match; empty for any. A membership year begins on ``year_starts_day`` of
    ``year_starts_month``.
    """

    code = models.CharField(_("code"), max_length=MAX_CODE, unique=True)
    name = models.CharField(_("name"), max_length=MAX_NAME, unique=True)
    country = models.CharField(_("country"), max_length=MAX_COUNTRY, blank=True)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="children")
    year_starts_month = models.PositiveSmallIntegerField(_("month"), default=1)
    year_starts_day = models.PositiveSmallIntegerField(_("day"), default=1)
    number_pattern = models.CharField(_("pattern of numbers"), max_length=MAX_PATTERN, blank=True)

    class Meta:
        verbose_name = _("federation")
        verbose_name_plural = _("federations")
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(condition=~Q(name="") & ~Q(code=""), name="federation_has_code_and_name"),
            models.CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("id")), name="federation_above_another"
            ),
            models.CheckConstraint(
                condition=Q(year_starts_month__range=(1, 12), year_starts_day__range=(1, 28)),
                name="federation_year_starts_on_a_day",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def issuer(self) -> str:
        """The issuer of the federation's numbers and titles."""
        return self.code.lower()


class FormerValue(Row):
    """What a field of a person was until a day, and who changed it."""

    class Field(models.TextChoices):
        NAME = "name", _("name")
        GIVEN = "given", _("given names")
        FAMILY = "family", _("family name")
        CLUB = "club", _("club")
        COUNTRY = "country", _("country")
        TOWN = "town", _("town")
        BORN = "born", _("born")
        GENDER = "gender", _("gender")
        VISIBILITY = "visibility", _("shown as")
        NUMBER = "number", _("number")

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="former_values")
    field = models.CharField(_("field"), max_length=12, choices=Field)
    value = models.CharField(_("value"), max_length=MAX_NAME, blank=True)
    until = models.DateField(_("until"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["field", "value"], name="former_value_of_field")]

    def __str__(self) -> str:
        return f"{self.field} {self.value} until {self.until}"


class ExternalId(Row):
    """The number or name by which an issuer knows a person: a federation's member number, an account of a server."""

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="external_ids")
    issuer = models.SlugField(_("issuer"), max_length=MAX_ISSUER)
    value = models.CharField(_("number"), max_length=MAX_NUMBER)
    verified_at = models.DateTimeField(null=True, blank=True)
    verified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["issuer", "value"]
        constraints = [
            models.UniqueConstraint(fields=["issuer", "value"], name="external_id_of_one_person"),
            models.CheckConstraint(condition=~Q(issuer="") & ~Q(value=""), name="external_id_is_filled"),
        ]

    def __str__(self) -> str:
        return f"{self.issuer} {self.value}"


class Membership(Row):
    """A person is a member of a federation or a club from ``starts`` to ``ends``, both included; null is open.

    No two of one person, body and kind overlap: :mod:`players.registry.memberships` sees to it.
    """

    class Kind(models.TextChoices):
        ORDINARY = "ordinary", _("ordinary")
        INTRODUCTION = "introduction", _("introduction")
        YOUTH = "youth", _("youth")
        HONORARY = "honorary", _("honorary")
        GUEST = "guest", _("guest")

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="body_memberships")
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    club = models.ForeignKey(
        "players.Club", on_delete=models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.ORDINARY)
    number = models.CharField(_("number"), max_length=MAX_NUMBER, blank=True)
    starts = models.DateField(_("from"))
    ends = models.DateField(_("to"), null=True, blank=True)
    paid_on = models.DateField(_("paid on"), null=True, blank=True)
    source = models.CharField(_("source"), max_length=MAX_SOURCE, blank=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ["starts", "id"]
        indexes = [
            models.Index(fields=["federation", "starts", "ends"], name="membership_of_federation"),
            models.Index(fields=["club", "starts", "ends"], name="membership_of_club"),
        ]
        constraints = [
            models.CheckConstraint(condition=of_one("federation", "club"), name="membership_of_one_body"),
            models.CheckConstraint(
                condition=Q(ends__isnull=True) | Q(ends__gte=F("starts")), name="membership_ends_after_its_start"
            ),
            models.UniqueConstraint(
                fields=["player", "federation", "kind", "starts"],
                condition=Q(federation__isnull=False),
                name="membership_of_federation_starts_once",
            ),
            models.UniqueConstraint(
                fields=["player", "club", "kind", "starts"],
                condition=Q(club__isnull=False),
                name="membership_of_club_starts_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind} from {self.starts}"

    def holds_on(self, day: date) -> bool:
        """Whether the person is a member on this day."""
        return self.starts <= day and (self.ends is None or day <= self.ends)

    def overlapping(self, rows: Iterable["Membership"]) -> "Membership | None":
        """Return one of the other memberships of this body and kind that overlaps this one; None if there is none."""
        last = self.ends or date.max
        for row in rows:
            same = (row.kind, row.federation_id, row.club_id) == (self.kind, self.federation_id, self.club_id)
            if same and row.pk != self.pk and row.starts <= last and self.starts <= (row.ends or date.max):
                return row
        return None

    @staticmethod
    def on(day: date) -> Q:
        """Return the condition that a membership holds on this day."""
        return Q(starts__lte=day) & (Q(ends__isnull=True) | Q(ends__gte=day))


class Title(Row):
    """A title that an issuer has given to a person, such as GM, from the day ``on``."""

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="titles")
    issuer = models.SlugField(_("issuer"), max_length=MAX_ISSUER)
    code = models.CharField(_("title"), max_length=MAX_CODE)
    on = models.DateField(_("on"))
    evidence = models.TextField(_("evidence"), blank=True)

    class Meta:
        verbose_name = _("title")
        verbose_name_plural = _("titles")
        ordering = ["on", "id"]
        constraints = [models.CheckConstraint(condition=~Q(issuer="") & ~Q(code=""), name="title_is_filled")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.code}"


class Norm(Row):
    """A part of what a title asks for: ``thirds`` of a norm of a kind. With a ``void_reason`` it counts no longer.

    ``matches`` are the ids of those that are its evidence, if it was found by the rule of such norms.
    """

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="norms")
    issuer = models.SlugField(_("issuer"), max_length=MAX_ISSUER)
    kind = models.CharField(_("kind"), max_length=MAX_CODE)
    thirds = models.PositiveSmallIntegerField(_("thirds"), default=3)
    on = models.DateField(_("on"))
    evidence = models.TextField(_("evidence"), blank=True)
    matches = models.JSONField(default=list, blank=True)
    void_reason = models.CharField(_("void because"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("norm")
        verbose_name_plural = _("norms")
        ordering = ["on", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(issuer="") & ~Q(kind=""), name="norm_is_filled"),
            models.CheckConstraint(condition=Q(thirds__gte=1), name="norm_is_a_third_at_least"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind} {self.thirds}/3"


class Alias(Row):
    """Another spelling by which a person is found, such as one that an import has met; who decided that it is theirs.

    ``folded`` is the spelling as :func:`players.services.fold_name` folds it.
    """

    folded = models.CharField(max_length=MAX_FOLDED, unique=True)
    spelling = models.CharField(_("spelling"), max_length=MAX_NAME)
    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="aliases")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["folded"]
        constraints = [models.CheckConstraint(condition=~Q(folded="") & ~Q(spelling=""), name="alias_is_filled")]

    def __str__(self) -> str:
        return self.spelling


class VisibilityRequest(Row):
    """A member asks for their name to be shown in another way; ``granted`` is null until an officer has answered."""

    player = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="visibility_requests")
    wanted = models.CharField(_("shown as"), max_length=8, choices=Visibility)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    granted = models.BooleanField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(granted__isnull=True, answered_at__isnull=True)
                | Q(granted__isnull=False, answered_at__isnull=False),
                name="visibility_request_answered_at",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.wanted}"


class RegistryRole(Row):
    """A user is an officer of a federation, the manager of a club, or a member: the person themselves."""

    class Role(models.TextChoices):
        OFFICER = "officer", _("officer")
        MANAGER = "manager", _("manager")
        MEMBER = "member", _("member")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="registry_roles")
    federation = models.ForeignKey(Federation, on_delete=models.CASCADE, null=True, blank=True, related_name="officers")
    club = models.ForeignKey("players.Club", on_delete=models.CASCADE, null=True, blank=True, related_name="managers")
    player = models.ForeignKey("players.Player", on_delete=models.CASCADE, null=True, blank=True, related_name="users")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=of_one("federation", "club", "player"), name="registry_role_in_one_place"),
            models.UniqueConstraint(
                fields=["user", "federation"],
                condition=Q(federation__isnull=False),
                name="registry_role_once_per_federation",
            ),
            models.UniqueConstraint(
                fields=["user", "club"], condition=Q(club__isnull=False), name="registry_role_once_per_club"
            ),
            models.UniqueConstraint(
                fields=["user"], condition=Q(player__isnull=False), name="registry_role_of_one_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"

    @property
    def role(self) -> Role:
        if self.federation_id is not None:
            return self.Role.OFFICER
        return self.Role.MANAGER if self.club_id is not None else self.Role.MEMBER


class RegistryImport(Row):
    """A file that was imported: its bytes, and in ``report`` what became of each row and what was made of it.

    The report names nobody: it has ids and the numbers of rows. ``data`` is null once somebody in it had what is kept
    about them deleted.
    """

    class Kind(models.TextChoices):
        MEMBERS = "members", _("members")
        LIST = "list", _("ranking list")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, null=True, blank=True, related_name="imports")
    file_name = models.CharField(_("file"), max_length=120)
    sha256 = models.CharField(max_length=64)
    data = models.BinaryField(null=True)
    report = models.JSONField(default=dict)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.file_name}"
