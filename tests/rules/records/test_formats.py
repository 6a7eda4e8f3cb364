"""What holds for every record format, and how the formats are told apart."""

import os
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.notation import Hop
from rules.position import START
from rules.records import mat
from rules.records.formats import FORMATS, SUFFIXES, detect, files_in, loads
from rules.records.record import GameRecord, Line, Lost, MatchRecord, RecordError, Turn, Won, number_rows
from rules.records.replay import Verdict, replay, verify
from rules.score import Side
from tests.rules.records.corpus import corpus
from tests.rules.records.hostile import HOSTILE, most_steps
from tests.steps import CountedBytes, Steps

RECORDS = Path(__file__).parents[2] / "data" / "records"
EVERY_FORMAT = pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS.keys())
OWN = sorted(path for path in RECORDS.iterdir() if path.suffix in (".mat", ".sgf"))
MEMORY = 60_000_000


def sample_of(format):
    """Return two of our records in the format: one as it was read, one as it is written."""
    return [
        (RECORDS / f"gnubg-7pt-backgammon.{format.slug}").read_bytes(),
        format.dumps(mat.loads((RECORDS / "galaxy-7pt.mat").read_bytes())),
    ]


def refusal(format, data):
    """The finding of a refusal, which takes bounded memory."""
    tracemalloc.start()
    try:
        with pytest.raises(RecordError) as error:
            format.loads(data)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    assert "\n" not in error.value.finding.message
    assert len(error.value.finding.message) < 300
    return error.value.finding


@EVERY_FORMAT
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bytes_are_refused_in_a_few_passes_and_bounded_memory(format, data):
    finding = refusal(format, data)
    steps = Steps()
    with pytest.raises(RecordError) as error:
        format.loads(CountedBytes(steps, data))
    assert error.value.finding == finding
    assert steps.taken <= most_steps(data)


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bytes_are_refused_in_a_few_passes_whatever_they_are_taken_for(data):
    steps = Steps()
    assert verify(CountedBytes(steps, data)).verdict is Verdict.REFUSED
    assert steps.taken <= most_steps(data)


@EVERY_FORMAT
def test_a_record_that_breaks_off_anywhere_raises_no_error(format):
    for data in sample_of(format):
        for end in range(0, len(data), 97):
            judged = verify(data[:end], reader=format.loads)
            assert (judged.finding is None) is (judged.verdict in (Verdict.PROVED, Verdict.INCOMPLETE))


@EVERY_FORMAT
def test_a_damaged_record_raises_no_error(format):
    rng = random.Random(format.slug)
    for data in sample_of(format):
        for _ in range(200):
            start = rng.randrange(len(data))
            put = bytes(rng.choices(b" 0123456789/:;*()[]\\=>barofWLDTGAE\n\xff", k=rng.randrange(4)))
            damaged = data[:start] + put + data[start + rng.choice([0, 1, 1, 2, 20, 500]) :]
            finding = verify(damaged, reader=format.loads).finding
            assert finding is None or (finding.message and "\n" not in finding.message)


@EVERY_FORMAT
@given(data=st.binary(max_size=300))
def test_loads_raises_nothing_but_a_record_error(format, data):
    for before in (b"", b"(;GM[6]MI[length:3]", b"(;GM[6]MI[length:3];W[", b"3 point match\n Game 1\n A : 0 B : 0\n"):
        try:
            record = format.loads(before + data)
        except RecordError:
            continue
        assert record.games


@EVERY_FORMAT
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_what_is_written_is_read_back_as_the_same_match(format, path):
    record = loads(path.read_bytes())
    data = format.dumps(record)
    assert detect(data) is format
    assert format.dumps(format.loads(data)) == data
    if path.suffix == f".{format.slug}":
        assert format.loads(data) == record
    assert replay(format.loads(data)) == replay(record)


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12)
HOPS = st.builds(
    lambda ends, hit: Hop(max(ends), min(ends), hit),
    st.lists(st.integers(0, 25), min_size=2, max_size=2, unique=True),
    st.booleans(),
)
DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))
SIDES = st.sampled_from(Side)
ACTIONS = st.one_of(
    st.builds(Turn, SIDES, DICE, st.none() | st.lists(HOPS, max_size=4).map(tuple), st.just(False), st.none()),
    st.builds(Turn, SIDES, DICE, st.none(), st.just(True), st.none()),
    st.builds(Turn, SIDES, DICE, st.none(), st.just(False), st.just(START)),
    st.builds(Doubled, SIDES, st.integers(0, 64)),
    st.builds(Beavered, SIDES),
    st.builds(Raccooned, SIDES),
    st.builds(Took, SIDES),
    st.builds(Dropped, SIDES),
)
RESULTS = st.lists(st.builds(Won, SIDES, st.integers(1, 99), st.booleans()), max_size=1) | st.lists(
    st.builds(Lost, SIDES, st.integers(1, 99)), max_size=1
)


