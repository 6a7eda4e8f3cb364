"""Admission to the draw: places left, the waiting list, and byes available to late entries."""

from collections.abc import Iterable, Sequence, Set
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Ruling, Scoresheet
from players.errors import Conflict, Unconfirmed, in_words
from players.models import User
from players.questions import digest_of
from tournament.draw.advance import advance
from tournament.draw.calls import is_called
from tournament.draw.chain import Chain, load_chain, load_people, open_chance
from tournament.draw.outcomes import has_begun, is_walkover_of_absence, load_fixtures
from tournament.draw.public_value import require_entries_open
from tournament.draw.said import published_of
from tournament.formats import FORMATS, parse_options
from tournament.formats.knockout import MAIN
from tournament.formats.late import byes_to_take
from tournament.formats.lots import LATE, pairing_name
from tournament.formats.plan import Plan
from tournament.models import Entry, Event, Fixture, FormerMatch, Stage
from tournament.models.team import matches_in
from tournament.results.enter import refuse_of_absence

AFTER_THE_DRAW = 2
"""The round from which those are in who come after the draw: not the first, in which the others were drawn."""

SAVED = ["waiting", "presence", "bye_taken"]
"""The fields of an entry that :meth:`Admission.admit` changes."""


def require_open_entries(event: Event) -> Stage:
    """Return the first stage if it still takes entries.

    Raises Conflict once it is drawn, unless its format leaves entries open or lets late ones take a bye; and while
    they are closed for the draw.
    """
    stages = list(event.stages.order_by("number"))
    first = stages[0]
    require_entries_open(event)
    if first.drawn_at is not None:
        format = FORMATS[first.format]
        if not (format.open_entries or format.takes_late) or any(stage.drawn_at is not None for stage in stages[1:]):
            raise Conflict(
                "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
            )
    return first


def free_places(event: Event) -> int | None:
    """Return how many more entries fit before others have to wait; None without a limit."""
    if event.max_entries is None:
        return None
    return max(event.max_entries - event.entries.filter(waiting=False, left_at__isnull=True).count(), 0)


def next_round(stage: Stage) -> int:
    """Return the number of the first round of the stage in which play has not begun."""
    begun = {published.key for published in published_of(load_fixtures(stage))}
    return max(stage.fixtures.filter(key__in=begun).values_list("round", flat=True), default=0) + 1


class Admission:
    """How entries join a stage: freely before its draw, and afterwards in the next round or in a bye.

    Without ``at`` nothing is going to be stored, and no lots are drawn for it. ``agreed`` is the digest of the question
    that somebody has answered with yes (:class:`players.errors.Unconfirmed`), or None to ask nothing.
    """

    def __init__(self, stage: Stage, *, at: datetime | None = None, agreed: str | None = None) -> None:
        self.stage, self.at, self.agreed = stage, at, agreed
        self.moving: tuple[str, ...] = ()
        """The ready matches, by their players, one of which waits again because of the last entry admitted."""
        format = FORMATS[stage.format]
        is_drawn = stage.drawn_at is not None
        self.joins_in = next_round(stage) if format.pairs_by_round and is_drawn else 1
        self.takes_buy_in = is_drawn and format.takes_buy_ins()
        self.starts_below = is_drawn and format.pairs_on_challenge()
        self.takes_bye = is_drawn and not format.open_entries
        self.chain = load_chain(stage.event) if self.takes_bye else None
        self.fixtures = self.chain.fixtures[stage.pk] if self.chain else []
        self.taken: set[int] = set()

    def admit(self, entry: Entry) -> None:
        """Admit the entry without storing it; lots decide which bye it takes.

        Raises Conflict if no bye is left for it to take, or buy-ins are closed, and Unconfirmed if by every bye that is
        left a match that is ready waits again.
        """
        entry.waiting = False
        entry.presence = [self.joins_in]
        if self.starts_below:
            entry.presence = [AFTER_THE_DRAW]
        if self.takes_buy_in:
            self._admit_buy_in(entry)
        if self.chain is None:
            return
        byes = byes_left(self.stage, self.fixtures, self.taken)
        if not byes:
            raise Conflict(
                "no_bye_left",
                _(
                    "The draw has been made, and there is no bye that %(name)s can take: none is left, or taking it "
                    "would move a player whose match has been called or has begun."
                )
                % {"name": entry.name},
            )
        ready = {fixture.key: fixture for fixture in self.fixtures if fixture.matches}
        moving = {number: ready[key] for number in byes if (key := f"{MAIN}2-{(number + 1) // 2}") in ready}
        harmless = [number for number in byes if number not in moving]
        self.moving = () if harmless else self._names_of(moving.values())
        self._require_agreed(entry)
        entry.bye_taken = self._pick(self.chain, entry, harmless or byes)
        self.taken.add(entry.bye_taken)

    def _names_of(self, fixtures: Iterable[Fixture]) -> tuple[str, ...]:
        """Return the players of these matches, each match once."""
        people = {entry.pk: entry.name for entry in load_people(self.stage.event.entries.all())}
        sides = {fixture.key: (fixture.entry_a_id, fixture.entry_b_id) for fixture in fixtures}
        return tuple(" – ".join(people[entry] for entry in pair if entry in people) for pair in sides.values())

    def _require_agreed(self, entry: Entry) -> None:
        """Raise Unconfirmed if a match would wait again and nobody has said yes to that.

        One yes is for all entries of a list: the matches that the later ones may move were among the first.
        """
        if not self.moving or self.agreed is None or self.at is None:
            return
        question = digest_of(self.stage.pk, self.moving)
        if self.agreed == question:
            self.agreed = None
            return
        sentence = ngettext(
            "If %(name)s takes the bye that is left, this match waits again: %(matches)s.",
            "Whichever bye %(name)s takes, one of these matches waits again: %(matches)s.",
            len(self.moving),
        )
        said = sentence % {"name": entry.name, "matches": ", ".join(self.moving)}
        raise Unconfirmed("confirm_bye", said, findings=(), question=question)

    def _pick(self, chain: Chain, entry: Entry, byes: Sequence[int]) -> int:
        if self.at is None:
            return byes[0]
        scope, seeded = f"{LATE}{entry.number}", f"late:{entry.number}"
        late = open_chance(chain, self.stage, scope, seeded=seeded, known={"byes": list(byes)}, at=self.at)
        return late.pick(byes, pairing_name)

    def _admit_buy_in(self, entry: Entry) -> None:
        """Mark the entry as one that came after the draw; whether it may, its format says once it is stored."""
        require_open_buy_ins(self.stage)
        entry.presence = [AFTER_THE_DRAW]


