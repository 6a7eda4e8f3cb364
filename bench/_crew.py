"""The crew who run the hall concurrently: some from the desk page, some through the API, without coordinating."""

import re
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bench._visitor import Answer, UnexpectedAnswerError, Visitor

ROW = re.compile(r'<li class="row[^"]*" id="m-(\d+)".*?(?=<li class="row|</ul>)', re.DOTALL)
SUBMISSION = re.compile(r'name="key" value="([^"]+)"><input type="hidden" name="base" value="(\d+)"')
FREE = re.compile(r'<li class="is-free "><span[^>]*>(\d+)<')
GAME = {"winner": "A", "cube": 1, "level": 1, "ending": "bearoff"}


class Day:
    """The pace of the hall, the matches that the workers must leave alone, and whether the day is over."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.over = threading.Event()
        self.reserved: set[int] = set()
        self.troubles: list[str] = []
        self._lock = threading.Lock()
        self._next = time.monotonic()

    def turn(self) -> None:
        """Wait until the next action may be taken: the whole crew shares a fixed number of actions per second."""
        if not self.rate:
            return
        with self._lock:
            self._next = max(self._next, time.monotonic() - 1) + 1 / self.rate
            wait = self._next - time.monotonic()
        if wait > 0:
            time.sleep(wait)


@dataclass(frozen=True, slots=True)
class Task:
    """An open match as a worker sees it: ``doing`` is ready, called or playing."""

    match: int
    doing: str
    length: int
    base: int
    key: str = ""


@dataclass
class Worker(ABC):
    """A crew member, who enters results while other work waits only if more than ``busy`` matches are playing."""

    visitor: Visitor
    day: Day
    random: Random
    tables: tuple[int, ...]
    busy: int
    failed: str = ""
    seen: list[Task] = field(default_factory=list)

    def run(self) -> None:
        """Carry out one action after another until the day is over."""
        try:
            while not self.day.over.is_set():
                self.look()
                if not (tasks := self.choose()):
                    self.day.over.wait(0.2)
                for task in tasks:
                    self.day.turn()
                    self.act(task)
        except Exception as error:  # a thread has nobody else to tell
            self.failed = f"{self.visitor.name}: {error!r}"
            self.day.troubles.append(self.failed)

    def choose(self) -> list[Task]:
        """Return up to three available tasks; results wait while the hall is not full and other matches can start."""
        open_ = [task for task in self.seen if task.match not in self.day.reserved]
        todo = [task for task in open_ if task.doing != "playing"]
        playing = [task for task in open_ if task.doing == "playing"]
        if len(playing) > self.busy or not todo:
            todo += playing
        return self.random.sample(todo, min(3, len(todo)))

    def act(self, task: Task) -> None:
        if task.match in self.day.reserved:
            return
        match task.doing:
            case "ready":
                self.call(task)
            case "called":
                self.start(task)
            case _ if self.random.random() < 0.05:
                self.move(task)
            case _:
                self.enter(task)

    def score(self, length: int) -> list[int]:
        score = [length, self.random.randrange(length)]
        self.random.shuffle(score)
        return score

    @abstractmethod
    def look(self) -> None:
        """Store the current work of the hall in ``seen``."""

    @abstractmethod
    def call(self, task: Task) -> None:
        """Call the match to a table."""

    @abstractmethod
    def start(self, task: Task) -> None:
        """Start the called match."""

    @abstractmethod
    def move(self, task: Task) -> None:
        """Move the match to another table."""

    @abstractmethod
    def enter(self, task: Task) -> None:
        """Enter a result, or a single game."""


@dataclass
class AtTheDesk(Worker):
    """A worker at the desk page, who fetches the current state of the hall after every action."""

    path: str = ""
    etag: str = ""

    def look(self) -> None:
        answer = self.visitor.page(f"{self.path}?fragment", action="desk page: look", etag=self.etag)
        if answer.status == 200:
            self.etag = answer.etag
            self._see(answer)

    def call(self, task: Task) -> None:
        self._submit(task, "call", {})

    def start(self, task: Task) -> None:
        self._submit(task, "start", {})

    def move(self, task: Task) -> None:
        self._submit(task, "move", {"table": self.random.choice(self.tables)})

    def enter(self, task: Task) -> None:
        a, b = self.score(task.length)
        fields = {"key": task.key, "base": task.base, "final_a": a, "final_b": b}
        self._submit(task, "enter", fields)

    def _submit(self, task: Task, act: str, fields: dict[str, object]) -> None:
        action = f"desk page: {'result' if act == 'enter' else act}"
        self.visitor.submit(f"{self.path}{task.match}/{act}/", fields, action=action, live=True)
        self.look()

    def _see(self, answer: Answer) -> None:
        self.seen = []
        for row in ROW.finditer(answer.body.decode()):
            text, match = row[0], row[1]
            submission = SUBMISSION.search(text)
            if submission is None:  # reported or disputed, or waiting for somebody who plays elsewhere
                continue
            marks = {"ready": f'id="call-{match}"', "called": f'id="start-{match}"'}
            doing = next((doing for doing, mark in marks.items() if mark in text), "playing")
            length = re.search(r"<span>to (\d+)</span>", text)
            if length is None:
                raise UnexpectedAnswerError(f"a row without a length: {text}")
            self.seen.append(Task(int(match), doing, int(length[1]), int(submission[2]), submission[1]))


@dataclass
class ByApi(Worker):
    """A worker who uses the hall's API."""

    hall: str = ""

    def look(self) -> None:
        found = self.visitor.get(self.hall, "API: look at the hall").json["matches"]
        self.seen = [
            Task(row["match"], row["doing"], row["length"], row["sheet"])
            for row in found
            if row["doing"] in ("ready", "called", "playing")
        ]

    def call(self, task: Task) -> None:
        self.visitor.post(f"matches/{task.match}/call/", action="API: call")

    def start(self, task: Task) -> None:
        self.visitor.post(f"matches/{task.match}/start/", action="API: start")

    def move(self, task: Task) -> None:
        self.visitor.post(f"matches/{task.match}/move/", {"table": self.random.choice(self.tables)}, action="API: move")

    def enter(self, task: Task) -> None:
        """Sometimes enter a single game first and leave the final score for later."""
        body: dict[str, object] = {"key": uuid.UUID(int=self.random.getrandbits(128)).hex, "base": task.base}
        if task.base == 0 and self.random.random() < 0.3:
            body["games"] = [GAME | {"winner": self.random.choice("AB")}]
        else:
            body["final"] = self.score(task.length)
        self.visitor.post(f"matches/{task.match}/result/", body, action="API: result")


@dataclass
class InOneEvent(ByApi):
    """A deputy, who holds a role in a single event and sees only its matches."""

    def look(self) -> None:
        stage = self.visitor.get(self.hall, "API: look at an event").json["stage"]
        states = {"ready": "ready", "playing": "playing", "live": "playing"}
        self.seen = []
        for row in stage["fixtures"]:
            doing = states.get(row["state"], "")
            if row["call"] and doing == "ready":
                doing = "playing" if row["call"]["started_at"] else "called"
            if doing and row["match"]:
                self.seen.append(Task(row["match"], doing, row["length"], row["sheet"]))


def at_work(workers: list[Worker], story: Callable[[], None]) -> None:
    """Keep the whole crew working while the story is told; the day ends when the story does."""
    threads = [threading.Thread(target=worker.run, name=worker.visitor.name) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        story()
    finally:
        workers[0].day.over.set()
        for thread in threads:
            thread.join()
