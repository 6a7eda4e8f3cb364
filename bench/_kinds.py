"""Records changed in one place, by kinds: each is found where it is, or the verdict says why it cannot be."""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from rules.records import mat_text
from rules.records.formats import loads
from rules.records.identity import identity_of
from rules.records.record import MatchRecord, RecordError
from rules.records.replay import Replay, Verdict, refused, replay
from tests.rules.records.fate import Fate, fate_of
from tests.rules.records.kinds import KINDS
from tests.rules.records.tampering import Change

FOUND, SAID, SAME, MISSED = "found", "said", "same", "missed"
OUTCOMES = (FOUND, SAID, SAME, MISSED)
"""Found in the game and row where an independent recount sees it; not to be found, and the verdict or a note says so;
the same match, written in another way; or none of these."""
SHOWN = 5
PRINTED = "the same points"
COVERS = {
    "only one game": "names_unproved",
    "the players of a game": "names_unproved",
    "games that a match": "rolls_unproved",
    "other plays": "rolls_unproved",
    "a roll that": "rolls_unproved",
    "the same checkers": "rolls_unproved",
    "the same play": "rolls_unproved",
    "the last game was given up": "resignation_unproved",
}
"""The note that says what cannot be told, by how the reason of :func:`tests.rules.records.fate.explanation` begins."""


def report_kinds(records: Iterable[tuple[str, MatchRecord]], *, each: int, seed: int) -> bool:
    """Change each record in each way, print what came of it, and return whether no change was missed."""
    rng = random.Random(seed)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    missed: list[str] = []
    for name, record in records:
        source = mat_text.written(record)
        true = replay(record)
        for kind, change in KINDS.items():
            changes = list(islice(change(record), 2000))
            for changed in rng.sample(changes, min(each, len(changes))):
                text = mat_text.written(changed.record)
                outcome, why = outcome_of(source, true, text)
                counts[kind][outcome] += 1
                if outcome == MISSED:
                    missed.append(f"{name}, game {changed.game + 1}, {kind}: {why}")
    _print(counts)
    for line in missed[:SHOWN]:
        print(line)
    return not missed


def outcome_of(source: str, true: Replay, text: str) -> tuple[str, str]:
    """Return what came of the change of a record into this text, and why."""
    judged, identity = _judged(text)
    fate, why = fate_of(Change(source, 0, source, text))
    is_same = judged.finding is None and judged.games == true.games and identity == _judged(source)[1]
    if is_same or (fate is Fate.LEGAL_TOO and why.startswith(PRINTED)):
        return SAME, ""
    if fate is Fate.FOUND:
        return FOUND, why
    if fate is Fate.LEGAL_TOO and says_why(judged, true, why):
        return SAID, why
    return MISSED, why


def says_why(judged: Replay, true: Replay, why: str) -> bool:
    """Whether the verdict on a changed record that breaks no rule says why it cannot be found."""
    if judged.verdict is Verdict.INCOMPLETE and true.verdict is Verdict.PROVED:
        return True
    notes = {note.code for note in judged.notes}
    return any(why.startswith(begin) and code in notes for begin, code in COVERS.items())


def _judged(text: str) -> tuple[Replay, str]:
    try:
        record = loads(text.encode())
    except RecordError as error:
        return refused(error), ""
    judged = replay(record)
    return judged, identity_of(record, judged)


def _print(counts: dict[str, Counter[str]]) -> None:
    print(f"{'kind':32} {'tried':>7}" + "".join(f" {outcome:>7}" for outcome in OUTCOMES))
    for kind, count in [*counts.items(), (f"all {len(counts)} kinds", sum(counts.values(), Counter[str]()))]:
        print(f"{kind:32} {count.total():>7,}" + "".join(f" {count[outcome]:>7,}" for outcome in OUTCOMES))
