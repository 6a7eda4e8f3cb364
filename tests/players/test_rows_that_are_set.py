"""Rows of then beside those that are stored: what reads them asks the database for nothing."""

import pytest

from players.rows import with_rows
from tests.builders import build_director, build_event
from tournament.models import Board, Entry, Fixture, Lot, LotSale


def test_a_row_that_was_never_stored_has_the_rows_that_it_is_given():
    boards = [Board(number=1), Board(number=2)]
    fixture = with_rows(Fixture(key="M1-1"), "boards", iter(boards))
    assert list(fixture.boards.all()) == boards
    with_rows(fixture, "boards", [*fixture.boards.all(), Board(number=3)])
    assert [board.number for board in fixture.boards.all()] == [1, 2, 3]


@pytest.mark.django_db
def test_a_stored_row_keeps_its_key_and_its_other_rows(django_assert_num_queries):
    event = build_event(build_director(), players=3, drawn=False)
    stored = type(event).objects.prefetch_related("stages").get(pk=event.pk)
    kept = list(stored.entries.all())[:1]
    with django_assert_num_queries(0):
        assert with_rows(stored, "entries", kept) is stored
        assert (stored.pk, list(stored.entries.all())) == (event.pk, kept)
        assert [stage.number for stage in stored.stages.all()] == [1]


def test_rows_of_two_names_stand_beside_each_other():
    entries, sales = [Entry(pk=3)], [LotSale(price=100)]
    lot = with_rows(with_rows(Lot(number=1), "entries", entries), "sales", sales)
    assert (list(lot.entries.all()), list(lot.sales.all())) == (entries, sales)