def has_bought_in(event: Event, entry: Entry) -> bool:
    """Whether the entry came after the draw, in a format that takes buy-ins."""
    first = event.stages.get(number=1)
    after = first.drawn_at is not None and FORMATS[first.format].takes_buy_ins()
    return after and not entry.waiting and entry.presence[0] == AFTER_THE_DRAW


def require_open_buy_ins(stage: Stage) -> None:
    """Raise Conflict once the buy-in bracket of the stage has been drawn."""
    if not load_chain(stage.event).at(stage).plan.takes_entries:
        raise Conflict("buy_ins_closed", _("Buy-ins are closed: the buy-in bracket has been drawn."))


def require_taken_in(plan: Plan, entries: Sequence[Entry]) -> None:
    """Raise Conflict, with the format's reason, if one of the entries is not taken into the draw."""
    for entry in entries:
        if why := plan.refused.get(entry.pk):
            raise Conflict(why.code, in_words(why))


def require_bye(stage: Stage, number: int) -> None:
    """Raise Conflict if the bye in that first-round pairing cannot be taken."""
    if number not in byes_left(stage, load_fixtures(stage)):
        raise Conflict("bye_gone", _("The bye has been taken, or the match of the player who has it has been called."))


def byes_left(stage: Stage, fixtures: Sequence[Fixture], taken: Set[int] = frozenset()) -> list[int]:
    """Return the numbers of the first-round pairings whose bye can be taken, other than those already ``taken``.

    :func:`tournament.formats.late.byes_to_take` decides; the snapshot asks it the same of its fixtures.
    """
    first = sorted((one for one in fixtures if (one.bracket, one.round) == (MAIN, 1)), key=lambda one: one.number)
    byes = [int(one.feed_b == "bye" and one.number not in taken) for one in first]
    begun = {fixture.key for fixture in fixtures if has_begun(fixture) or is_called(fixture)}
    options = parse_options(stage.format, stage.options)
    return byes_to_take(FORMATS[stage.format], options, byes, begun, stage.edition_of_rules)


def give_bye_back(event: Event, stage: Stage, entry: Entry, *, by: User | None, at: datetime) -> None:
    """Move the late entry to the waiting list and release the bye that it took. The event must be locked.

    Raises Conflict once the match has begun or anything was entered for it, even if that was taken back, and if the
    match is a walkover because one of the two has left.
    """
    path = "board__fixture" if event.has_teams else "fixture"
    theirs = Q(**{f"{path}__entry_a": entry}) | Q(**{f"{path}__entry_b": entry})
    matches = matches_in(event, stage=stage).filter(theirs)
    standing = list(Scoresheet.objects.filter(match__in=matches, state__in=Scoresheet.OPEN))
    if standing and all(map(is_walkover_of_absence, standing)):
        for fixture in stage.fixtures.filter(Q(entry_a=entry) | Q(entry_b=entry)).select_related("entry_a", "entry_b"):
            refuse_of_absence(fixture)
    entered = any(rows.objects.filter(match__in=matches).exists() for rows in (Scoresheet, Ruling))
    playing = matches.filter(calls__left_at__isnull=True, calls__started_at__isnull=False).exists()
    if entered or playing or FormerMatch.objects.filter(Q(entry_a=entry) | Q(entry_b=entry)).exists():
        raise Conflict(
            "late_entry_has_begun",
            _(
                "The match of %(name)s has begun, or something has been entered for it, so the entry keeps its place "
                "in the draw. The player can leave the event instead."
            )
            % {"name": entry.name},
        )
    entry.waiting, entry.bye_taken, entry.drawn_as = True, 0, []
    entry.save(update_fields=[*SAVED, "drawn_as"])
    advance(event, stage, by=by, at=at)


def admit_waiting(event: Event) -> list[Entry]:
    """Admit waiting entries in order while places are left, only before the draw, and return them.

    Without a limit nobody moves up automatically. The event must be locked.
    """
    free = free_places(event)
    stage = event.stages.get(number=1)
    if not free or stage.drawn_at is not None:
        return []
    admission = Admission(stage)
    moved = list(event.entries.filter(waiting=True).select_related("player", "partner").order_by("number")[:free])
    for entry in moved:
        admission.admit(entry)
    Entry.objects.bulk_update(moved, SAVED)
    return moved
