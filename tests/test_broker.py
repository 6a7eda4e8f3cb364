"""The folder that is the broker of one machine."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from celery import Celery
from kombu import Connection
from kombu.simple import SimpleQueue

import config.broker  # noqa: F401 - registers the folder with Kombu
from config.celery import HealedTask


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests here, as in a process: Kombu remembers where it has bound a queue."""
    return tmp_path_factory.mktemp("queue")


@pytest.fixture
def connect(folder: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[], SimpleQueue]]:
    """``connect()`` returns the queue of this test as another process sees it."""
    queues = []

    def queue() -> SimpleQueue:
        folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), folder)
        connection = Connection("folder://localhost", transport_options=folders)
        queues.append(connection.SimpleQueue(request.node.name))
        return queues[-1]

    yield queue
    for made in queues:
        made.close()


def take_all(queue: SimpleQueue) -> list[int]:
    found = []
    try:
        while True:
            message = queue.get_nowait()
            message.ack()
            found.append(message.payload["number"])
    except Empty:
        return found


def test_messages_are_taken_in_order_and_leave_nothing_behind(connect, folder: Path) -> None:
    sender, worker = connect(), connect()
    for number in range(20):
        sender.put({"number": number})
    assert take_all(worker) == list(range(20))
    assert not list(folder.glob(f"*.{worker.queue.name}.msg*"))


def test_a_message_is_taken_once_however_many_workers_ask(connect) -> None:
    sender, workers = connect(), [connect() for _each in range(4)]
    for number in range(200):
        sender.put({"number": number})
    with ThreadPoolExecutor(len(workers)) as pool:
        taken = [number for found in pool.map(take_all, workers) for number in found]
    assert sorted(taken) == list(range(200))


def test_a_message_that_is_still_being_written_is_not_seen(connect, folder: Path) -> None:
    worker = connect()
    (folder / f"0001-half.{worker.queue.name}.msg.draft").write_text('{"body": ')
    assert take_all(worker) == []


def test_asking_for_a_task_does_not_fail_if_the_folder_cannot_be_written(tmp_path: Path, caplog) -> None:
    gone = tmp_path / "gone"
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), tmp_path)
    app = Celery("alone", broker="folder://localhost", task_cls=HealedTask, set_as_current=False)
    app.conf.broker_transport_options = folders | {"data_folder_out": gone}

    @app.task
    def nothing() -> None:
        pass

    assert nothing.delay() is None
    assert [record.message for record in caplog.records] == ["task not queued"]
