"""An event's stages: their draws, the published pairings and the standings."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from players.rows import Row
from tournament import formats
from tournament.formats.editions import EDITION
from tournament.models.event import Entry, Event


class Carry(models.TextChoices):
    """The choice of matches from earlier stages that count in a later one."""

    NONE = "none", _("none")
    MET = "met", _("matches between players who both qualified")
    ALL = "all", _("all")


class Stage(Row):
    """A single draw in one format.

    ``options`` are those of :class:`tournament.formats.plan.Options`: the match lengths and how the draw is seeded.
    Lots of the event's chain decide where chance does (:mod:`tournament.draw.lots`). A stage that was drawn before
    there were lots has a ``seed`` instead, which feeds all its randomness. ``draw_hash`` commits the draw that was made
    to terms and entries: it is the digest of :func:`tournament.draw.document.draw_document`, or for a stage with a seed
    that of :func:`tournament.formats.drawing.draw_hash`. ``notes`` say what the draw could not avoid and why, such as a
    rematch in a round that nobody has begun. ``edition`` is that of the rules by which it was drawn
    (:mod:`tournament.formats.editions`), 0 until then. ``standings_version`` is the version of the event that the
    standings include.

    The first stage is for all entries. A later one is for the ``qualifiers`` best of the stage before it, or of each of
    its groups; 0 is for all who still have a life. ``carry`` says which earlier matches count.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=30, choices=formats.choices)
    qualifiers = models.PositiveSmallIntegerField(_("qualifiers"), null=True, blank=True)
    carry = models.CharField(_("matches carried over"), max_length=4, choices=Carry, default=Carry.NONE)
    options = models.JSONField(default=dict)
    seed = models.CharField(max_length=64, blank=True)
    drawn_at = models.DateTimeField(null=True, blank=True)
    draw_hash = models.CharField(max_length=64, blank=True)
    notes = models.JSONField(default=list, blank=True)
    edition = models.PositiveSmallIntegerField(default=0)
    standings_version = models.PositiveIntegerField(default=0)
    standings_matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once_per_event"),
            models.CheckConstraint(
                condition=Q(number=1, qualifiers__isnull=True) | Q(number__gt=1, qualifiers__isnull=False),
                name="stage_after_the_first_has_qualifiers",
            ),
            models.CheckConstraint(condition=Q(carry__in=Carry.values), name="stage_carry_known"),
            models.CheckConstraint(
                condition=Q(drawn_at__isnull=True, edition=0) | Q(drawn_at__isnull=False, edition__gt=0),
                name="stage_has_edition_once_drawn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"

    @property
    def edition_of_rules(self) -> int:
        """The edition by which it was drawn, or else the one by which it would be drawn now."""
        return self.edition or EDITION


def place_of(key: str, board: int) -> str:
    """Return the position in the draw of a match in fixture ``key``, in words: M1-1, or M1-1 board 2."""
    return gettext("%(key)s board %(number)s") % {"key": key, "number": board} if board else key


class Fixture(Row):
    """A row holding a published pairing.

    Between two teams ``match`` stays empty, and ``boards`` has a row for each board.
    A seat is an entry, a feed ("winner:M1-3", "loser:M1-3", "bye"), or both once the feed has delivered its entry.
    ``why`` holds the reason of the pairing as the format gave it: ``code``, ``template``, ``params``. ``version`` is
    that of the event at which it alone last changed, or its match, or what decides it.
    ``play_by`` is the deadline of this pairing alone, null for that of its round or challenge; ``extended_by`` are the
    entries that have used their own extension.
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
    version = models.PositiveIntegerField(default=1)
    play_by = models.DateField(null=True, blank=True)
    extended_by = models.JSONField(default=list, blank=True)
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
        indexes = [models.Index(fields=["stage", "version"], name="fixture_changed_since")]

    def __str__(self) -> str:
        return self.key

    @property
    def matches(self) -> dict[int, Match]:
        """The matches that decide the fixture, by board: 0 is that of players or pairs. Reads them as loaded."""
        if (match := self.match) is not None:
            return {0: match}
        if self.entry_a_id is None or self.entry_b_id is None:
            return {}
        return {board.number: board.match for board in self.boards.all()}


class Standing(Row):
    """A line in a stage's standings, as computed from the results of ``stage.standings_version``.

    ``section`` is the bracket of a separate ranking, such as a consolation or a group; empty for the whole field.
    ``draws`` are drawn matches of a team, half a win each, ``rate_wins`` matches with the lower error rate where that
    is a second win. ``note`` says what a tie-break could not decide, such as a
    cycle: ``code``, ``template``, ``params``, or nothing.
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
    draws = models.PositiveSmallIntegerField(default=0)
    rate_wins = models.PositiveSmallIntegerField(default=0)
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
