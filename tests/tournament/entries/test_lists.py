import pytest

from players.errors import Refusal
from tournament.entries.lists import EntryLine, parse_csv, parse_pasted


def test_pasted_list_has_one_name_a_line_and_loses_its_numbering():
    assert parse_pasted("1. Ann Berg\n\n 2) Bo\nCyd 3") == [
        EntryLine(name="Ann Berg", line=1),
        EntryLine(name="Bo", line=3),
        EntryLine(name="Cyd 3", line=4),
    ]


def test_pasted_list_takes_club_and_country_after_semicolons_or_tabs():
    assert parse_pasted("Ann; Aarhus ;DK\nBo\tMalmö\tSE\textra") == [
        EntryLine(name="Ann", club="Aarhus", country="DK", line=1),
        EntryLine(name="Bo", club="Malmö", country="SE", line=2),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_csv_is_read_as_spreadsheets_write_it(encoding, delimiter, newline):
    rows = [["Seed", "Navn", "Klub"], ["2", "Søren Ærø", "Malmö"], ["", "Bo", ""]]
    data = newline.join(delimiter.join(row) for row in rows).encode(encoding)
    assert parse_csv(data) == [
        EntryLine(name="Søren Ærø", club="Malmö", seed=2, line=2),
        EntryLine(name="Bo", line=3),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "entries_empty"),
        (b"klub,land\nA,DK\n", "csv_without_name"),
        (b"name,seed\nAnn,first\n", "seed_invalid"),
        (b"name\n" + b"x" * 300_000, "list_too_large"),
        (b'name\n"' + b"x" * 140_000, "csv_unreadable"),
        (b'name,club\n"Anna,OBK\nBo,X\nCy,Y\n', "csv_unreadable"),
    ],
)
def test_unreadable_csv_is_refused(data, code):
    with pytest.raises(Refusal) as refused:
        parse_csv(data)
    assert refused.value.code == code
