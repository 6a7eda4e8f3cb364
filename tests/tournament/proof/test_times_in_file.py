"""Times in a draw file are moments in UTC, or the file is refused with the place of the one that is none."""

import json

import pytest

from tests.builders import AT, build_director, build_event
from tests.tournament.proof.test_closings_in_file import settle
from tests.tournament.proof.test_tampering import leaves, put
from tournament.draw.close_entries import reopen_entries
from tournament.draw.make import cancel_draw, make_draw
from tournament.past.draw_file import draw_file_bytes
from tournament.proof.faults import FileFault
from tournament.proof.read import read_draw_file

pytestmark = pytest.mark.django_db

MAY_BE_NULL = {"known_at", "voided_at", "cancelled_at"}
NO_TIMES = ["x", "", "2026-03-06", "2026-03-06T19:00:00", "2026-03-06T19:00:00+01:00", "2026-13-40T19:00:00Z", 1, None]


def place_of(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def test_every_time_of_a_file_is_read_as_a_moment_in_utc():
    director, other = build_director(), build_director("other")
    other.is_superuser = True
    other.save()
    event = build_event(director, players=4, format="swiss", drawn=False, seed="", public_source="dice")
    settle(event, "dice", director, other)
    reopen_entries(event, reason="again", by=director, at=AT)
    for again in range(2):
        settle(event, "dice", director, other)
        make_draw(event, by=director, at=AT)
        if not again:
            cancel_draw(event, by=director, at=AT)
    whole = json.loads(draw_file_bytes(event))
    times = [path for path in leaves(whole) if path[-1] == "at" or str(path[-1]).endswith("_at")]
    assert {path[-1] for path in times} == {
        *("made_at", "closed_at", "known_at", "voided_at", "opened_at", "cancelled_at", "drawn_at", "at", "paired_at")
    }
    assert read_draw_file(json.dumps(whole).encode())
    for path in times:
        for value in NO_TIMES:
            if value is None and path[-1] in MAY_BE_NULL:
                continue
            with pytest.raises(FileFault) as refused:
                read_draw_file(json.dumps(put(whole, path, value)).encode())
            assert (refused.value.code, refused.value.place) == ("value_wrong", place_of(path)), (path, value)
