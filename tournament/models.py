"""Tournament (the weekend), Event (what people enter), Stage (one draw), Fixture (a published pairing), Match."""

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.models import Match, profile_choices
from players.models import Player
from tournament import formats, tiebreaks


def default_tiebreaks() -> list[str]:
    return list(tiebreaks.DEFAULT_TIEBREAKS)


def from_the_start() -> list[int]:
    return [1]


class Tournament(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    place = models.CharField(_("place"), max_length=80, blank=True)
    starts_on = models.DateField(_("first day"))
    directors = models.ManyToManyField(
        settings.AUTH_USER_MODEL, verbose_name=_("directors"), related_name="tournaments"
    )
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-starts_on", "-id"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="tournament_has_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])


class Event(models.Model):
    """What people enter. ``version`` counts its changes: each write raises it, and every open page follows it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=80)
    profile = models.CharField(_("rules"), max_length=20, choices=profile_choices, default="wbgf")
    crawford = models.BooleanField(_("Crawford game"), default=True)
    tiebreaks = models.JSONField(_("tie-breaks"), default=default_tiebreaks, blank=True)
    doubles = models.BooleanField(_("consultation doubles"), default=False)
    version = models.PositiveIntegerField(default=1)
    finished_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["tournament_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "slug"], name="event_slug_once_per_tournament"),
            models.CheckConstraint(condition=~Q(name=""), name="event_has_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.tournament.slug, self.slug])


class Entry(models.Model):
    """A player in an event, or in consultation doubles a pair. ``seed`` ranks the entrants of a seeded draw.

    ``reentry`` counts how often the player entered before. ``family`` is any word that keeps entries apart in round 1.
    ``presence`` holds the rounds from which the entry is in, out, in again, ... where the format pairs round by round.
    ``rating`` is in hundredths, as it was at the draw.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    partner = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs")
    reentry = models.PositiveSmallIntegerField(default=0)
    number = models.PositiveSmallIntegerField()
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    family = models.CharField(_("family"), max_length=40, blank=True)
    presence = models.JSONField(default=from_the_start)
    rating = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player", "reentry"], name="entry_player_once_per_reentry"),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=F("player")), name="entry_partner_is_another"
            ),
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once_per_event"),
            models.UniqueConstraint(fields=["event", "seed"], name="entry_seed_once_per_event"),
            models.CheckConstraint(condition=Q(seed__isnull=True) | Q(seed__gte=1), name="entry_seed_positive"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Who plays, as lists and drawings show it. Reads ``player`` and ``partner`` as loaded."""
        if self.partner is not None:
            return f"{self.player.name} & {self.partner.name}"
        return self.player.name if not self.reentry else f"{self.player.name} ({self.reentry + 1})"


class Carry(models.TextChoices):
    """Which matches of earlier stages count in a later one."""

    NONE = "none", _("none")
    MET = "met", _("those between players who are both through")
    ALL = "all", _("all")


class Stage(models.Model):
    """One draw with one format.

    ``options`` are those of :class:`tournament.formats.plan.Options`: the match lengths and how the draw is seeded.
    ``seed`` feeds all randomness of the draw. Until the draw only its hash is shown, after it the seed itself,
    so that anyone can run the draw again. ``draw_hash`` commits the draw that was made to seed and entry list (see
    :func:`tournament.formats.drawing.draw_hash`). ``standings_version`` says which version of the event
    its standings include.

    The first stage is for all who entered. A later one is for the ``qualifiers`` best of the stage before it, of each
    group if that has groups; 0 is for all who still have a life. ``carry`` says which earlier matches count.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=30, choices=formats.choices)
    qualifiers = models.PositiveSmallIntegerField(_("qualifiers"), null=True, blank=True)
    carry = models.CharField(_("matches carried over"), max_length=4, choices=Carry, default=Carry.NONE)
    options = models.JSONField(default=dict)
    seed = models.CharField(max_length=64)
    drawn_at = models.DateTimeField(null=True, blank=True)
    draw_hash = models.CharField(max_length=64, blank=True)
    standings_version = models.PositiveIntegerField(default=0)
    standings_matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once_per_event"),
            models.CheckConstraint(condition=~Q(seed=""), name="stage_has_seed"),
            models.CheckConstraint(
                condition=Q(number=1, qualifiers__isnull=True) | Q(number__gt=1, qualifiers__isnull=False),
                name="stage_after_the_first_has_qualifiers",
            ),
            models.CheckConstraint(condition=Q(carry__in=Carry.values), name="stage_carry_known"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"

    @property
    def seed_hash(self) -> str:
        """SHA-256 of the seed, in hex: public before the draw, so that the seed cannot be chosen to suit somebody."""
        return sha256(self.seed.encode()).hexdigest()


class Fixture(models.Model):
    """The row of a published pairing.

    A seat is an entry, a feed ("winner:M1-3", "loser:M1-3", "bye"), or both once the feed has delivered its entry.
    ``why`` holds the reason of the pairing as the format gave it: ``code``, ``template``, ``params``.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="fixtures")
    key = models.CharField(max_length=16)
    bracket = models.CharField(max_length=4)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField()
    entry_a = models.ForeignKey(Entry, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    entry_b = models.ForeignKey(Entry, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    feed_a = models.CharField(max_length=24, blank=True)
    feed_b = models.CharField(max_length=24, blank=True)
    why = models.JSONField(default=dict)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="fixture")

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        ordering = ["stage_id", "bracket", "round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "key"], name="fixture_key_once_per_stage"),
            models.UniqueConstraint(
                fields=["stage", "bracket", "round", "number"], name="fixture_place_once_per_stage"
            ),
            models.CheckConstraint(condition=~Q(entry_a=F("entry_b")), name="fixture_entries_differ"),
            models.CheckConstraint(
                condition=(Q(entry_a__isnull=False) | ~Q(feed_a="")) & (Q(entry_b__isnull=False) | ~Q(feed_b="")),
                name="fixture_seat_is_entry_or_feed",
            ),
            models.CheckConstraint(
                condition=Q(match__isnull=True) | Q(entry_a__isnull=False, entry_b__isnull=False),
                name="fixture_match_has_both_entries",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Standing(models.Model):
    """A line of a stage's standings, as computed from the results of ``stage.standings_version``.

    ``section`` is the bracket of a ranking of its own, such as a consolation or a group; empty for the whole field.
    ``note`` says what a tie-break could not decide, such as a cycle: ``code``, ``template``, ``params``, or nothing.
    ``why`` says in the same form how the place was won.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="standings")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="standings")
    place = models.PositiveSmallIntegerField()
    place_to = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=4, blank=True)
    order = models.PositiveSmallIntegerField()
    played = models.PositiveSmallIntegerField()
    wins = models.PositiveSmallIntegerField()
    losses = models.PositiveSmallIntegerField()
    points_for = models.PositiveIntegerField()
    points_against = models.PositiveIntegerField()
    tiebreaks = models.JSONField(default=list)
    decided_by = models.CharField(max_length=30, blank=True)
    note = models.JSONField(default=dict)
    why = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["stage_id", "section", "order"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "section", "entry"], name="standing_one_per_entry_and_section"),
            models.CheckConstraint(condition=Q(place__gte=1, place_to__gte=F("place")), name="standing_place_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.entry_id}"


class LogEntry(models.Model):
    """Who did what to an event, written in the transaction that did it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    verb = models.CharField(max_length=30)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.verb}"
