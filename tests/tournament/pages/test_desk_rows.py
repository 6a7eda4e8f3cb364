"""A row of the desk that is filled in is the one that the whole template gives, for every shape of match."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from tests.builders import AT, build_director, build_event, open_matches
from tournament.hall.desk import take_desk
from tournament.hall.values import DeskMatch, DeskTable, Doing, Reported
from tournament.models import Event
from tournament.pages.hall.rows import desk_row, seen_by, whole_row

pytestmark = pytest.mark.django_db

NAMES = ("Ann & Bo", "O'Hara <b>", "Zoë “Z” {{ x }} %(a)s", "")
CHANGES = (
    {"doing": Doing.READY},
    {"doing": Doing.READY, "has_table": False},
    {"doing": Doing.READY, "has_table": False, "other_tables": (DeskTable(4, None, "", True, False),)},
    {"doing": Doing.READY, "pause": "Lunch & rest"},
    {"doing": Doing.READY, "teams": ("Team <1>", "Team 2")},
    {"doing": Doing.BUSY},
    {"doing": Doing.CALLED, "table": 7, "called_at": AT, "ends_at": AT + timedelta(hours=1), "called_by": "d'A"},
    {"doing": Doing.CALLED, "called_at": AT, "ends_at": AT + timedelta(hours=1)},
    {"doing": Doing.PLAYING, "table": 12, "called_at": AT, "started_at": AT, "ends_at": AT, "minutes": 1234},
    {"doing": Doing.PLAYING, "called_at": AT, "started_at": AT, "ends_at": AT, "is_late": True, "minutes": 3},
    {"doing": Doing.PLAYING, "base": 12, "score": (0, 3)},
    {"doing": Doing.PLAYING, "reports": (Reported(1, "Ann", (5, 3), True),), "base": 2},
    {"doing": Doing.REPORTED, "reports": (Reported(1, "Ann", (5, 3), True),), "score": (5, 3)},
    {"doing": Doing.DISPUTED, "reports": (Reported(1, "Ann", (5, 3), True),), "dispute": "A says & B says"},
)


@pytest.fixture
def match() -> DeskMatch:
    event: Event = build_event(build_director(), players=4)
    assert open_matches(event)
    return take_desk(event.tournament, at=AT).ready[0]


@pytest.mark.parametrize("language", ["en", "da", "de"])
@pytest.mark.parametrize("may_call", [True, False])
@pytest.mark.parametrize("has_tables", [True, False])
def test_a_row_that_is_filled_in_is_the_whole_template(match, language, may_call, has_tables):
    with translation.override(language), timezone.override("Australia/Sydney"):
        seen = seen_by("friday-club", language, "Australia/Sydney", has_tables)
        for number, name in enumerate(NAMES):
            for changes in CHANGES:
                one = replace(match, id=1000 * number + 7, a=name, b="Other", event=f"{name} Open", **changes)
                for waits in (0, 1234):
                    args = one, waits, seen, may_call, True
                    assert desk_row(*args) == whole_row(*args)
