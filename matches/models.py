"""Matches between two sides: their terms, the score sheets claimed for them, and the records that prove them."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.acceptance import Acceptance  # noqa: F401 - models stand here for Django
from matches.counted import Checkpoint, CountedMatch, Counting, Recount  # noqa: F401 - likewise
from matches.evidence import Evidence  # noqa: F401 - likewise
from matches.money_sessions import MoneyResult, MoneySession  # noqa: F401 - likewise
from players.models import Player
from players.rows import Row
from rules.penalties import Penalty
from rules.profiles import PROFILES
from rules.rulings import PRINCIPLES
from rules.score import Ending, Level, Side
from rules.sheet import Terms


def profile_choices() -> list[tuple[str, str]]:
    return [(slug, profile.name) for slug, profile in PROFILES.items()]


RULED = ("length", "start_a", "start_b", "crawford_done", "waived", "penalties")
"""The terms of a match that a ruling can change."""

SIDES = ("side_a", "side_b", "partner_a", "partner_b")

MAX_REASON = 200
MAX_SUBMISSION_KEY = 64
MOST_GAMES = 500
MOST_ERROR_RATE = 100_000
"""The highest error rate, in thousandths; beginners have about 30."""


class Match(Row):
    """The terms of a match between two sides; what happened is in its score sheets.

    A side is one player or, in consultation doubles, two: ``side_a`` and ``partner_a``.
    Rulings change ``length``; ``start_a``, ``start_b`` and ``crawford_done``, where it was resumed; ``waived``, the
    numbers of games whose cube stands; and ``penalties``, each as in :class:`rules.penalties.Penalty`.
    ``rate_a`` and ``rate_b`` are the error rates of both sides in thousandths, null until the match is analysed.
    """

    side_a = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="matches_as_a")
    side_b = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="matches_as_b")
    partner_a = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    partner_b = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    length = models.PositiveSmallIntegerField(_("length"))
    profile = models.CharField(_("rules"), max_length=20, choices=profile_choices, default="wbgf")
    crawford = models.BooleanField(_("Crawford game"), default=True)
    start_a = models.PositiveSmallIntegerField(default=0)
    start_b = models.PositiveSmallIntegerField(default=0)
    crawford_done = models.BooleanField(default=False)
    waived = models.JSONField(default=list, blank=True)
    penalties = models.JSONField(default=list, blank=True)
    rate_a = models.PositiveIntegerField(null=True, blank=True)
    rate_b = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField()

    open_sheets: "list[Scoresheet]"
    """The current sheet and the open reports, as :func:`matches.services.prefetch_open_sheets` reads them."""

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = [
            models.CheckConstraint(condition=~Q(side_a=F("side_b")), name="match_players_differ"),
            models.CheckConstraint(
                condition=Q(partner_a__isnull=True, partner_b__isnull=True)
                | (
                    Q(partner_a__isnull=False, partner_b__isnull=False)
                    & ~Q(partner_a=F("partner_b"))
                    & ~Q(partner_a=F("side_a"))
                    & ~Q(partner_a=F("side_b"))
                    & ~Q(partner_b=F("side_a"))
                    & ~Q(partner_b=F("side_b"))
                ),
                name="match_is_of_two_or_of_four",
            ),
            models.CheckConstraint(condition=Q(length__gte=1), name="match_length_positive"),
            models.CheckConstraint(
                condition=Q(start_a__lt=F("length"), start_b__lt=F("length")), name="match_start_below_length"
            ),
            models.CheckConstraint(
                condition=Q(rate_a__isnull=True, rate_b__isnull=True)
                | Q(rate_a__lte=MOST_ERROR_RATE, rate_b__lte=MOST_ERROR_RATE),
                name="match_has_both_error_rates_or_none",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name_a} – {self.name_b}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])

    @property
    def name_a(self) -> str:
        """The name of side A: one player, or two. Reads ``side_a`` and ``partner_a`` as loaded."""
        return f"{self.side_a} & {self.partner_a}" if self.partner_a else str(self.side_a)

    @property
    def name_b(self) -> str:
        """The name of side B: one player, or two. Reads ``side_b`` and ``partner_b`` as loaded."""
        return f"{self.side_b} & {self.partner_b}" if self.partner_b else str(self.side_b)

    @property
    def terms(self) -> Terms:
        return self.terms_without(())

    def terms_without(self, rulings: "Iterable[Ruling]") -> Terms:
        """Return the terms as they were before these rulings, which are the latest of the match and given in order."""
        values = {name: getattr(self, name) for name in RULED}
        for ruling in reversed(tuple(rulings)):
            values |= ruling.before
        return Terms(
            length=values["length"],
            profile=PROFILES[self.profile],
            crawford=self.crawford,
            start=(values["start_a"], values["start_b"]),
            crawford_done=values["crawford_done"],
            waived=frozenset(values["waived"]),
            penalties=tuple(Penalty(**penalty) for penalty in values["penalties"]),
        )


def ruled_values(terms: Terms) -> dict[str, object]:
    """Return the terms that a ruling can change, as the columns of :class:`Match` hold them."""
    penalties = [asdict(penalty) for penalty in terms.penalties]
    return dict(
        zip(RULED, (terms.length, *terms.start, terms.crawford_done, sorted(terms.waived), penalties), strict=True)
    )


class SheetSource(models.TextChoices):
    """The source of a score sheet; ABSENCE means it was made because a player had left."""

    DESK = "desk", _("desk")
    RECORD = "record", _("match record")
    ABSENCE = "absence", _("absence")
    PLAYER = "player", _("player")
    SCORER = "scorer", _("scorer")


class SheetState(models.TextChoices):
    LIVE = "live", _("live")
    REPORTED = "reported", _("reported")
    DISPUTED = "disputed", _("disputed")
    CONFIRMED = "confirmed", _("confirmed")
    SUPERSEDED = "superseded", _("set aside")
    VOID = "void", _("void")


class Objector(models.TextChoices):
    """The side that objects to a report, or the desk."""

    A = Side.A.value, "A"
    B = Side.B.value, "B"
    DESK = "D", _("desk")


class Conclusion(models.TextChoices):
    PLAYED = "played", _("played")
    FORFEIT = "forfeit", _("forfeit")
    WALKOVER = "walkover", _("walkover")
    VOID = "void", _("void")


AWARDS = (Conclusion.FORFEIT, Conclusion.WALKOVER)
"""The conclusions that award the match to a side; a void match, to which neither side came, has no winner."""


class Scoresheet(Row):
    """One claim about what happened in a match: appended, never edited; only its state changes.

    It holds every game so far (``lines``) or only a final score. At most one sheet of a match is current:
    live while the match goes on, confirmed once it is over. Besides it, each side and a scorer may have one report
    that nobody has confirmed yet: reported, or disputed where another claims otherwise. ``side`` is the side that made
    the report, ``objector`` who has objected to it and has not agreed since. ``at`` is when the sheet was entered,
    ``played_at`` when the match reached that result, which is then unless somebody said otherwise: a correction of a
    confirmed sheet keeps it, and ratings go by it. ``corrects``: it came after another result of the match.
    """

    CURRENT = (SheetState.LIVE, SheetState.CONFIRMED)
    REPORTS = (SheetState.REPORTED, SheetState.DISPUTED)
    OPEN = (*CURRENT, *REPORTS)

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sheets")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=SheetState)
    source = models.CharField(max_length=8, choices=SheetSource)
    side = models.CharField(max_length=1, blank=True, choices=[(side.value, side.value) for side in Side])
    objector = models.CharField(max_length=1, blank=True, choices=Objector)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    key = models.CharField(max_length=MAX_SUBMISSION_KEY)
    final_a = models.PositiveSmallIntegerField(null=True, blank=True)
    final_b = models.PositiveSmallIntegerField(null=True, blank=True)
    conclusion = models.CharField(max_length=8, choices=Conclusion, default=Conclusion.PLAYED)
    awarded_to = models.CharField(max_length=1, blank=True, choices=[(side.value, side.value) for side in Side])
    reason = models.CharField(_("reason"), max_length=MAX_REASON, blank=True)
    at = models.DateTimeField()
    played_at = models.DateTimeField()
    corrects = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("score sheet")
        verbose_name_plural = _("score sheets")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="scoresheet_number_once_per_match"),
            models.UniqueConstraint(fields=["match", "side", "key"], name="scoresheet_key_once_per_side"),
            models.UniqueConstraint(
                fields=["match"], condition=Q(state__in=["live", "confirmed"]), name="scoresheet_one_current_per_match"
            ),
            models.UniqueConstraint(
                fields=["match", "side"],
                condition=Q(state__in=["reported", "disputed"]),
                name="scoresheet_one_report_per_side",
            ),
            models.CheckConstraint(condition=Q(state__in=SheetState.values), name="scoresheet_state_known"),
            models.CheckConstraint(condition=Q(side__in=["", "A", "B"]), name="scoresheet_side_known"),
            models.CheckConstraint(condition=Q(objector__in=["", *Objector.values]), name="scoresheet_objector_known"),
            models.CheckConstraint(condition=Q(source__in=SheetSource.values), name="scoresheet_source_known"),
            models.CheckConstraint(
                condition=Q(final_a__isnull=True, final_b__isnull=True)
                | Q(final_a__isnull=False, final_b__isnull=False, conclusion="played"),
                name="scoresheet_final_has_both_sides",
            ),
            models.CheckConstraint(
                condition=Q(conclusion__in=["played", "void"], awarded_to="")
                | Q(conclusion__in=["forfeit", "walkover"], awarded_to__in=["A", "B"]),
                name="scoresheet_award_names_a_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number} ({self.state})"

    @property
    def unopposed_since(self) -> datetime:
        """Since when the report stands undisputed: since it was made, or since the last dispute about it ended.

        Reads ``changes`` as prefetched.
        """
        return max((change.at for change in self.changes.all() if change.state == SheetState.REPORTED), default=self.at)


class SheetChange(Row):
    """One change of a score sheet's state: when, by whom and why; the last gives its present state.

    Appended, never edited. ``side`` is the side that made the change through the link of its entry, without necessarily
    signing in.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="changes")
    state = models.CharField(max_length=12, choices=SheetState)
    side = models.CharField(max_length=1, blank=True, choices=[(side.value, side.value) for side in Side])
    reason = models.CharField(_("reason"), max_length=MAX_REASON, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("change to a score sheet")
        verbose_name_plural = _("changes to score sheets")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=SheetState.values), name="sheet_change_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}: {self.state}"


