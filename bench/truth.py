"""Legal plays against GNU Backgammon's, changed records, ours read back by GNU Backgammon, each rule broken."""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

from bench._gnubg import report_read_back
from bench._kinds import report_kinds
from bench._rows import report_rows
from rules.perft import ROLLS
from rules.plays import judge_play, legal_plays
from rules.position import START, Position
from rules.profiles import WBGF
from rules.records import mat_text, sgf_text
from rules.records.formats import loads
from rules.records.record import MatchRecord, RecordError, Turn
from rules.records.replay import Verdict, replay, verify
from tests.rules.oracle import gnubg_keys, keys
from tests.rules.records.fate import Fate, Tally
from tests.rules.records.selfplay import played_matches
from tests.rules.records.tampering import MORE, ONE_THING, is_sgf, lengths
from tests.rules.samples import KINDS

SEED = 20240601
SHOWN = 5
OWN_RECORDS = Path(__file__).parents[1] / "tests" / "data" / "records"
EACH_RECORDED, EACH_PLAYED, EACH_MORE = 4, 10, 4
"""How many changes of each kind are made to a record, and to a generated match."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench truth", description=__doc__)
    parts: dict[str, Callable[[argparse.Namespace], bool]] = {
        "plays": check_plays,
        "changes": check_kinds,
        "tampering": check_changes,
        "gnubg": check_read_back,
        "rows": check_rows,
    }
    parser.add_argument("parts", nargs="*", help=f"what to check: {', '.join(parts)}; everything by default")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="compare at least this many positions and rolls")
    parser.add_argument("--changes", type=int, default=20_000, help="make at least this many changes of one thing")
    parser.add_argument("--records", type=int, default=1_000, help="how many records are changed by kinds")
    parser.add_argument("--each", type=int, default=2, help="how many changes of each kind a record gets")
    parser.add_argument("--matches", type=int, default=100, help="how many generated matches gnubg is given to read")
    parser.add_argument("--only", nargs="+", default=(), metavar="FUNCTION", help="break these functions of rows alone")
    options = parser.parse_args()
    if unknown := set(options.parts) - parts.keys():
        parser.error(f"there is no part named {', '.join(sorted(unknown))}")
    held = []
    for name, check in parts.items():
        if not options.parts or name in options.parts:
            print(f"== {name}: {(check.__doc__ or '').splitlines()[0]}", flush=True)
            held.append(check(options))
    sys.exit(not all(held))


def check_plays(options: argparse.Namespace) -> bool:
    """The legal plays for a million positions and rolls are those of GNU Backgammon's generator: 0 may differ."""
    kinds = {name: kind(random.Random(SEED)) for name, kind in KINDS.items()}
    recorded = list(recorded_positions())
    compared, different = compare("records", iter(recorded)) if recorded else (0, 0)
    each = -(-(options.pairs - compared) // len(kinds) // len(ROLLS)) + 1
    for name, positions in kinds.items():
        more, wrong = compare(name, islice(positions, max(each, 0)))
        compared, different = compared + more, different + wrong
    print(f"{'all':16} {compared:>10,} compared, {different} different")
    return not different and compared >= options.pairs


def check_kinds(options: argparse.Namespace) -> bool:
    """Each change of one place, of 46 kinds, is found there, or the verdict says why it cannot be: 0 are missed."""
    proved = [(name, record) for name, record, _ in records() if name.endswith(".mat") and is_whole(record)]
    random.Random(SEED).shuffle(proved)
    return report_kinds(proved[: options.records], each=options.each, seed=SEED)


def is_whole(record: MatchRecord) -> bool:
    """Whether the record is proved, also as our own writer writes it."""
    return verify(mat_text.written(record).encode()).verdict is Verdict.PROVED and replay(record).length > 0


def check_changes(options: argparse.Namespace) -> bool:
    """At least 99.5 % of changes that make a record untrue are found; any that is missed leaves the record legal."""
    one_thing, more, rng = Tally(), Tally(), random.Random(SEED)
    for _, record, text in records():
        for written in (text, *([] if is_sgf(text) else [in_sgf(record)])):
            one_thing.try_out(written, ONE_THING, EACH_RECORDED, rng)
    print(f"{one_thing.changed:,} changes of records", flush=True)
    for record in played_matches(SEED):
        for written in (mat_text.dumps(record).decode(), in_sgf(record)):
            one_thing.try_out(written, ONE_THING, EACH_PLAYED, rng)
            more.try_out(written, {"length": lengths} if is_sgf(written) else MORE, EACH_MORE, rng)
        if one_thing.changed >= options.changes:
            break
    print(f"One die, point, cube or score changed:\n{one_thing.table()}\n\nThe length, and more:\n{more.table()}")
    unexplained = one_thing.unexplained + more.unexplained
    for line in unexplained[:SHOWN]:
        print(line)
    found = one_thing.of(Fate.FOUND)
    return 1000 * found >= 995 * (found + one_thing.of(Fate.UNEXPLAINED)) and not unexplained


def check_read_back(options: argparse.Namespace) -> bool:
    """GNU Backgammon itself reads our .mat and SGF files, and writes the same matches again."""
    recorded = ((name, record) for name, record, _ in records(everything=True))
    played = ((f"match {number}", record) for number, record in enumerate(played_matches(SEED)))
    return not report_read_back(chain(recorded, islice(played, options.matches)))


def check_rows(options: argparse.Namespace) -> bool:
    """Breaking the function that a rule of docs/rules.md names makes a test that it lists fail."""
    return report_rows(options.only)


def compare(name: str, positions: Iterator[Position]) -> tuple[int, int]:
    """Return how many positions with a roll were compared and how many differ; print the first few that differ."""
    began = time.perf_counter()
    compared = different = plays = 0
    for position in positions:
        for roll in ROLLS:
            ours = keys(legal_plays(position, roll, WBGF))
            theirs = gnubg_keys(position, roll)
            compared, plays = compared + 1, plays + len(theirs)
            if ours != theirs:
                different += 1
                if different <= SHOWN:
                    print(f"{position} {roll}: {len(ours)} plays, not {len(theirs)}")
    took = time.perf_counter() - began
    print(f"{name:16} {compared:>10,} compared, {different} different, {plays:,} plays, {took:.0f} s", flush=True)
    return compared, different


def records(*, everything: bool = False) -> Iterator[tuple[str, MatchRecord, str]]:
    """Yield our own records and those in CORPUS_DIR: matches without a finding, or everything that can be read."""
    folders = [OWN_RECORDS, *([Path(os.environ["CORPUS_DIR"])] if "CORPUS_DIR" in os.environ else [])]
    for path in chain.from_iterable(sorted(folder.rglob("*")) for folder in folders):
        if path.suffix not in (".mat", ".sgf"):
            continue
        data = path.read_bytes()
        try:
            record = loads(data)
        except RecordError:
            continue
        if everything or (record.length and replay(record).finding is None):
            yield path.name, record, path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")


def in_sgf(record: MatchRecord) -> str:
    return sgf_text.dumps(record).decode()


def recorded_positions() -> Iterator[Position]:
    """Yield the distinct positions of the records in CORPUS_DIR."""
    if "CORPUS_DIR" in os.environ:
        yield from sorted({position for _, record, _ in records(everything=True) for position in positions_of(record)})


def positions_of(record: MatchRecord) -> Iterator[Position]:
    """Yield the position before each play of the record, as long as the plays are legal."""
    for game in record.games:
        position = START
        for line in game.lines:
            if not isinstance(line.action, Turn):
                continue
            yield position
            try:
                after = judge_play(position, line.action.dice, line.action.play or (), WBGF)
            except ValueError:
                break
            position = after.swapped()


if __name__ == "__main__":
    main()
