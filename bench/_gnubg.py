"""Our `.mat` and SGF files as GNU Backgammon itself reads them, and the files it then writes as we read them."""

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rules.actions import Beavered
from rules.records import mat_text
from rules.records.formats import FORMATS, loads
from rules.records.record import Lost, MatchRecord, RecordError, Turn, Won
from rules.records.replay import replay
from tests.rules.records.plain_reader import Untrue
from tests.rules.records.recount import Turn as PlayedTurn
from tests.rules.records.recount import recount

PROGRAM = shutil.which("gnubg", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/games")))
"""Debian installs it in a folder that is not on the administrator's PATH."""

SAME = "the same match"
NOT_WRITTEN = "not written: the format cannot hold the match"
NO_NAME = "not read: GNU Backgammon stops at a player without a name"
WITHOUT_ILLEGAL = "the same except for an illegal play, which GNU Backgammon leaves out of its .mat"
BEAVERS = "not read: GNU Backgammon loses plays after a beaver, in its own .mat as well"
EXPLAINED = frozenset({SAME, NOT_WRITTEN, NO_NAME, WITHOUT_ILLEGAL, BEAVERS})
SHOWN = 5


def report_read_back(records: Iterable[tuple[str, MatchRecord]]) -> int:
    """Print how many matches GNU Backgammon reads back unchanged; return how many differ, or 0 if it is not installed.

    Unchanged are names, length, scores, every roll, the position after every play, cube actions, and how each game
    ended. A last roll before a player resigned need not be kept, nor comments; and `.mat` cannot tell GNU Backgammon
    which rules were agreed.
    """
    if PROGRAM is None:
        print("read back by GNU Backgammon: not run, gnubg is not installed (Debian: apt install gnubg)")
        return 0
    seen: Counter[tuple[str, str, str]] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, record in records:
            for slug in FORMATS:
                for back, verdict in _read_back(Path(folder), record, slug).items():
                    seen[slug, back, verdict] += 1
                    if verdict not in EXPLAINED:
                        wrong.append(f"{name} as {slug}, back as {back}: {verdict}")
    for (slug, back, verdict), number in sorted(seen.items()):
        print(f"our {slug:4} back from GNU Backgammon as {back:4} {number:>6,} {verdict}")
    for line in wrong[:SHOWN]:
        print(line)
    return len(wrong)


def _read_back(folder: Path, record: MatchRecord, slug: str) -> dict[str, str]:
    """Return what became of the record, for each format that GNU Backgammon wrote it in."""
    try:
        data = FORMATS[slug].dumps(record)
    except RecordError:
        return dict.fromkeys(FORMATS, NOT_WRITTEN)
    if slug == "mat" and not all(record.names):
        return dict.fromkeys(FORMATS, NO_NAME)
    if slug == "mat" and any(isinstance(line.action, Beavered) for game in record.games for line in game.lines):
        return dict.fromkeys(FORMATS, BEAVERS)
    ours, backs = folder / f"ours.{slug}", {back: folder / f"back.{back}" for back in FORMATS}
    ours.write_bytes(data)
    for path in backs.values():
        path.unlink(missing_ok=True)
    read = "import mat" if slug == "mat" else "load match"
    jacoby = f"set jacoby {'on' if record.jacoby else 'off'}"
    ended = _run(folder, [jacoby, f"{read} {ours}", f"export match mat {backs['mat']}", f"save match {backs['sgf']}"])
    return {back: _compared(record, path) if path.exists() else ended for back, path in backs.items()}


def _run(folder: Path, commands: list[str]) -> str:
    """Run the program on the commands, and return how it ended."""
    script = folder / "commands"
    script.write_text("\n".join(["set confirm save off", "set display off", *commands, ""]))
    ended = subprocess.run(
        [str(PROGRAM), "--tty", "--quiet", "--no-rc", "--commands", str(script)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"HOME": str(folder), "LANG": "C.UTF-8"},
        timeout=300,
        check=False,
    )
    return f"it ended with {ended.returncode} and wrote nothing"


def _compared(record: MatchRecord, path: Path) -> str:
    """Return how the match that GNU Backgammon wrote differs from the record, whose result is ignored if doubtful."""
    try:
        back = loads(path.read_bytes())
    except RecordError as error:
        return f"not read by us: {error}"
    games = back.games if record.crawford else tuple(replace(game, crawford=None) for game in back.games)
    copy = replace(back, games=games, tags=record.tags)
    was, now = replay(record), replay(copy)
    settled = was.finding is None
    proved = len(now.games) if settled else len(was.games)
    if (was.names, was.length, was.plays, was.games) != (now.names, now.length, now.plays, now.games[:proved]):
        return "another result"
    if settled and was.score != now.score:
        return "another score"
    if _illegal(record) != _illegal(copy):
        return WITHOUT_ILLEGAL if path.suffix == ".mat" and not _illegal(copy) else "another illegal play"
    return SAME if _turns(record, settled=settled) == _turns(copy, settled=settled) else "other plays"


def _illegal(record: MatchRecord) -> list[object]:
    lines = [line for game in record.games for line in game.lines]
    return [line.action.after for line in lines if isinstance(line.action, Turn) and line.action.after is not None]


def _turns(record: MatchRecord, *, settled: bool) -> list[PlayedTurn] | None:
    """Return every roll that was played, with cube and positions, leaving out a doubtful result at the end.

    None for an illegal play and for money, which the recount does not read.
    """
    last = record.games[-1]
    if not settled:
        last = replace(last, lines=tuple(line for line in last.lines if not isinstance(line.action, Won | Lost)))
    try:
        counted = recount(mat_text.dumps(replace(record, games=(*record.games[:-1], last))).decode())
    except (RecordError, Untrue):
        return None
    return [replace(turn, dice=(min(turn.dice), max(turn.dice))) for turn in counted.turns if turn.after is not None]
