"""The crew of a hall, all working at once and uncoordinated: some on the desk page, some through the API."""

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
    """The pace of the hall, the matches that the crew must leave alone, and whether the day is over."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.over = threading.Event()
        self.reserved: set[int] = set()
        self.troubles: list[str] = []
        self._lock = threading.Lock()
        self._next = time.monotonic()

    def turn(self) -> None:
        """Wait until the next action is due: the whole crew together takes ``rate`` actions per second."""
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
    """One of the crew, who enters results only if nothing else is left to do or over ``busy`` matches are in play."""

    visitor: Visitor
    day: Day
    random: Random
    tables: tuple[int, ...]
    busy: int
    failed: str = ""
    seen: list[Task] = field(default_factory=list)

    def run(self) -> None:
        """Do one thing after another until the day is over."""
        try:
            while not self.day.over.is_set():
                self.look()
                if not (tasks := self.choose()):
                    self.day.over.wait(0.2)
                for task in tasks:
                    self.day.turn()
                    self.act(task)
        except Exception as error:  # nobody else would hear of it from a thread
            self.failed = f"{self.visitor.name}: {error!r}"
            self.day.troubles.append(self.failed)

    def choose(self) -> list[Task]:
        """Choose up to three things to do; results wait while the hall has room and other matches can begin."""
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
        """Look at what there is to do in the hall now, and keep it in ``seen``."""

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
        """Enter a result, or a game."""


@dataclass
class AtTheDesk(Worker):
    """Works on the desk page, and loads it again after every action."""

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
            if submission is None:  # reported or disputed, or waiting for a player who is still playing
                continue
            marks = {"ready": f'id="call-{match}"', "called": f'id="start-{match}"'}
            doing = next((doing for doing, mark in marks.items() if mark in text), "playing")
            length = re.search(r"<span>to (\d+)</span>", text)
            if length is None:
                raise UnexpectedAnswerError(f"a row without a length: {text}")
            self.seen.append(Task(int(match), doing, int(length[1]), int(submission[2]), submission[1]))


@dataclass
class ByApi(Worker):
    """Works through the API of the hall."""

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
        """Enter the final score, but sometimes enter one game before that."""
        body: dict[str, object] = {"key": uuid.UUID(int=self.random.getrandbits(128)).hex, "base": task.base}
        if task.base == 0 and self.random.random() < 0.3:
            body["games"] = [GAME | {"winner": self.random.choice("AB")}]
        else:
            body["final"] = self.score(task.length)
        self.visitor.post(f"matches/{task.match}/result/", body, action="API: result")


@dataclass
class InOneEvent(ByApi):
    """A deputy, who has a role in one event only and sees its matches."""

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
    """Let everyone work until the story has been told to its end; then the day is over."""
    threads = [threading.Thread(target=worker.run, name=worker.visitor.name) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        story()
    finally:
        workers[0].day.over.set()
        for thread in threads:
            thread.join()