class GameLine(Row):
    """A game of a score sheet: its winner, cube and level, and how it ended."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveSmallIntegerField()
    winner = models.CharField(max_length=1, choices=[(side.value, side.value) for side in Side])
    cube = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField(choices=[(level.value, level.name) for level in Level])
    ending = models.CharField(max_length=8, choices=[(ending.value, ending.name) for ending in Ending])

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="game_line_number_once_per_sheet"),
            models.CheckConstraint(condition=Q(winner__in=["A", "B"]), name="game_line_winner_is_a_side"),
            models.CheckConstraint(condition=Q(cube__gte=1), name="game_line_cube_positive"),
            models.CheckConstraint(condition=Q(level__gte=1, level__lte=3), name="game_line_level_known"),
            models.CheckConstraint(
                condition=Q(ending__in=[ending.value for ending in Ending]), name="game_line_ending_known"
            ),
            models.CheckConstraint(condition=~Q(ending="drop") | Q(level=1), name="game_line_drop_is_single"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id}/{self.number}"


def ruling_kinds() -> list[tuple[str, str]]:
    """Return the value and English name of every kind of ruling; read at run time, so a new kind needs no migration."""
    return [(kind.value, principle.name) for kind, principle in PRINCIPLES.items()]


class Ruling(Row):
    """A director's decision about a match, its reason, and what it changed: the terms, the score sheet, or both.

    ``template`` and ``params`` are the explanation, ready for translation; ``said`` is what the director stated about
    the match. ``before`` holds the previous values of the terms that the ruling changed, and ``after_sheet`` the number
    of sheets claimed under those. ``sheet`` is the one that the ruling made, if any. Appended, never edited.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rulings")
    key = models.CharField(max_length=MAX_SUBMISSION_KEY)
    kind = models.CharField(max_length=20, choices=ruling_kinds)
    template = models.CharField(max_length=300)
    params = models.JSONField(default=dict, blank=True)
    reason = models.CharField(_("reason"), max_length=MAX_REASON)
    said = models.JSONField(default=dict, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after_sheet = models.PositiveIntegerField(default=0)
    sheet = models.OneToOneField(Scoresheet, on_delete=models.CASCADE, null=True, blank=True, related_name="ruling")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "key"], name="ruling_key_once_per_match"),
            models.CheckConstraint(condition=~Q(reason=""), name="ruling_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.kind}"

    @property
    def explanation(self) -> str:
        return gettext(self.template) % self.params


class Verdict(models.TextChoices):
    PROVED = "proved", _("proved")
    INCOMPLETE = "incomplete", _("incomplete")
    QUARANTINED = "quarantined", _("quarantined")
    REFUSED = "refused", _("refused")


class Record(Row):
    """An imported match record, kept byte for byte, and the rules engine's verdict on it.

    ``identity`` is that of the recorded match (:mod:`rules.records.identity`), the same in every format; empty where
    the record cannot be read, or where another record had made the same match before there were identities.
    """

    sha256 = models.CharField(max_length=64, unique=True)
    identity = models.CharField(max_length=64, blank=True, default="", db_index=True)
    name = models.CharField(max_length=200)
    data = models.BinaryField()
    verdict = models.CharField(max_length=12, choices=Verdict)
    finding = models.JSONField(null=True, blank=True)
    match = models.OneToOneField(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="record")
    imported_at = models.DateTimeField()

    class Meta:
        verbose_name = _("match record")
        verbose_name_plural = _("match records")
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict__in=["proved", "incomplete"], match__isnull=False)
                | Q(verdict__in=["quarantined", "refused"], match__isnull=True),
                name="record_makes_a_match_only_if_it_holds",
            ),
            models.UniqueConstraint(
                fields=["identity"],
                condition=Q(match__isnull=False) & ~Q(identity=""),
                name="record_makes_its_match_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("record", args=[self.pk])
