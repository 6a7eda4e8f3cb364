"""Who plays in an event: entered one by one or as a list, seeded, taken out; before the draw."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Player, User
from players.services import clean_name, create_player, ensure_clubs, fold_name
from tournament.entry_list import EntryLine
from tournament.models import Entry, Event
from tournament.services.change import lock_event, record_change

MAX_ENTRIES = 512


def _require_undrawn(event: Event) -> None:
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict(
            "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
        )


@transaction.atomic
def add_entries(event: Event, *, lines: Sequence[EntryLine], by: User | None, at: datetime) -> list[Entry]:
    """All lines are entered in their order, or none.

    A line that names a known player (by id, or by a name that only one player has, club and country not
    contradicting) enters him; otherwise a new player is made. Raises Refusal naming the line that cannot be entered:
    somebody twice, a seed twice, a name that several players have.
    """
    event = lock_event(event)
    _require_undrawn(event)
    if not lines:
        raise Refusal("entries_empty", _("The list holds no player."))
    entered = event.entries.count()
    if entered + len(lines) > MAX_ENTRIES:
        raise Refusal("entries_too_many", _("An event takes at most %(limit)s entries.") % {"limit": MAX_ENTRIES})
    by_name: dict[str, list[Player]] = {}
    folded = {fold_name(line.name) for line in lines}
    for player in Player.objects.filter(folded_name__in=folded).select_related("club"):
        by_name.setdefault(player.folded_name, []).append(player)
    ensure_clubs(line.club for line in lines if line.player_id is None and not _known_players(line, by_name))
    taken = set(event.entries.values_list("player_id", flat=True))
    seeds = set(event.entries.filter(seed__isnull=False).values_list("seed", flat=True))
    number = event.entries.aggregate(last=Max("number"))["last"] or 0
    entries = []
    for line in lines:
        player = _player_of(line, by_name, at)
        if player.pk in taken:
            raise Refusal(
                "entry_twice",
                _("Line %(line)s: %(name)s is entered already.") % {"line": line.line, "name": player.name},
            )
        if line.seed is not None and (line.seed in seeds or not 1 <= line.seed <= MAX_ENTRIES):
            raise Refusal(
                "seed_taken",
                _("Line %(line)s: seed %(seed)s is given already or out of range.")
                % {"line": line.line, "seed": line.seed},
            )
        taken.add(player.pk)
        seeds.add(line.seed)
        number += 1
        entries.append(Entry(event=event, player=player, number=number, seed=line.seed))
    Entry.objects.bulk_create(entries)
    names = [entry.player.name for entry in entries]
    record_change(event, verb="add_entries", by=by, at=at, names=names)
    return entries


def _player_of(line: EntryLine, by_name: dict[str, list[Player]], at: datetime) -> Player:
    if line.player_id is not None:
        player = Player.objects.filter(pk=line.player_id).first()
        if player is None:
            raise Refusal("player_unknown", _("Line %(line)s: there is no such player.") % {"line": line.line})
        return player
    known = _known_players(line, by_name)
    if len(known) > 1:
        raise Refusal(
            "player_ambiguous",
            _("Line %(line)s: %(count)s players are called %(name)s. Choose one by typing the name, or add the club.")
            % {"line": line.line, "count": len(known), "name": clean_name(line.name)},
        )
    if known:
        return known[0]
    try:
        player = create_player(name=line.name, club=line.club, country=line.country, at=at)
    except Refusal as refusal:
        message = _("Line %(line)s: %(why)s") % {"line": line.line, "why": refusal.message}
        raise Refusal(refusal.code, message) from refusal
    by_name.setdefault(player.folded_name, []).append(player)
    return player


def _known_players(line: EntryLine, by_name: dict[str, list[Player]]) -> list[Player]:
    return [player for player in by_name.get(fold_name(line.name), []) if _fits(player, line)]


def _fits(player: Player, line: EntryLine) -> bool:
    """The line does not contradict what is known of the player."""
    club = fold_name(player.club.name) if player.club else ""
    return (not line.club.strip() or not club or fold_name(line.club) == club) and (
        not line.country.strip() or not player.country or line.country.strip().upper() == player.country
    )


@transaction.atomic
def remove_entry(entry: Entry, *, by: User | None, at: datetime) -> None:
    """The player is no longer entered."""
    event = lock_event(entry.event)
    _require_undrawn(event)
    gone = event.entries.filter(pk=entry.pk).select_related("player").first()
    if gone is None:
        raise Conflict("entry_gone", _("This entry has been taken out already."))
    name = gone.player.name
    gone.delete()
    record_change(event, verb="remove_entry", by=by, at=at, names=[name])


@transaction.atomic
def seed_entry(entry: Entry, *, seed: int | None, by: User | None, at: datetime) -> Entry:
    """The entry has this seed, or none. Raises Refusal if another has it."""
    event = lock_event(entry.event)
    _require_undrawn(event)
    current = event.entries.filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("entry_gone", _("This entry has been taken out already."))
    if seed is not None and not 1 <= seed <= MAX_ENTRIES:
        raise Refusal("seed_out_of_range", _("A seed is a number from 1 to %(limit)s.") % {"limit": MAX_ENTRIES})
    if seed is not None and event.entries.filter(seed=seed).exclude(pk=entry.pk).exists():
        raise Refusal("seed_taken", _("Seed %(seed)s is given to somebody else.") % {"seed": seed})
    current.seed = seed
    current.save(update_fields=["seed"])
    record_change(event, verb="seed_entry", by=by, at=at, entry=current.pk, seed=seed)
    return current
