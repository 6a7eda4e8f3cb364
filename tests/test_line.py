"""Writers stand in line: threads of a process in their order, processes behind each other, none behind a dead one."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.sqlite.line import Line
from tests.processes import ROOT, environment, wait_until

NEVER, AT_ONCE = 10.0**9, 0.0
"""Moments of the clock by which a writer that waits gives up."""

OTHER_PROCESS = """
import sys
from pathlib import Path
from config.sqlite.line import Line
line = Line(Path(sys.argv[1]))
assert line.enter(10.0**9)
print("in", flush=True)
sys.stdin.readline()
line.leave()
print("out", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "line"


@pytest.fixture
def line(path: Path) -> Line:
    return Line(path)


@contextmanager
def other_process(path: Path) -> Iterator[subprocess.Popen]:
    """Another process, which has a turn until it hears something."""
    command = [sys.executable, "-c", OTHER_PROCESS, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment(), **pipes) as process:
        assert process.stdout.readline() == "in\n"
        yield process
        process.kill()


def join(line: Line, names: list[str], came: list[str], until: float = NEVER) -> list[threading.Thread]:
    """Let threads of these names join the line one after another; each says when its turn has come, and leaves."""
    threads = []
    for name in names:
        before = len(line)

        def wait(name: str = name) -> None:
            if line.enter(until):
                came.append(name)
                line.leave()
            else:
                came.append(f"{name} gave up")

        threads.append(threading.Thread(target=wait))
        threads[-1].start()
        wait_until(lambda before=before: len(line) > before or until == AT_ONCE, why=f"{name} is in line")
    return threads


def test_threads_have_their_turns_in_the_order_in_which_they_came(line: Line) -> None:
    came: list[str] = []
    assert line.enter(NEVER)
    threads = join(line, [*"abcdefgh"], came)
    assert came == []
    line.leave()
    for thread in threads:
        thread.join()
    assert came == [*"abcdefgh"]
    assert line.enter(AT_ONCE)


def test_a_process_waits_for_the_turn_of_another(path: Path, line: Line) -> None:
    came: list[str] = []
    with other_process(path) as process:
        assert not line.enter(AT_ONCE)
        threads = join(line, ["a", "b"], came)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "out\n"
        for thread in threads:
            thread.join()
    assert came == ["a", "b"]


def test_a_killed_process_blocks_nobody(path: Path, line: Line) -> None:
    came: list[str] = []
    with other_process(path) as process:
        threads = join(line, ["a", "b"], came)
        process.kill()
        for thread in threads:
            thread.join()
    assert came == ["a", "b"]


def test_a_thread_that_gives_up_takes_nobody_elses_turn(line: Line) -> None:
    came: list[str] = []
    assert line.enter(NEVER)
    [first] = join(line, ["first"], came)
    for thread in join(line, ["impatient"], came, until=AT_ONCE):
        thread.join()
    [last] = join(line, ["last"], came)
    line.leave()
    first.join()
    last.join()
    assert came == ["impatient gave up", "first", "last"]


def test_the_line_goes_on_when_everybody_gave_up_while_another_process_had_its_turn(path: Path, line: Line) -> None:
    with other_process(path) as process:
        assert not line.enter(AT_ONCE)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "out\n"
        assert line.enter(NEVER)
        line.leave()
        assert Line(path).enter(NEVER)
