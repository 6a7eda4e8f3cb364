"""A body that does not come ends with its connection, and with no other one."""

import fcntl
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

import config.late
from config.late import BYTES_A_SECOND, SECONDS, Arrival, Connection, end_late, served
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


def test_a_body_has_as_long_as_a_slow_line_needs():
    arrival = Arrival("10.0.0.1", began=100.0)
    assert (arrival.late_by(100.0 + SECONDS), arrival.late_by(100.0)) == (0.0, -SECONDS)
    arrival.taken = 5 * BYTES_A_SECOND
    assert arrival.late_by(105.0 + SECONDS) == 0.0


def test_a_connection_of_the_client_ends_and_none_of_others_or_of_our_own(connect, monkeypatch):
    monkeypatch.setattr(config.late, "SECONDS", 0.2)
    (client, theirs), (other, others) = connect(CLIENT), connect(OTHER)
    with socket.create_server((CLIENT, 0)) as database, socket.create_connection(database.getsockname()) as ours:
        there, _from = database.accept()
        database.close()
        arrival = Arrival(CLIENT)
        for end in (client, other):
            end.send(b"P")
        end_late([arrival], arrival.began)
        assert is_open(theirs)
        wait_until(lambda: arrival.late_by(Arrival(CLIENT).began) >= 0, why="the body is late")
        end_late([arrival], Arrival(CLIENT).began)
        there.send(b"goes on")
        assert ours.recv(7) == b"goes on"
        there.close()
    assert (is_open(theirs), others.recv(1), is_open(others)) == (False, b"P", True)
    theirs.send(b"late")
    assert client.recv(4) == b"late"


def test_of_several_it_is_one_that_brought_little_since_the_body_began(connect, monkeypatch):
    """One that idles has brought nothing for longer, one that is answered was sent something; a long body is longer."""
    monkeypatch.setattr(config.late, "SECONDS", 0.5)
    monkeypatch.setattr(config.late, "LOOK_SECONDS", 0.05)
    idle, answered, long, late = (connect(CLIENT) for _each in range(4))
    idle[0].send(b"GET")
    idle[1].recv(3)
    wait_until(lambda: all(found.received_before > 0.1 for found in of_client() if found.received == 3), why="it idles")
    arrival = Arrival(CLIENT)
    for end, sent in ((answered[0], b"G"), (long[0], b"POST" * 1000), (late[0], b"POST")):
        end.send(sent)
    wait_until(lambda: answered[1].send(b".") and arrival.late_by(Arrival(CLIENT).began) >= 0, why="the body is late")
    on_time = Arrival(CLIENT)
    now = on_time.began
    end_late([arrival, on_time], now)
    late[1].recv(4)
    answered[1].recv(1)
    long[1].recv(4000)
    assert [is_open(here) for _there, here in (idle, answered, long, late)] == [True, True, True, False]
    assert arrival.is_cut
    assert on_time.is_cut  # for it may have come by that connection


def of_client() -> list[Connection]:
    return [found for found in served() if found.peer == read_address(CLIENT)]


def test_looking_at_connections_leaves_the_locks_of_files_alone(tmp_path):
    """POSIX ends all locks of a process on a file as soon as one of its numbers for it is closed."""
    path = tmp_path / "database"
    asks = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    with path.open("w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        served()
        asked = subprocess.run([sys.executable, "-c", asks, path], capture_output=True, text=True, check=False)
    assert "BlockingIOError" in asked.stderr