@st.composite
def records(draw):
    """Draw a record of anything that a record can say, legal or not."""
    names = draw(st.tuples(NAMES, NAMES))
    length = draw(st.integers(3, 25))
    games = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        actions = [(action.side, action) for action in draw(st.lists(ACTIONS, max_size=8)) + draw(RESULTS)]
        score = draw(st.tuples(st.integers(0, 25), st.integers(0, 25)))
        games.append(GameRecord(number, names, score, number_rows(actions)))
    tags = draw(st.dictionaries(st.sampled_from(["Event", "Site", "EventDate", "Match ID", "Unrated"]), NAMES))
    return MatchRecord(length, tuple(games), tags)


@given(records())
def test_whatever_a_mat_record_says_is_read_back_or_not_written(record):
    try:
        data = FORMATS["mat"].dumps(record)
    except RecordError:
        return
    assert loads(data) == record


@given(records())
def test_whatever_an_sgf_record_says_is_read_back_or_not_written(record):
    try:
        copy = loads(FORMATS["sgf"].dumps(record))
    except RecordError:
        return
    assert (copy.length, copy.names) == (record.length, record.names)
    assert [game.score for game in copy.games] == [game.score for game in record.games]
    assert copy.tags == dict(record.tags)
    try:
        assert loads(FORMATS["sgf"].dumps(copy)) == copy
    except RecordError as error:
        assert error.finding.code == "record_not_writable"  # noqa: PT017 - a cube or a result that SGF cannot say


@EVERY_FORMAT
def test_a_plain_record_is_written_in_every_format(format):
    line = Line(1, Turn(Side.B, (3, 1), (Hop(8, 5), Hop(6, 5))))
    record = MatchRecord(3, (GameRecord(1, ("Ann", "Bob"), (0, 0), (line,)),))
    assert loads(format.dumps(record)).games[0].lines == (line,)


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"5 point match", "mat"),
        (b"; (a remark)", "mat"),
        (b"(;GM[6])", "sgf"),
        (b"\xef\xbb\xbf\r\n (;GM[6])", "sgf"),
        (b"(", "sgf"),
    ],
)
def test_the_format_is_detected_from_the_first_bytes(data, slug):
    assert detect(data) is FORMATS[slug]


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (b"", "record_empty", "was expected: .mat"),
        (b" \r\n", "record_empty", "was expected: .mat"),
        (b"RGMH\x08\x20", "record_damaged", "a record of eXtreme Gammon"),
        (b'{"encoding":"smile"}\n\x1f\x8b', "record_damaged", "a record of BGBlitz"),
        (b"HMGR", "record_binary", "save it as .xg"),
        (b"PK\x03\x04", "record_binary", "This is a zip file. Unpack it"),
        (b"\x1f\x8b\x08", "record_binary", "This is a gzip file. Unpack it"),
        (b"%PDF-1.7", "record_binary", "This is a PDF file"),
        (b"OGXM\x02", "record_binary", "Export the match as .mat"),
        (b"<!DOCTYPE html><title>", "record_page", "save the match as .xg"),
        (b"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "record_position", "This is a position"),
        (b"The score (after 0 games) is: Ann 0, Bob 0", "record_analysis", "Save the match there as .sgf"),
        (b"abc\0\1\2", "record_not_text", "was expected: .mat"),
        (b"Dear director,", "line_unreadable", "a line like \u201c5 point match\u201d there"),
    ],
)
def test_what_is_no_record_is_refused_with_what_to_give_instead(data, code, says):
    judged = verify(data)
    assert (judged.verdict, judged.finding.code) == (Verdict.REFUSED, code)
    assert says in judged.finding.message


def test_formats_are_named_as_the_suffixes_of_their_files():
    assert {slug: format.slug for slug, format in FORMATS.items()} == {slug: slug for slug in FORMATS}
    assert {f".{slug}" for slug in FORMATS} < SUFFIXES.keys()
    assert set(SUFFIXES.values()) == set(FORMATS)


def test_the_records_of_a_folder_come_by_name(tmp_path):
    for name in ("b.sgf", "a.MAT", "c.txt", "d.mat", "mat"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in files_in(tmp_path)] == ["a.MAT", "b.sgf", "d.mat"]


@pytest.mark.skipif("CORPUS_DIR" not in os.environ, reason="CORPUS_DIR names no folder of match records")
def test_every_record_of_the_corpus_is_written_and_read_back():
    paths = corpus(".mat", ".sgf")
    assert paths
    for path in paths:
        record = loads(path.read_bytes())
        copy = FORMATS["mat"].loads(FORMATS["mat"].dumps(record))
        assert replay(copy) == replay(record), path.name
        assert copy == record or path.suffix == ".sgf", path.name
        try:
            copy = FORMATS["sgf"].loads(FORMATS["sgf"].dumps(record))
        except RecordError:
            assert replay(record).finding.code == "result_contradiction", path.name
        else:
            assert replay(copy) == replay(record), path.name
            assert copy == record or path.suffix == ".mat", path.name
