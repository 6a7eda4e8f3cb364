"""Tournaments, their events, and those events' entries."""

from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON, profile_choices
from players.lists.policy import CLASSES
from players.models import MAX_NAME, Player
from players.rows import Row
from tournament.ranking import tiebreaks

MAX_FAMILY = 40
BOARDS = (1, 2, 3, 4, 5, 6, 7, 8, 9)
"""The possible numbers of boards between two entries: 1 for players and pairs, and a team's size for teams."""


def default_tiebreaks() -> list[str]:
    return list(tiebreaks.DEFAULT_TIEBREAKS)


def from_the_start() -> list[int]:
    return [1]


class Present(models.Manager):
    """A manager that finds only rows that are not deleted; ``everything`` is the one that finds them all."""

    def get_queryset(self) -> models.QuerySet:
        return super().get_queryset().filter(deleted_at=None)


class PresentEvents(Present):
    def get_queryset(self) -> models.QuerySet:
        return super().get_queryset().filter(tournament__deleted_at=None)


class Tournament(Row):
    """An occasion with events. ``hall_version`` counts changes in its hall: calls, tables, breaks.

    ``site_address`` is the start of the addresses in its QR codes, such as https://play.example.org; empty for the
    default of the installation.
    ``ends_on`` is null if it is over in one day, and ``time_zone`` is empty if its times are those of the server.
    ``season_before`` is the tournament whose next season this is, null for any other.
    Deleting hides it: ``deleted_at`` is set, every row stays, and it can be restored.
    """

    name = models.CharField(_("name"), max_length=MAX_NAME)
    slug = models.SlugField(max_length=80, unique=True)
    place = models.CharField(_("place"), max_length=MAX_NAME, blank=True)
    site_address = models.CharField(_("site address"), max_length=200, blank=True)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    season_before = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="seasons_after"
    )
    hall_version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = Present()
    everything = models.Manager()

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="tournament_has_name"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gt=F("starts_on")),
                name="tournament_ends_after_it_starts",
            ),
            models.UniqueConstraint(
                fields=["season_before"], condition=Q(deleted_at__isnull=True), name="tournament_one_next_season"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def last_day(self) -> date:
        return self.ends_on or self.starts_on

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of its times: its own, or the server's."""
        try:
            return ZoneInfo(self.time_zone or settings.TIME_ZONE)
        except (ValueError, OSError, ZoneInfoNotFoundError):  # the machine has forgotten the zone since
            return ZoneInfo(settings.TIME_ZONE)


class PublicSource(models.TextChoices):
    """The origin of the public value of a draw, which becomes known only after the entries have closed."""

    NONE = "none", _("none")
    DICE = "dice", _("dice thrown in the hall")
    WORDS = "words", _("words from the players")
    DRAND = "drand", _("a round of drand")


class Event(Row):
    """A competition that people enter. ``version`` counts its changes: each write raises it, and open pages follow it.

    ``whole_version`` is the version at which more than single fixtures last changed: what was read of it before then is
    read again as a whole, what was read since then only where a fixture has a higher version.
    ``starts_at`` is when it is planned to begin. A clock gives a side ``clock_minutes`` for each point of the match
    length, and ``clock_delay`` seconds before each play; null where there are no clocks.
    ``boards`` above 1 makes it an event of teams; if their number is even, a fixture of two teams may be drawn, and
    every stage is in a format that takes that (:mod:`tournament.formats.drawn_matches`).
    With ``self_entry`` players enter themselves by a public link, up to ``self_entry_until`` or the draw.
    Entries beyond ``max_entries`` wait. Each ``late_minutes`` cost one penalty point; null is no penalty for lateness.
    The default, a point for every 5 minutes, is that of NVBC, Club rules, and of the UK Open rules, 6.
    ``public_source`` names where the public value of its draws comes from.
    Without ``phones`` players report only after the match. A complete report counts once nobody has objected for
    ``confirm_minutes``; null is no limit. ``shows_chances``: the public sees how likely either side of a match in play
    is to win; US Tournament Rules (2009) 1.5 and others forbid players such aids.
    ``rated_for`` are the slugs of the official lists for which the event says that it counts, since ``declared_at``;
    ``event_class`` and ``online`` are what else the policies of those lists ask.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    name = models.CharField(_("name"), max_length=MAX_NAME)
    slug = models.SlugField(max_length=80)
    profile = models.CharField(_("rules"), max_length=20, choices=profile_choices, default="wbgf")
    crawford = models.BooleanField(_("Crawford game"), default=True)
    tiebreaks = models.JSONField(_("tie-breaks"), default=default_tiebreaks, blank=True)
    doubles = models.BooleanField(_("consultation doubles"), default=False)
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    clock_minutes = models.PositiveSmallIntegerField(_("clock: minutes per point"), null=True, blank=True)
    clock_delay = models.PositiveSmallIntegerField(_("clock: delay in seconds"), null=True, blank=True)
    boards = models.PositiveSmallIntegerField(_("boards"), default=1)
    max_entries = models.PositiveSmallIntegerField(_("maximum number of entries"), null=True, blank=True)
    self_entry = models.BooleanField(_("players enter themselves"), default=False)
    self_entry_until = models.DateTimeField(_("until"), null=True, blank=True)
    check_in = models.BooleanField(_("draw only players who have checked in"), default=False)
    late_minutes = models.PositiveSmallIntegerField(
        _("minutes late per penalty point"), null=True, blank=True, default=5
    )
    public_source = models.CharField(_("public value"), max_length=5, choices=PublicSource, default=PublicSource.NONE)
    phones = models.BooleanField(_("phones in play"), default=True)
    confirm_minutes = models.PositiveSmallIntegerField(_("minutes to object to a report"), null=True, blank=True)
    shows_chances = models.BooleanField(_("chances of winning during play"), default=False)
    rated_for = models.JSONField(_("rated for"), default=list, blank=True)
    event_class = models.CharField(_("class"), max_length=1, blank=True, choices=[(one, one) for one in CLASSES])
    online = models.BooleanField(_("played online"), default=False)
    declared_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    whole_version = models.PositiveIntegerField(default=1)
    finished_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = PresentEvents()
    everything = models.Manager()

    step_at: datetime | None = None
    """When the step began for which this row was locked; no row of the log is later."""

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["tournament_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "slug"], name="event_slug_once_per_tournament"),
            models.CheckConstraint(condition=~Q(name=""), name="event_has_name"),
            models.CheckConstraint(
                condition=Q(clock_minutes__isnull=True, clock_delay__isnull=True)
                | Q(clock_minutes__gte=1, clock_delay__isnull=False),
                name="event_clock_has_minutes_and_delay",
            ),
            models.CheckConstraint(condition=Q(boards__in=BOARDS), name="event_boards_known"),
            models.CheckConstraint(condition=Q(boards=1) | Q(doubles=False), name="event_of_teams_or_of_pairs"),
            models.CheckConstraint(
                condition=Q(public_source__in=PublicSource.values), name="event_public_source_known"
            ),
            models.CheckConstraint(
                condition=Q(confirm_minutes__isnull=True) | Q(confirm_minutes__gte=1),
                name="event_report_waits_a_minute_or_more",
            ),
            models.CheckConstraint(
                condition=Q(self_entry=True) | Q(self_entry_until__isnull=True), name="event_self_entry_until_if_open"
            ),
            models.CheckConstraint(condition=Q(event_class__in=["", *CLASSES]), name="event_class_known"),
            models.CheckConstraint(
                condition=Q(rated_for=[]) | Q(declared_at__isnull=False), name="event_declared_at_a_moment"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.tournament.slug, self.slug])

    @property
    def has_teams(self) -> bool:
        return self.boards > 1


class Departure(models.TextChoices):
    """The reason why an entry has left."""

    WITHDRAWN = "withdrawn", _("withdrawn")
    NO_SHOW = "no-show", _("no-show")
    DISQUALIFIED = "disqualified", _("disqualified")


class Entry(Row):
    """A player in an event, a pair in consultation doubles, or a team. ``seed`` ranks the entrants of a seeded draw.

    ``team`` is the name of a team; ``player`` is on its board 1, and its ``members`` are on the boards after that.
    ``reentry`` counts how often the player had entered before. ``family`` is any word that keeps entries apart in
    round 1.
    ``presence`` holds the rounds from which the entry is in, out, in again, ... where the format pairs round by round.
    ``rating`` is in hundredths, as it was at the draw. ``home_evening`` is the weekday of home matches, 0 for Monday.

    An entry that is ``waiting`` is on the waiting list, in the order of ``number``, and in no draw. ``left_at`` says
    that it has left, ``left_kind`` and ``left_reason`` why; ``left_bracket`` is the only bracket that it left, empty if
    it left all; ``left_stage`` is the first stage that it is not drawn in. ``bye_taken`` is the number of the
    first-round pairing whose bye a late entry took, 0 for an entry that was drawn. ``drawn_as`` is name, club and
    country as they were drawn, if the player behind the entry has changed since. ``link_epoch`` counts the entry's
    private links; only the newest is valid.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    partner = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="pairs")
    team = models.CharField(_("team"), max_length=MAX_NAME, blank=True)
    reentry = models.PositiveSmallIntegerField(default=0)
    number = models.PositiveSmallIntegerField()
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    family = models.CharField(_("family"), max_length=MAX_FAMILY, blank=True)
    presence = models.JSONField(default=from_the_start)
    rating = models.PositiveIntegerField(null=True, blank=True)
    home_evening = models.PositiveSmallIntegerField(_("home evening"), null=True, blank=True)
    waiting = models.BooleanField(_("on the waiting list"), default=False)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    left_kind = models.CharField(max_length=12, choices=Departure, blank=True)
    left_reason = models.CharField(_("reason"), max_length=MAX_REASON, blank=True)
    left_bracket = models.CharField(max_length=4, blank=True)
    left_stage = models.PositiveSmallIntegerField(null=True, blank=True)
    bye_taken = models.PositiveSmallIntegerField(default=0)
    drawn_as = models.JSONField(default=list, blank=True)
    link_epoch = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "player", "reentry"], name="entry_player_once_per_reentry"),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=F("player")), name="entry_partner_is_another"
            ),
            models.CheckConstraint(condition=Q(team="") | Q(partner__isnull=True), name="entry_is_of_a_team_or_a_pair"),
            models.UniqueConstraint(
                fields=["event", "team", "reentry"], condition=~Q(team=""), name="entry_team_once_per_reentry"
            ),
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once_per_event"),
            models.UniqueConstraint(fields=["event", "seed"], name="entry_seed_once_per_event"),
            models.CheckConstraint(condition=Q(seed__isnull=True) | Q(seed__gte=1), name="entry_seed_positive"),
            models.CheckConstraint(
                condition=Q(home_evening__isnull=True) | Q(home_evening__lte=6), name="entry_home_evening_is_a_weekday"
            ),
            models.CheckConstraint(
                condition=Q(left_at__isnull=True, left_kind="", left_bracket="", left_stage__isnull=True)
                | Q(left_at__isnull=False, left_kind__in=Departure.values, left_stage__isnull=False),
                name="entry_departure_has_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(waiting=False) | Q(left_at__isnull=True, bye_taken=0), name="entry_waits_or_plays"
            ),
            models.UniqueConstraint(
                fields=["event", "bye_taken"], condition=Q(bye_taken__gt=0), name="entry_takes_a_bye_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def is_drawn_in(self, stage: int) -> bool:
        """Whether the entry may be drawn in the stage with this number: it is not waiting and did not leave earlier."""
        return not self.waiting and (self.left_stage is None or self.left_stage > stage)

    def is_absent_from(self, bracket: str) -> bool:
        """Whether the entry no longer plays in this bracket, which gives its opponents there walkovers."""
        return self.left_at is not None and self.left_bracket in ("", bracket)

    @property
    def name(self) -> str:
        """The name shown in lists and drawings. Reads ``player`` and ``partner`` as loaded."""
        if self.partner is not None:
            return f"{self.player.name} & {self.partner.name}"
        name = self.team or self.player.name
        return name if not self.reentry else f"{name} ({self.reentry + 1})"

    @property
    def people(self) -> tuple[Player, ...]:
        """All the entry's players; a team's in board order, followed by the reserves.

        Reads ``player``, ``partner`` and ``members`` as loaded.
        """
        if self.team:
            return (self.player, *(member.player for member in self.members.all()))
        return (self.player,) if self.partner is None else (self.player, self.partner)
