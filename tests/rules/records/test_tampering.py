"""A record changed in one place is found out there, or the changed record may have happened too."""

import os
import random
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import pytest

from rules.profiles import WBGF, Overshoot
from rules.records import mat_text, sgf_text
from rules.records.formats import loads
from rules.records.replay import Verdict, verify
from tests.breadth import some
from tests.conftest import cannot
from tests.rules.records.fate import Fate, Tally, fate_of
from tests.rules.records.recount import recount
from tests.rules.records.selfplay import played_matches
from tests.rules.records.tampering import ONE_THING, Change, kinds_for

pytestmark = pytest.mark.long

RECORDS = Path(__file__).parents[2] / "data" / "records"
OURS, THEIRS = 8, 1
"""The number of changes of each kind tried on each of our own records, and on those of CORPUS_DIR if it is set."""
MATCHES, EACH = 14, 8
"""The number of random matches, each as `.mat` and as SGF, and of changes of each kind in each of these."""


@pytest.fixture(autouse=True, scope="module")
def _legal_plays_of_gnubg():
    if find_spec("gnubg_nn") is None:
        cannot("gnubg-nn has no wheel for this machine or Python")


def paths():
    """Return every record that holds, with the number of changes of each kind to try."""
    corpus = os.environ.get("CORPUS_DIR")
    found = [(path, OURS) for path in sorted(RECORDS.iterdir())]
    found += [(path, THEIRS) for path in sorted(Path(corpus).rglob("*"))] if corpus else []
    return [
        pytest.param(path, most, id=path.name)
        for path, most in found
        if path.suffix in (".mat", ".sgf") and _is_match_that_holds(path)
    ]


def _is_match_that_holds(path):
    judged = verify(path.read_bytes())
    return judged.finding is None and not judged.money


def texts_of(path):
    """Return the record as it is, and a `.mat` record also as SGF."""
    text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    return [text, sgf_text.dumps(loads(path.read_bytes())).decode()] if path.suffix == ".mat" else [text]


@pytest.mark.parametrize(("path", "_most"), paths())
def test_the_recount_comes_to_the_score_of_every_record_that_holds(path, _most):
    judged = verify(path.read_bytes())
    for text in texts_of(path):
        counted = recount(text)
        assert counted.score == (judged.score.a, judged.score.b)
        assert counted.over is (judged.verdict is Verdict.PROVED)


@pytest.mark.parametrize(("path", "most"), some(paths(), 90))
def test_every_change_is_found_at_its_place_or_is_legal_too(path, most):
    tally, rng = Tally(), random.Random(path.name)
    for text in texts_of(path):
        tally.try_out(text, kinds_for(text), most, rng)
    assert tally.unexplained == []


@pytest.fixture(scope="module")
def changed_at_random():
    """Change one die, one point, one cube or one score in random matches that nobody played."""
    tally, rng = Tally(), random.Random("changed at random")
    for record in islice(played_matches(seed=1), MATCHES):
        for writer in (mat_text, sgf_text):
            tally.try_out(writer.dumps(record).decode(), ONE_THING, EACH, rng)
    return tally


def test_995_in_1000_changes_that_make_a_random_record_untrue_are_found(changed_at_random):
    found, unexplained = changed_at_random.of(Fate.FOUND), changed_at_random.of(Fate.UNEXPLAINED)
    assert changed_at_random.changed > 1000
    assert 1000 * found >= 995 * (found + unexplained)


def test_every_change_of_a_random_record_that_is_not_found_is_legal_too(changed_at_random):
    assert changed_at_random.unexplained == []
    assert {kind for kind, count in changed_at_random.counts.items() if count[Fate.LEGAL_TOO]} == {
        "die",
        "points of a game",
    }
    assert "other plays, legal as well" not in changed_at_random.explained["die"]
    assert all(count[Fate.FOUND] > count.total() // 2 for count in changed_at_random.counts.values())


def change_of(name, was, now):
    """Return the last place of our record that says this, changed to say that instead."""
    source = (RECORDS / name).read_text(encoding="utf-8")
    return Change(source, source.rindex(was), was, now)


@pytest.mark.parametrize(
    ("name", "was", "now", "fate", "why"),
    [
        ("galaxy-5pt.mat", "64: 3/0", "54: 3/0", Fate.LEGAL_TOO, "the same checkers borne off"),
        ("galaxy-5pt.mat", "31: 1/0 2/0", "31: 2/0", Fate.LEGAL_TOO, "other plays, legal as well"),
        ("galaxy-5pt.mat", " 17) 54:", " 17) 64:", Fate.LEGAL_TOO, "a roll that nobody could play"),
        ("galaxy-5pt.mat", "62: 25/23", "32: 25/23", Fate.LEGAL_TOO, "the same play: one die could not be played"),
        ("studio-5pt.mat", "31: ????", "61: ????", Fate.LEGAL_TOO, "a roll that nobody played"),
        ("studio-5pt.mat", "Wins 1 point", "Wins 3 points", Fate.LEGAL_TOO, "the last game was given up, for other"),
        ("studio-5pt.mat", "5 point match", "9 point match", Fate.LEGAL_TOO, "games that a match to this length"),
        ("galaxy-5pt.mat", "65: 6/0", "25: 6/0", Fate.FOUND, "higher_point"),
        ("galaxy-5pt.mat", "65: 6/0", "65: 6/5", Fate.FOUND, "not_rolled"),
        ("galaxy-5pt.mat", "Drops", "Takes", Fate.FOUND, "result_points"),
        ("galaxy-5pt.mat", "Astrid : 3", "Astrid : 2", Fate.FOUND, "score_mismatch"),
    ],
)
def test_a_change_is_found_or_explained(name, was, now, fate, why):
    fated, reason = fate_of(change_of(name, was, now))
    assert (fated, reason[: len(why)]) == (fate, why)


@pytest.mark.parametrize(
    "other",
    [
        partial(verify, profile=replace(WBGF, bearoff_overshoot=Overshoot.FREE)),
        lambda _data: verify((RECORDS / "galaxy-5pt.mat").read_bytes()),
        lambda data: verify(data.replace(b"13/8", b"13/7", 1)),
    ],
    ids=["another rule", "blind", "another place"],
)
def test_what_another_replay_says_is_unexplained(other):
    assert fate_of(change_of("galaxy-5pt.mat", "65: 6/0", "25: 6/0"), other)[0] is Fate.UNEXPLAINED


def test_a_replay_that_refuses_what_is_legal_leaves_it_unexplained():
    assert fate_of(change_of("galaxy-5pt.mat", "64: 3/0", "54: 3/0"), lambda _data: verify(b""))[0] is Fate.UNEXPLAINED
