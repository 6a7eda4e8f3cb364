"""A stored document read piece by piece says what JSON reads of it whole."""

import pytest

from players.lists import stored
from players.lists.document import canonical
from players.lists.stored import StoredDocument
from tests.players.lists.publishing import HEAD, make, some_matches


@pytest.mark.parametrize("piece", [1, 100, 1 << 16])
@pytest.mark.parametrize("matches", [0, 1, 60])
def test_all_of_it_is_read_whatever_the_size_of_a_piece(monkeypatch, matches: int, piece: int) -> None:
    monkeypatch.setattr(stored, "PIECE", piece)
    _made, file = make(HEAD, some_matches(matches))
    read = StoredDocument(canonical(file.document))
    assert list(read.rows()) == file.document["counted"]
    assert read.said == {**file.document, "counted": []}


def test_the_matches_of_a_player_are_found_and_no_others() -> None:
    """Ids that are a length and a weight, too, are not taken for them."""
    _made, file = make(HEAD, some_matches(200))
    rows = file.document["counted"]
    read = StoredDocument(canonical(file.document))
    asked = {number for row in rows for number in (*row[2:6], row[0])}
    assert {5, 7, 100} <= asked
    for player in asked:
        assert list(read.rows_of(player)) == [row for row in rows if player in row[2:4]]
