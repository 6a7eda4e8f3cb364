"""Changes to people and clubs who have played: draws stay verifiable, events and ranking lists show what is true now.

The rows themselves are those of :mod:`players.registry`, which also asks who may change them. The draw of an event
keeps the name, club and country under which somebody was drawn.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from matches.tasks import rate
from players.lists.names import rename_lines
from players.models import Club, Player, User, Visibility, VisibilityRequest
from players.ratings import RATINGS
from players.registry import bodies, people, visibility
from players.registry.bodies import ClubData
from players.registry.people import Person
from tournament.career.personal_data import entries_of
from tournament.career.renaming import renamed_rows, store_renamed
from tournament.changes.record import show_anew
from tournament.draw.chain import as_drawn, load_people
from tournament.models import Entry, Event, KeptExport, Stage


class Shown(NamedTuple):
    """What the public reads of a person."""

    name: str
    country: str
    club: str
    visibility: str


@transaction.atomic
def edit_person(player: Player, person: Person, *, by: User | None, at: datetime) -> Player:
    """Do as :func:`players.registry.people.edit_person` does, also for somebody who has played."""
    with people_changing([player]):
        return people.edit_person(player, person, by=by, at=at)


@transaction.atomic
def show_as(player: Player, wanted: str, *, by: User | None, at: datetime) -> Player:
    """Have the public read the person's name in this way, also where it is written out in events.

    Texts of draws that have been published stay as they are: without them nobody could check the draws. Raises what
    :func:`players.registry.people.show_as` raises.
    """
    with people_changing([player]):
        return people.show_as(player, wanted, by=by, at=at)


@transaction.atomic
def answer_request(request: VisibilityRequest, *, granted: bool, by: User | None, at: datetime) -> VisibilityRequest:
    """Answer a member who asks to be shown in another way, and show them so if it is granted.

    Raises what :func:`players.registry.visibility.answer_request` raises.
    """
    with people_changing([request.player] if granted else []):
        answered = visibility.answer_request(request, granted=granted, by=by, at=at)
        if granted:
            people.show_as(answered.player, answered.wanted, by=by, at=at)
    return answered


@transaction.atomic
def edit_club(club: Club, data: ClubData, *, by: User | None) -> Club:
    """Do as :func:`players.registry.bodies.edit_club` does, also for a club whose players have been drawn."""
    members = list(club.players.all()) if data.name != club.name else []
    with people_changing(members):
        return bodies.edit_club(club, data, by=by)


@contextmanager
def people_changing(players: Collection[Player]) -> Iterator[None]:
    """Lock the events of these people, let their names, clubs and countries change, and show what is true afterwards.

    It belongs in a transaction, before any of the people is locked.
    """
    events, entries = _locked_events(players), load_people(_drawn(players))
    before = {entry.pk: as_drawn(entry) for entry in entries}
    were = _shown(players)
    yield
    now = _shown(players)
    changed = [player for player in players if were.get(player.pk) != now.get(player.pk)]
    if not changed:
        return
    kept = []
    for entry in load_people(Entry.objects.filter(pk__in=before)):
        if not entry.drawn_as and as_drawn(entry) != before[entry.pk]:
            entry.drawn_as = before[entry.pk]
            kept.append(entry)
    Entry.objects.bulk_update(kept, ["drawn_as"])
    for player in changed:
        _rename_in_rows(player, were[player.pk], now[player.pk])
    theirs = set(entries_of(changed).values_list("event", flat=True))
    for event in events:
        if event.pk in theirs:
            show_anew(event)
    for system in RATINGS:
        transaction.on_commit(partial(rate.delay, system), robust=True)


def _rename_in_rows(player: Player, before: Shown, now: Shown) -> None:
    """Replace the name where it is written out, if the public may not read it any more, or may again.

    Of two people who are called the same in one tournament, only whole names are replaced there: initials and numbers
    do not say which of the two is meant. A person who was shown by initials is not named again, for the same reason.
    """
    is_public, was_number = now.visibility == Visibility.PUBLIC, before.visibility == Visibility.HIDDEN
    if before.visibility != now.visibility:
        rename_lines(player, is_public=is_public)
        KeptExport.forget_data()
    if before.name == now.name or (is_public and not was_number):
        return
    events = Event.everything.filter(pk__in=entries_of([player]).values("event"))
    if before.visibility != Visibility.PUBLIC:
        others = Player.objects.filter(name=before.name).exclude(pk=player.pk)
        theirs = entries_of(others).values("event__tournament")
        events = events.exclude(tournament__in=theirs)
    for row, fields in renamed_rows(player, list(events), {before.name: now.name}):
        store_renamed(row, fields)


def _shown(players: Collection[Player]) -> dict[int, Shown]:
    """Return what the public reads of these people now."""
    rows = Player.objects.filter(pk__in=[player.pk for player in players])
    values = rows.values_list("pk", "name", "country", "club__name", "visibility")
    return {pk: Shown(name, country, club or "", visibility) for pk, name, country, club, visibility in values}


def _locked_events(players: Collection[Player]) -> list[Event]:
    theirs = entries_of(players).values_list("event", flat=True) if players else []
    found = Event.everything.select_for_update(of=("self",)).select_related("tournament")
    return list(found.filter(pk__in=theirs).order_by("pk"))


def _drawn(players: Collection[Player]) -> QuerySet[Entry]:
    drawn = Stage.objects.filter(number=1, drawn_at__isnull=False).values("event")
    ids = entries_of(players).filter(event__in=drawn).values_list("pk", flat=True) if players else []
    return Entry.objects.filter(pk__in=list(ids))
