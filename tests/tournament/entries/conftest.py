"""The scene of the tests of merges."""

import pytest

from matches.models import Match, Record
from players.services import create_player
from rules.profiles import PROFILES
from tests.builders import AT, play_out
from tests.tournament.entries.merging import LATER, assert_audited, event_of, known, match_of
from tournament.entries.identity import merge_players
from tournament.events.services import finish_event
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Event


@pytest.fixture
def life(director) -> list[Event]:
    """Anne, who is Anna, in events of every kind, at a table, in a match of no event; she was merged with Ana."""
    ann = create_player(name="Anne", club="Aarhus", country="DK", at=AT)
    merge_players(ann, create_player(name="Ana", at=AT), by=None, at=AT)
    events = [
        event_of(director, "Singles", ["Anne", "Bo", "Carl", "Dora"]),
        event_of(director, "Pairs", ["Eva & Finn", "Gry & Anne", "Hans & Ida"], doubles=True),
        event_of(director, "Teams", ["Reds: Bo, Anne, Carl", "Blues: Dora, Eva, Finn", *LATER], boards=3),
        event_of(director, "Undrawn", ["Anne", "Bo"], drawn=False),
    ]
    hers = [event_of(director, name, ["Bo", "Carl", name]) for name in ("Anna", "Anne")]
    for event in (events[1], *hers):
        play_out(event)
        finish_event(event, by=None, at=AT)
    add_tables(events[0].tournament, first=1, last=2, by=None, at=AT)
    call_match(match_of(events[0], ann), by=None, at=AT)
    profile = next(iter(PROFILES))
    free = Match.objects.create(side_a=known("Bo"), side_b=ann, length=5, profile=profile, created_at=AT)
    Record.objects.create(sha256="0", name="A record", data=b"", verdict="proved", match=free, imported_at=AT)
    assert_audited(*events, *hers)
    return [*events, *hers]


@pytest.fixture
def administers(director) -> None:
    """A match of no event is Anne's: only an administrator merges her."""
    director.is_superuser = True
    director.save()
