"""What ends again and again is started less and less often."""

import pytest

from config.backoff import LASTED_SECONDS, LONGEST_ALONE_SECONDS, Backoff


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_first_end_waits_for_nothing_and_the_next_ones_longer_each_time(clock: Clock) -> None:
    backoff = Backoff(clock)
    waits = []
    for _each in range(8):
        backoff.serves()
        waits.append(backoff.ended())
    assert waits == [0, 1, 2, 4, 8, 16, 30, 30]


def test_it_is_due_after_the_wait_and_not_before(clock: Clock) -> None:
    backoff = Backoff(clock)
    assert backoff.is_due()
    backoff.ended()
    assert backoff.is_due()
    backoff.ended()
    assert not backoff.is_due()
    clock.now += 1
    assert backoff.is_due()


def test_what_nobody_else_does_waits_two_seconds_at_most(clock: Clock) -> None:
    backoff = Backoff(clock)
    assert [backoff.ended(alone=True) for _each in range(8)] == [0, 1, 2, 2, 2, 2, 2, 2]
    clock.now += LONGEST_ALONE_SECONDS
    assert (backoff.is_due(alone=True), backoff.is_due()) == (True, False)
    assert backoff.due() - backoff.due(alone=True) == 28


def test_what_has_lasted_begins_anew(clock: Clock) -> None:
    backoff = Backoff(clock)
    for _each in range(4):
        backoff.ended()
    backoff.serves()
    assert backoff.keeps_ending()
    clock.now += LASTED_SECONDS
    assert not backoff.keeps_ending()
    assert backoff.ended() == 0


def test_time_before_it_serves_does_not_count_as_lasting(clock: Clock) -> None:
    backoff = Backoff(clock)
    waits = []
    for _each in range(3):
        clock.now += 10 * LASTED_SECONDS
        waits.append(backoff.ended())
    assert waits == [0, 1, 2]
    assert backoff.keeps_ending()


def test_one_accident_is_no_trouble(clock: Clock) -> None:
    backoff = Backoff(clock)
    backoff.serves()
    backoff.ended()
    assert not backoff.keeps_ending()
