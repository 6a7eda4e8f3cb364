"""A body that does not come ends with its connection, and with no other one."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

import config.late
from config.late import BYTES_A_SECOND, SECONDS, Arrival, end_late, served
from config.proxies import read_address
from tests.processes import wait_until

CLIENT, OTHER = "127.0.0.77", "127.0.0.78"

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def connect() -> Iterator[Callable[[str], Ends]]:
    """Connects the address with a server of this process; returns the client's end and the server's."""
    with socket.create_server(("", 0)) as server, ExitStack() as opened:

        def made(address: str) -> Ends:
            there = socket.create_connection(("127.0.0.1", server.getsockname()[1]), source_address=(address, 0))
            here, _from = server.accept()
            here.settimeout(0)
            return opened.enter_context(there), opened.enter_context(here)

        yield made


def is_open(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True


def coming(seconds: float, *, by_proxy: bool = False) -> tuple[Arrival, float]:
    """A body of the client that has been coming for so long, and the moment of now."""
    arrival = Arrival(CLIENT, by_proxy)
    return arrival, arrival.began + seconds


def test_a_body_has_as_long_as_a_slow_line_needs():
    arrival = Arrival("10.0.0.1", began=100.0)
    assert (arrival.late_by(100.0 + SECONDS), arrival.late_by(100.0)) == (0.0, -SECONDS)
    arrival.taken = 5 * BYTES_A_SECOND
    assert arrival.late_by(105.0 + SECONDS) == 0.0


def test_all_connections_of_a_client_end_if_one_did_not_help_and_no_others(connect):
    (client, theirs), (_other, others) = connect(CLIENT), connect(OTHER)
    with socket.create_server((CLIENT, 0)) as database, socket.create_connection(database.getsockname()) as ours:
        there, _from = database.accept()
        database.close()
        arrival, now = coming(SECONDS - 1)
        end_late([arrival], now)
        assert is_open(theirs)
        arrival, now = coming(2 * SECONDS)
        end_late([arrival], now)
        there.send(b"goes on")
        assert ours.recv(7) == b"goes on"
        there.close()
    assert (is_open(theirs), is_open(others), client.recv(1)) == (False, True, b"")


def test_by_a_proxy_come_others_whose_connections_go_on(connect):
    _proxy, theirs = connect(CLIENT)
    arrival, now = coming(2 * SECONDS, by_proxy=True)
    end_late([arrival], now)
    assert (is_open(theirs), arrival.is_cut) == (True, False)


def test_the_connection_is_one_on_which_nothing_was_sent_since_the_body_began(connect, monkeypatch):
    """Of two, the one on which something was sent last; an answer can still be sent on it."""
    monkeypatch.setattr(config.late, "SECONDS", 0.5)
    (_first, earlier), (last, later) = connect(CLIENT), connect(CLIENT)

    def is_told_apart() -> bool:
        later.send(b".")
        quiet = [found.quiet for found in served() if found.peer == read_address(CLIENT)]
        return len(set(quiet)) == 2

    wait_until(is_told_apart, why="one has been quiet for longer")
    last.settimeout(0)
    last.recv(10_000_000)
    arrival, now = coming(0.6)
    on_time = Arrival(CLIENT, began=now)
    end_late([arrival, on_time], now)
    assert (is_open(earlier), is_open(later)) == (True, False)
    assert arrival.is_cut
    assert on_time.is_cut  # for it may have come by that connection
    later.send(b"late")
    assert last.recv(4) == b"late"
