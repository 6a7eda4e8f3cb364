"""What goes wrong on a weekend and what the director does about it; all of it can be read back afterwards."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from bench._crew import Day
from bench._visitor import Visitor

REPAIRS = ("swap", "replay", "stand")
STEP_SECONDS = 2
"""How long the director looks away from the championship: there is a hall to run. Less in a day that runs faster."""

STEP_RATE = 5
"""The acts a second of the crew at which it is so long."""

LOOKS = 2
"""How many corrections the director previews before turning to something else."""

PATIENCE_SECONDS = 30
"""How long a step may wait for its occasion, such as a match that has just begun."""

Fixture = dict[str, Any]
Step = Callable[[], bool]
"""Does one thing and returns True, or False if there is no occasion yet."""


@dataclass
class Readback:
    """A change of a result that the match and the log must show afterwards."""

    event: int
    match: int
    reason: str
    verb: str
    score: list[int] | None = None


@dataclass
class Story:
    """The steps of the day; ``events`` holds the ids by name, with the championship first."""

    director: Visitor
    scorer: Visitor
    day: Day
    random: Random
    events: dict[str, int]
    people: list[str]
    reentries: dict[str, int]
    readbacks: list[Readback] = field(default_factory=list)
    happened: dict[str, int] = field(default_factory=dict)
    repaired: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Steps for which a day that runs faster had no occasion before the last match was over."""

    @property
    def championship(self) -> int:
        return next(iter(self.events.values()))

    def tell(self) -> None:
        """Take every step while the others work, and return when every event has been played to its end."""
        steps = self._steps()
        step = next(steps, None)
        since = time.monotonic()
        while not self.day.over.is_set():
            progress = self._progress()
            if step is None or progress < step[0]:
                since = time.monotonic()
            elif step[2]():
                print(f"{progress:4.0%} {step[1]}", file=sys.stderr)
                self.happened[step[1]] = self.happened.get(step[1], 0) + 1
                step, since = next(steps, None), time.monotonic()
            elif progress == 1 or time.monotonic() - since > PATIENCE_SECONDS:
                hurried = self.day.rate > STEP_RATE
                (self.left_out if hurried else self.day.troubles).append(f"no occasion for: {step[1]}")
                step, since = next(steps, None), time.monotonic()
            if step is None and self._all_played():
                return
            time.sleep(STEP_SECONDS * STEP_RATE / max(STEP_RATE, self.day.rate))

    def _steps(self) -> Iterator[tuple[float, str, Step]]:
        """Yield each step: how much of the championship precedes it, its name, and the function that takes it."""
        later: list[tuple[float, str, Step]] = [
            *((0.01 * at, "no-show", self._no_show) for at in range(3)),
            (0.05, "wrong length", self._wrong_length),
            (0.08, "report confirmed", lambda: self._report(disputed=False)),
            *((at, "dispute", lambda: self._report(disputed=True)) for at in (0.2, 0.5)),
            *((0.1 + 0.06 * at, "correction", partial(self._correct, REPAIRS[at % 3])) for at in range(10)),
            (0.15, "withdrawal", lambda: self._leave(self.championship, {"kind": "withdrawn"})),
            (0.25, "withdrawal", lambda: self._leave(self.championship, {"kind": "withdrawn", "plays_on": True})),
            (0.3, "withdrawal", lambda: self._leave(self.championship, {"kind": "withdrawn", "only_main": True})),
            (0.35, "withdrawal", lambda: self._leave(list(self.events.values())[1], {"kind": "withdrawn"})),
            (0.45, "withdrawal", lambda: self._leave(list(self.events.values())[1], {"kind": "withdrawn"})),
            (0.4, "undo", self._undo),
        ]
        for name, count in self.reentries.items():
            again = partial(self._enter_again, self.events[name])
            later += [(0.8 * at / count, "re-entry", again) for at in range(count)]
        yield from sorted(later, key=lambda step: step[0])

    # The championship as it stands.

    def _stage(self, event: int) -> dict[str, Any]:
        return self.director.read(f"events/{event}/")["stage"]

    def _progress(self) -> float:
        self.stage = self._stage(self.championship)
        return self.stage["done"] / max(1, self.stage["matches"])

    def _all_played(self) -> bool:
        stages = (self._stage(event) for event in self.events.values())
        return all(stage["done"] >= stage["matches"] for stage in stages)

    def _fixtures(self, *states: str) -> list[Fixture]:
        found = [row for row in self.stage["fixtures"] if row["state"] in states and row["match"]]
        found = [row for row in found if row["match"] not in self.day.reserved]
        self.random.shuffle(found)
        return found

    def _key(self) -> str:
        return uuid.UUID(int=self.random.getrandbits(128)).hex

    # The steps.

    def _no_show(self) -> bool:
        for row in self._fixtures("ready"):
            if row["call"] is None:
                entry = row[self.random.choice("ab")]["entry"]
                answer = self.director.post(
                    f"entries/{entry}/departure/", {"kind": "no-show"}, action="director: no-show"
                )
                return answer.status == 200
        return False

    def _leave(self, event: int, how: dict[str, object]) -> bool:
        rows = [row for row in self._stage(event)["fixtures"] if row["state"] in ("ready", "live") and row["match"]]
        if how.get("only_main"):
            rows = [row for row in rows if row["bracket"] == "M"]
        rows = [row for row in rows if row["match"] not in self.day.reserved]
        if not rows:
            return False
        entry = self.random.choice(rows)[self.random.choice("ab")]["entry"]
        answer = self.director.post(f"entries/{entry}/departure/", how, action="director: withdrawal")
        return answer.status == 200

    def _wrong_length(self) -> bool:
        """Two players have played to a shorter length than posted, and agree to let the result stand."""
        for row in self._fixtures("ready"):
            if row["call"] is None or row["length"] < 3 or row["sheet"]:
                continue
            match, length = row["match"], row["length"] - 2
            self.day.reserved.add(match)
            reason = f"Played to {length} by mistake"
            ruling = {
                "key": self._key(),
                "base": row["sheet"],
                "ruling_count": 0,
                "kind": "length_agreed",
                "played_to": length,
                "final": [length, length - 1],
                "reason": reason,
            }
            path = f"matches/{match}/rulings/"
            preview = self.director.post(path, {**ruling, "preview": True}, action="director: preview of a ruling")
            answer = self.director.post(path, ruling, action="director: ruling")
            self.day.reserved.discard(match)
            if preview.status == 200 and answer.status == 201:
                self.readbacks.append(Readback(self.championship, match, reason, "ruling"))
                return True
        return False

    def _report(self, *, disputed: bool) -> bool:
        """A scorer reports a result. The desk confirms it; or it is disputed, and the director enters another."""
        for row in self._fixtures("ready"):
            if row["call"] is None or row["sheet"]:
                continue
            match, length = row["match"], row["length"]
            self.day.reserved.add(match)
            try:
                body = {"key": self._key(), "base": 0, "final": [length, 0]}
                report = self.scorer.post(f"matches/{match}/reports/", body, action="API: report")
                if report.status != 201:
                    continue
                number = report.json["number"]
                if not disputed:
                    body = {"number": number}
                    answer = self.director.post(f"matches/{match}/confirm/", body, action="director: confirm")
                    return answer.status == 200
                reason = f"The other player says {length - 1}-{length}"
                body = {"number": number, "reason": reason}
                self.director.do(f"matches/{match}/dispute/", body, action="director: dispute")
                final, heard = [length - 1, length], f"Match {match}: heard both"
                ruled = {"key": self._key(), "base": 0, "final": final, "reason": heard}
                path, action = f"matches/{match}/result/", "director: result after a dispute"
                answer = self.director.post(path, ruled, action=action)
                if answer.status == 201:
                    self.readbacks.append(Readback(self.championship, match, heard, "enter_result", final))
                    return True
            finally:
                self.day.reserved.discard(match)
        return False

    def _correct(self, wanted: str) -> bool:
        """A result turns out to be wrong when one of its players has already begun the next match."""
        rows = {row["key"]: row for row in self.stage["fixtures"]}
        begun = self._fixtures("live", "ready")
        begun.sort(key=lambda row: bool(row["sheet"]) == (wanted == "swap"))
        pairs = [(self._feeder(rows, later, side), later) for later in begun for side in "ab"]
        looked = 0
        for row, later in pairs:
            if row is None or not _has_begun(later) or row["state"] != "done" or row["conclusion"] != "played":
                continue
            if row["score"] is None or row["match"] in self.day.reserved:
                continue
            match, reason = row["match"], f"Correction {len(self.repaired) + 1}: entered the wrong way round"
            final = [*reversed(row["score"])]
            body = {"key": self._key(), "base": row["sheet"], "final": final, "reason": reason}
            looked += 1
            if looked > LOOKS:
                break
            preview = self.director.post(
                f"matches/{match}/result/preview/", body, action="director: preview of a correction"
            )
            if preview.status != 200:
                continue
            offered = [cost["repair"] for cost in preview.json]
            if wanted not in offered and wanted not in self.repaired:
                continue
            repair = wanted if wanted in offered else offered[0]
            answer = self.director.post(
                f"matches/{match}/result/", {**body, "repair": repair}, action="director: correction"
            )
            if answer.status == 201:
                self.repaired.append(repair)
                self.readbacks.append(Readback(self.championship, match, reason, "enter_result", final))
                return True
        return False

    def _feeder(self, rows: dict[str, Fixture], later: Fixture, side: str) -> Fixture | None:
        """Return the match by which the entry on that side reached ``later``."""
        _how, _sign, key = later[side]["feed"].partition(":")
        row = rows.get(key)
        return row if row and row["match"] else None

    def _undo(self) -> bool:
        """The director undoes the latest result that nothing depends on yet; the crew then enters a new one."""
        rows = self.director.read(f"events/{self.championship}/log/?verb=enter_result&limit=5")["results"]
        for row in rows:
            path = f"events/{self.championship}/log/{row['id']}/undo/"
            if self.director.post(path, action="director: undo").status == 200:
                return True
        return False

    def _enter_again(self, event: int) -> bool:
        body = {"name": self.random.choice(self.people)}
        return self.director.post(f"events/{event}/entries/", body, action="director: re-entry").status == 201


def _has_begun(row: Fixture) -> bool:
    return bool(row["sheet"]) or bool(row["call"] and row["call"]["started_at"])
