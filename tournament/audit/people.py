"""The people in an event: entries and teams, players who left, and the seats at the tables."""

from collections.abc import Iterator

from django.db.models import prefetch_related_objects

from matches.audit import Difference
from matches.models import SheetState
from matches.services import prefetched_sheet
from tournament.audit.audited import Audited
from tournament.draw.calls import persons_of
from tournament.draw.outcomes import is_walkover_of_absence, match_has_begun
from tournament.formats import FORMATS
from tournament.models import Call
from tournament.models.team import matches_in


def check_entries(audited: Audited) -> Iterator[Difference]:
    """Check that teams are named, fill every board and share no player; other entries have no team name or members."""
    if audited.stage.number > 1:
        return
    boards, team_of = audited.event.boards, dict[int, str]()
    entries = list(audited.chain.entries.values())
    prefetch_related_objects(entries, "members")  # of players too, who ought to have none
    for entry in entries:
        place = f"{audited.place} entry {entry}"
        members = [member.board for member in entry.members.all()]
        if not audited.event.has_teams:
            if entry.team or members:
                yield Difference("entries", place, "team", entry.team or f"{len(members)} members", "none")
            continue
        if not entry.team:
            yield Difference("entries", place, "team", "no name", "one")
            continue
        if members != list(range(2, max(boards, len(members) + 1) + 1)):
            given = ", ".join(map(str, (1, *members)))
            yield Difference("entries", place, "boards", given, f"1 to {boards} and beyond, each once")
        for person in entry.people:
            if team_of.setdefault(person.pk, entry.team) != entry.team:
                yield Difference("entries", place, f"team of {person}", entry.team, f"only {team_of[person.pk]}")


def check_people(audited: Audited) -> Iterator[Difference]:
    """Check that no match waits for an absent entry, no waiting entry is drawn, and absence walkovers are justified."""
    for fixture in audited.fixtures:
        place = f"{audited.place} {fixture.key}"
        sitting = [
            entry for pk in (fixture.entry_a_id, fixture.entry_b_id) if (entry := audited.chain.entries.get(pk or 0))
        ]
        for entry in sitting:
            if not entry.is_drawn_in(audited.stage.number):
                yield Difference("people", place, entry.name, "drawn", "on the waiting list or gone before the draw")
        absent = [entry.name for entry in sitting if entry.is_absent_from(fixture.bracket)]
        for number, match in fixture.matches.items():
            place = audited.place_of(fixture, number)
            sheet = prefetched_sheet(match)
            if absent and not match_has_begun(match):
                yield Difference("people", place, "result", "none", f"a walkover: {', '.join(absent)} left")
            given = sheet is not None and is_walkover_of_absence(sheet)
            # Where rounds are paired one by one, an entry that comes back has lost the round that it missed.
            if given and not absent and not FORMATS[audited.stage.format].pairs_by_round:
                yield Difference("people", place, "walkover", "for an absence", "nobody left")


def check_calls(audited: Audited) -> Iterator[Difference]:
    """Check that an open call seats its match's players, in this hall, and that a decided match has no open call."""
    places = {
        match.pk: (audited.place_of(fixture, number), match)
        for fixture in audited.fixtures
        for number, match in fixture.matches.items()
    }
    calls = Call.objects.filter(match__in=matches_in(audited.event, stage=audited.stage)).select_related("table")
    for call in calls.prefetch_related("seats").order_by("pk"):
        place, match = places[call.match_id]
        place = f"{place} call {call.pk}"
        if call.table is not None and call.table.tournament_id != audited.event.tournament_id:
            yield Difference("calls", place, "table", str(call.table), "one of this tournament")
        seated = sorted((seat.person_id, seat.left_at) for seat in call.seats.all())
        expected = sorted((person, call.left_at) for person in persons_of(match))
        if seated != expected and call.left_at is None:
            yield Difference("calls", place, "seats", str(seated), str(expected))
        sheet = audited.histories[match.pk].current
        if call.left_at is None and sheet is not None and sheet.state == SheetState.CONFIRMED:
            yield Difference("calls", place, "call", "open", "ended: the match is decided")
