"""``script/bench faults`` and ``script/bench load`` in short: nothing is lost or doubled, the audit finds nothing."""

from collections.abc import Iterator

import pytest

from bench._outages import Outage, held_lock, processes_killed, suffer
from bench._shapes import Shape, laptop
from bench.load import evening, read_arguments, wrong_with

pytestmark = [pytest.mark.cluster, pytest.mark.long]


@pytest.fixture(scope="module", params=["servers", "laptop"])
def shape(request: pytest.FixtureRequest) -> Iterator[Shape]:
    if request.param == "servers":
        federation = request.getfixturevalue("federation")
        yield Shape(federation.site(), federation.webs, federation)
        return
    with laptop(2) as alone:
        yield alone


@pytest.mark.parametrize("outage", [held_lock, processes_killed])
def test_in_an_outage_nobody_is_told_more_than_to_come_again(shape: Shape, outage: Outage) -> None:
    assert suffer(shape, outage.__name__, outage, 2, players=32)


def test_scorers_directors_and_readers_do_not_disturb_each_other(shape: Shape) -> None:
    few = ["--scorers=4", "--directors=1", "--readers=20", "--players=16", "--rate=0"]
    played, read, _seconds = evening(shape, read_arguments(few))
    assert wrong_with(shape, played, read) == []
    assert played.results > 15
