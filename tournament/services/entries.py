"""Who plays in an event: entered one by one or as a list, seeded, taken out; after the draw where the format allows."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, Sum
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Player, User
from players.services import clean_name, create_player, ensure_clubs, fold_name
from tournament.chain import load_people
from tournament.entry_list import EntryLine, parse_team
from tournament.formats import FORMATS
from tournament.models import Entry, Event, Member, Stage
from tournament.services.absence import advance
from tournament.services.admission import (
    Admission,
    admit_waiting,
    free_places,
    give_bye_back,
    next_round,
    require_bye,
    require_open_entries,
)
from tournament.services.change import EntriesBefore, changes_between, lock_event, record_change, require_running

MAX_ENTRIES = 1024
MAX_MEMBERS = 20
Watch = Callable[[Sequence[EntryLine]], Iterator[EntryLine]]
PAIR = re.compile(r"\s+&\s+|\s*[/+]\s*")


@transaction.atomic
def add_entries(
    event: Event, *, lines: Sequence[EntryLine], by: User | None, at: datetime, watch: Watch = iter
) -> list[Entry]:
    """All lines are entered in their order, or none.

    A line that names a known player (by id, or by a name that only one player has, club and country not
    contradicting) enters him; otherwise a new player is made. In doubles a line names two, as ``Anna & Bo``, and for
    teams a team and its members in the order of the boards, as ``Team name: Anna, Bo, Carl``. Beyond the event's limit
    they wait. After the draw, where the format leaves entries open, they join from the next round; in a knockout each
    takes a bye that is left, and nobody else is moved. ``watch`` goes through the lines. Raises Refusal naming the line
    that cannot be entered: somebody twice, a seed twice, a name that several players have; and Conflict if no bye is
    left.
    """
    event = lock_event(event)
    stage = require_open_entries(event)
    if stage.drawn_at is not None:
        require_running(event)
    if not lines:
        raise Refusal("entries_empty", _("The list holds no player."))
    entered = event.entries.count()
    if entered + len(lines) > MAX_ENTRIES:
        raise Refusal("entries_too_many", _("An event takes at most %(limit)s entries.") % {"limit": MAX_ENTRIES})
    enrolment = Enrolment(event, stage, lines, at)
    admission, free = Admission(stage), free_places(event)
    entered_now = [enrolment.enter(line) for line in watch(lines)]
    for number, (entry, _members) in enumerate(entered_now):
        entry.waiting = free is not None and number >= free
        if not entry.waiting:
            admission.admit(entry)
    entries = Entry.objects.bulk_create([entry for entry, _members in entered_now])
    Member.objects.bulk_create(member for _entry, members in entered_now for member in members)
    if stage.drawn_at is not None:
        advance(event, stage, by=by, at=at)
    names = {
        "names": [entry.name for entry in entries],
        "waiting": [entry.name for entry in entries if entry.waiting],
        "late": [entry.name for entry in entries if entry.bye_taken],
    }
    told = {key: value for key, value in names.items() if value}
    kept = [kept_entry(entry, members) for entry, members in entered_now]
    record_change(event, verb="add_entries", by=by, at=at, **told, kept=kept)
    return entries


class Enrolment:
    """Lines on their way to entries: who is known, and what is taken already."""

    def __init__(self, event: Event, stage: Stage, lines: Sequence[EntryLine], at: datetime) -> None:
        self.event = event
        self.format = FORMATS[stage.format]
        self.at = at
        self.by_name: dict[str, list[Player]] = {}
        people = [person for line in lines for person in self._named(line)]
        folded = {fold_name(person.name) for person in people}
        for player in Player.objects.filter(folded_name__in=folded, merged_into__isnull=True).select_related("club"):
            self.by_name.setdefault(player.folded_name, []).append(player)
        ensure_clubs(person.club for person in people if person.player_id is None and not self._known(person))
        entered = event.entries.all()
        self.taken: dict[int, int] = {}
        self.teams: dict[str, frozenset[int]] = {}
        for entry in load_people(entered):
            self._take(entry.team, entry.people)
        self.seeds = {entry.seed for entry in entered if entry.seed is not None}
        self.number = entered.aggregate(last=Max("number"))["last"] or 0

    def enter(self, line: EntryLine) -> tuple[Entry, list[Member]]:
        """An entry for the line and its members after the first, not stored yet. Raises Refusal."""
        people = self._people(line)
        team = self._team_name(line, people) if self.event.has_teams else ""
        again = self.format.allows_reentry and (not team or self._is_entered(team, people))
        for number, person in enumerate(people):
            if person in people[:number] or (person.pk in self.taken and not again):
                raise Refusal(
                    "entry_twice",
                    _("Line %(line)s: %(name)s is entered already.") % {"line": line.line, "name": person.name},
                )
        if line.seed is not None and (line.seed in self.seeds or not 1 <= line.seed <= MAX_ENTRIES):
            raise Refusal(
                "seed_taken",
                _("Line %(line)s: seed %(seed)s is given already or out of range.")
                % {"line": line.line, "seed": line.seed},
            )
        reentry = self.taken.get(people[0].pk, 0)
        self._take(team, people)
        if line.seed is not None:
            self.seeds.add(line.seed)
        self.number += 1
        entry = Entry(
            event=self.event,
            player=people[0],
            partner=people[1] if self.event.doubles else None,
            team=team,
            reentry=reentry,
            number=self.number,
            seed=line.seed,
        )
        others = people[1:] if team else []
        return entry, [Member(entry=entry, player=player, board=board) for board, player in enumerate(others, start=2)]

    def _take(self, team: str, people: Sequence[Player]) -> None:
        for person in people:
            self.taken[person.pk] = self.taken.get(person.pk, 0) + 1
        if team:
            self.teams[fold_name(team)] = frozenset(person.pk for person in people)

    def _named(self, line: EntryLine) -> list[EntryLine]:
        """A line for each person whom the line names."""
        if self.event.has_teams:
            return list(parse_team(line).members)
        if not self.event.doubles:
            return [line]
        return [replace(line, name=name, player_id=None) for name in PAIR.split(line.name.strip()) if name]

    def _team_name(self, line: EntryLine, people: Sequence[Player]) -> str:
        name = clean_name(parse_team(line).name)
        taken = fold_name(name) in self.teams
        if taken and not (self.format.allows_reentry and self._is_entered(name, people)):
            raise Refusal(
                "team_name_taken",
                _("Line %(line)s: another team is called %(name)s.") % {"line": line.line, "name": name},
            )
        return name

    def _is_entered(self, team: str, people: Sequence[Player]) -> bool:
        return self.teams.get(fold_name(team)) == {person.pk for person in people}

    def replace(self, entry: Entry, line: EntryLine) -> None:
        """The entry is of those whom the line names, not stored yet. Raises Refusal if one is entered elsewhere."""
        people = self._people(line)
        for person in people:
            if person.pk in self.taken and person.pk not in (entry.player_id, entry.partner_id):
                raise Refusal("entry_twice", _("%(name)s is entered already.") % {"name": person.name})
        if people[0].pk != entry.player_id:
            entry.reentry = 0
        entry.player, entry.partner = people[0], people[1] if len(people) == 2 else None

    def _people(self, line: EntryLine) -> list[Player]:
        if line.members and not self.event.has_teams:
            raise Refusal("event_without_teams", _("Line %(line)s: this event is not for teams.") % {"line": line.line})
        people = self._named(line)
        if self.event.has_teams:
            self._check_size(line, len(people))
            return [self._player(person) for person in people]
        if not self.event.doubles:
            return [self._player(line)]
        if len(people) != 2:
            raise Refusal(
                "pair_incomplete",
                _("Line %(line)s: in doubles an entry is of two players, written as “Anna & Bo”.")
                % {"line": line.line},
            )
        first, second = (self._player(person) for person in people)
        if first == second:
            raise Refusal(
                "pair_of_one",
                _("Line %(line)s: %(name)s cannot be his own partner.") % {"line": line.line, "name": first.name},
            )
        return [first, second]

    def _check_size(self, line: EntryLine, count: int) -> None:
        boards = self.event.boards
        if line.player_id is not None or not boards <= count <= MAX_MEMBERS:
            raise Refusal(
                "team_size",
                _(
                    "Line %(line)s: a team has a name and %(boards)s to %(most)s members, in the order of the boards "
                    "and then the reserves, written as “Team name: Anna, Bo, Carl”."
                )
                % {"line": line.line, "boards": boards, "most": MAX_MEMBERS},
            )

    def _player(self, line: EntryLine) -> Player:
        if line.player_id is not None:
            player = Player.objects.filter(pk=line.player_id).select_related("merged_into").first()
            if player is None:
                raise Refusal("player_unknown", _("Line %(line)s: there is no such player.") % {"line": line.line})
            return player.merged_into or player
        known = self._known(line)
        if len(known) > 1:
            raise Refusal(
                "player_ambiguous",
                _(
                    "Line %(line)s: %(count)s players are called %(name)s. Choose one by typing the name, or add the "
                    "club."
                )
                % {"line": line.line, "count": len(known), "name": clean_name(line.name)},
            )
        if known:
            return known[0]
        try:
            player = create_player(name=line.name, club=line.club, country=line.country, at=self.at)
        except Refusal as refusal:
            message = _("Line %(line)s: %(why)s") % {"line": line.line, "why": refusal.message}
            raise Refusal(refusal.code, message) from refusal
        self.by_name.setdefault(player.folded_name, []).append(player)
        return player

    def _known(self, line: EntryLine) -> list[Player]:
        return [player for player in self.by_name.get(fold_name(line.name), []) if _fits(player, line)]


def _fits(player: Player, line: EntryLine) -> bool:
    """The line does not contradict what is known of the player."""
    club = fold_name(player.club.name) if player.club else ""
    return (not line.club.strip() or not club or fold_name(line.club) == club) and (
        not line.country.strip() or not player.country or line.country.strip().upper() == player.country
    )


@transaction.atomic
def remove_entry(entry: Entry, *, by: User | None, at: datetime) -> None:
    """The entry is gone, as if it had never been made: before the draw, from the waiting list, or from a bye it took.

    Before the draw whoever waits moves up into the place, if the event has a limit. Raises Conflict for who is drawn,
    and for a late entry as :func:`tournament.services.admission.give_bye_back` does.
    """
    event, gone = lock_entry(entry)
    if not gone.waiting and not gone.bye_taken:
        _require_undrawn(event)
    if gone.payments.aggregate(paid=Sum("amount"))["paid"]:
        raise Conflict("entry_has_paid", _("%(name)s has paid: take the payment back first.") % {"name": gone.name})
    name, kept = gone.name, kept_entry(gone, gone.members.all())
    if gone.bye_taken:
        require_running(event)
        give_bye_back(event, event.stages.get(number=1), gone, by=by, at=at)
    gone.delete()
    were = EntriesBefore(event)
    moved = [entry.name for entry in admit_waiting(event)]
    told = {"names": [name], "moved_up": moved, "kept": [kept]}
    record_change(event, verb="remove_entry", by=by, at=at, **told, was=were.was())


KEPT = (
    "id",
    "player_id",
    "partner_id",
    "team",
    "reentry",
    "number",
    "seed",
    "family",
    "presence",
    "rating",
    "home_evening",
    "waiting",
    "bye_taken",
)


def kept_entry(entry: Entry, members: Iterable[Member]) -> dict[str, object]:
    """All that an entry is, as the log keeps it: enough to enter it again, with its members after the first."""
    kept = {name: getattr(entry, name) for name in KEPT}
    kept["checked_in_at"] = entry.checked_in_at.isoformat() if entry.checked_in_at else None
    kept["members"] = [[member.player_id, member.board] for member in members]
    return kept


@transaction.atomic
def restore_entry(event: Event, *, kept: Mapping[str, Any], by: User | None, at: datetime) -> Entry:
    """The entry that was taken out is in again, with its number, seed and members: before the draw, to wait again, or
    in the bye that it had taken.

    It waits if its place is taken meanwhile. Raises Conflict after the draw, if the bye can no longer be taken, and if
    one of its players, its team, number or seed has been entered since.
    """
    event = lock_event(event)
    stage = event.stages.get(number=1)
    fields = {name: kept[name] for name in KEPT if name in kept and name != "id"}
    fields["waiting"] = bool(fields.get("waiting")) or free_places(event) == 0
    fields["bye_taken"] = 0 if fields["waiting"] or stage.drawn_at is None else fields.get("bye_taken", 0)
    if fields["bye_taken"]:
        require_bye(require_open_entries(event), fields["bye_taken"])
    elif not kept.get("waiting"):
        _require_undrawn(event)
    members = [(_whoever_is(player), board) for player, board in kept.get("members", [])]
    for name in ("player_id", "partner_id"):
        fields[name] = _whoever_is(fields[name]) if fields[name] else None
    people = {fields["player_id"], fields["partner_id"], *(player for player, _board in members)} - {None}
    taken = Q(number=fields["number"]) | Q(player=fields["player_id"], reentry=fields["reentry"])
    if fields["seed"] is not None:
        taken |= Q(seed=fields["seed"])
    if not FORMATS[stage.format].allows_reentry:
        taken |= Q(player__in=people) | Q(partner__in=people) | Q(members__player__in=people)
        taken |= Q(team=fields["team"]) if fields.get("team") else Q()
    if event.entries.filter(taken).exists():
        raise Conflict("entry_taken", _("Somebody has been entered in this place meanwhile."))
    if kept.get("checked_in_at"):
        fields["checked_in_at"] = datetime.fromisoformat(kept["checked_in_at"])
    entry = Entry.objects.create(event=event, **fields)
    Member.objects.bulk_create(Member(entry=entry, player_id=player, board=board) for player, board in members)
    waiting = {"waiting": [entry.name]} if entry.waiting else {}
    if entry.bye_taken:
        waiting = {"late": [entry.name]}
        advance(event, stage, by=by, at=at)
    restored = kept_entry(entry, entry.members.all())
    record_change(
        event, verb="add_entries", by=by, at=at, names=[entry.name], **waiting, kept=[restored], restored=True
    )
    return entry


def _whoever_is(player_id: int) -> int:
    """The player, or whoever it was merged into since."""
    merged = Player.objects.filter(pk=player_id).values_list("merged_into_id", flat=True).first()
    return merged or player_id


@transaction.atomic
def seed_entry(entry: Entry, *, seed: int | None, by: User | None, at: datetime) -> Entry:
    """The entry has this seed, or none. Raises Refusal if another has it."""
    event, current = lock_entry(entry)
    _require_undrawn(event)
    if seed is not None and not 1 <= seed <= MAX_ENTRIES:
        raise Refusal("seed_out_of_range", _("A seed is a number from 1 to %(limit)s.") % {"limit": MAX_ENTRIES})
    if seed is not None and event.entries.filter(seed=seed).exclude(pk=entry.pk).exists():
        raise Refusal("seed_taken", _("Seed %(seed)s is given to somebody else.") % {"seed": seed})
    changes = changes_between({"seed": current.seed}, {"seed": seed})
    current.seed = seed
    current.save(update_fields=["seed"])
    record_change(
        event, verb="seed_entry", by=by, at=at, entry=current.pk, names=[current.name], seed=seed, changes=changes
    )
    return current


@transaction.atomic
def keep_apart(entry: Entry, *, family: str, by: User | None, at: datetime) -> Entry:
    """The entry is of this family: it does not meet others of the family in round 1. Empty takes it out of any."""
    event, current = lock_entry(entry)
    _require_undrawn(event)
    family = " ".join(family.split())
    if len(family) > 40:
        raise Refusal("family_too_long", _("A family is a word of at most 40 characters."))
    changes = changes_between({"family": current.family}, {"family": family})
    current.family = family
    current.save(update_fields=["family"])
    record_change(
        event, verb="keep_apart", by=by, at=at, entry=current.pk, names=[current.name], family=family, changes=changes
    )
    return current


@transaction.atomic
def set_home_evening(entry: Entry, *, weekday: int | None, by: User | None, at: datetime) -> Entry:
    """The entry plays its home matches on this weekday, 0 for Monday, where the rounds have dates; None for any day."""
    event, current = lock_entry(entry)
    require_running(event)
    if weekday is not None and not 0 <= weekday <= 6:
        raise Refusal("weekday_unknown", _("A home evening is a weekday from 0, Monday, to 6, Sunday."))
    were = EntriesBefore(event)
    current.home_evening = weekday
    current.save(update_fields=["home_evening"])
    told = {"entry": current.pk, "names": [current.name], "weekday": weekday}
    record_change(event, verb="set_home_evening", by=by, at=at, **told, was=were.was())
    return current


@transaction.atomic
def withdraw_entry(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """The entry is not paired any more, from the next round on, until it returns. Matches being played are played on.

    Raises Conflict where the format does not pair round by round, or if the entry is out already.
    """
    return _change_presence(entry, present=False, by=by, at=at)


@transaction.atomic
def return_entry(entry: Entry, *, by: User | None, at: datetime) -> Entry:
    """The entry is paired again from the next round on. Raises Conflict if it is not out."""
    return _change_presence(entry, present=True, by=by, at=at)


def _change_presence(entry: Entry, *, present: bool, by: User | None, at: datetime) -> Entry:
    event, current = lock_entry(entry)
    require_running(event)
    stage = event.stages.get(number=1)
    if not FORMATS[stage.format].pairs_by_round:
        raise Conflict(
            "entry_in_fixed_draw",
            _("In this format every match is drawn already: enter walkovers for a player who leaves."),
        )
    marks = list(current.presence)
    if (len(marks) % 2 == 1) == present:
        raise Conflict(
            "entry_present" if present else "entry_out",
            (_("%(name)s is in already.") if present else _("%(name)s is out already.")) % {"name": current.name},
        )
    coming = next_round(stage)
    # Out and in again before the same round is as if nothing had happened, and the same the other way round.
    marks = marks[:-1] if marks and marks[-1] >= coming and len(marks) > 1 else [*marks, coming]
    changes = changes_between({"presence": current.presence}, {"presence": marks})
    current.presence = marks
    current.save(update_fields=["presence"])
    if stage.drawn_at is not None:
        advance(event, stage, by=by, at=at)
    verb = "return_entry" if present else "withdraw_entry"
    record_change(event, verb=verb, by=by, at=at, entry=current.pk, names=[current.name], round=coming, changes=changes)
    return current


def _require_undrawn(event: Event) -> None:
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict(
            "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
        )


def lock_entry(entry: Entry) -> tuple[Event, Entry]:
    """The event, locked, and the entry as it is now. Raises Conflict if it is gone."""
    event = lock_event(entry.event)
    current = event.entries.filter(pk=entry.pk).select_related("player", "partner").first()
    if current is None:
        raise Conflict("entry_gone", _("This entry has been taken out already."))
    return event, current
