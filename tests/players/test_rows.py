import copy
import pickle

import pytest

from players.models import Club, Player
from players.rows import MOST_VALUES, Row, insert_rows
from tests.builders import AT
from tournament.models import Fixture

pytestmark = pytest.mark.django_db

EACH = MOST_VALUES // (len(Player._meta.concrete_fields) - 1)
"""The most players that a statement stores."""


def made() -> Player:
    club = Club.objects.create(name="Aarhus")
    return Player.objects.create(name="Anna", folded_name="anna", country="DEN", club=club, created_at=AT)


def test_a_row_is_read_as_it_was_stored():
    anna = made()
    read = Player.objects.get()
    assert read == anna
    assert not read._state.adding
    assert {field.attname: getattr(read, field.attname) for field in Player._meta.concrete_fields} == {
        field.attname: getattr(anna, field.attname) for field in Player._meta.concrete_fields
    }


def test_a_row_that_was_read_can_be_changed_and_stored(django_assert_num_queries):
    made()
    read = Player.objects.get()
    read.name, read.club = "Anna B.", None
    with django_assert_num_queries(1):
        read.save()
    assert Player.objects.values_list("name", "club").get() == ("Anna B.", None)


def test_a_deferred_field_is_read_on_demand(django_assert_num_queries):
    made()
    read = Player.objects.only("name").get()
    assert read.get_deferred_fields() == {
        *("folded_name", "danish_order", "swedish_order", "country", "club_id", "merged_into_id", "created_at"),
        *("public_id", "given", "family", "town", "birth_year", "birth_date", "gender", "visibility"),
    }
    with django_assert_num_queries(1):
        assert read.country == "DEN"


def test_related_rows_are_read_with_it(django_assert_num_queries):
    made()
    with django_assert_num_queries(1):
        assert Player.objects.select_related("club").get().club.name == "Aarhus"


def test_a_row_can_be_read_again_and_copied():
    anna = made()
    Player.objects.update(name="Anna B.")
    anna.refresh_from_db()
    copied = copy.copy(anna)
    copied.name = "Somebody else"
    assert (anna.name, copied.pk) == ("Anna B.", anna.pk)


def test_the_models_of_a_draw_are_rows():
    assert issubclass(Fixture, Row)


def test_a_copy_has_what_was_loaded_with_the_row_and_leaves_it_alone(django_assert_num_queries):
    made()
    read = Player.objects.select_related("club").only("name", "club__name").get()
    copied, slow = copy.copy(read), pickle.loads(pickle.dumps(read))  # noqa: S301 - made here
    with django_assert_num_queries(0):
        assert copied.club is read.club
        assert copied.get_deferred_fields() == slow.get_deferred_fields() == read.get_deferred_fields()
    assert (copied, copied._state.adding, copied._state.db) == (slow, slow._state.adding, slow._state.db)
    copied.club, copied.name = None, "Somebody else"
    assert (read.name, read.club.name, read.club_id) == ("Anna", "Aarhus", read.club.pk)
    assert copy.copy(Player(name="Not stored"))._state.adding


@pytest.mark.parametrize("count", [*range(4), EACH, EACH + 1, 2 * EACH + 1])
def test_new_rows_are_stored_as_a_bulk_of_them_is(count, django_assert_num_queries):
    def new(first: int) -> list[Player]:
        club = Club(name=f"Club {first}")
        rows = [
            Player(name=f"{first + number}", folded_name="", country="DEN"[:number], club=club, created_at=AT)
            for number in range(count)
        ]
        club.save()  # only now it has an id
        return rows

    stored, expected = new(100), new(200)
    with django_assert_num_queries(-(-count // EACH)):
        insert_rows(stored)
    Player.objects.bulk_create(expected)
    for rows, first in ((stored, 100), (expected, 200)):
        assert [(row.name, row.country, row.club.pk, row.created_at) for row in rows] == [
            (f"{first + number}", "DEN"[:number], row.club_id, AT) for number, row in enumerate(rows)
        ]
        assert all(not row._state.adding and Player.objects.get(pk=row.pk).name == row.name for row in rows)
        assert list(Player.objects.filter(pk__in=[row.pk for row in rows]).order_by("pk")) == rows


def test_a_row_that_is_made_quickly_is_the_same_as_one_that_is_made_slowly():
    club = Club.objects.create(name="Aarhus")
    slow = Player(name="Anna", folded_name="anna", club=club, created_at=AT)
    quick = Player.new(name="Anna", folded_name="anna", club_id=club.pk, created_at=AT, public_id=slow.public_id)
    columns = [field.attname for field in Player._meta.concrete_fields]
    assert [getattr(quick, name) for name in columns] == [getattr(slow, name) for name in columns]
    assert quick._state.adding
    insert_rows([quick])
    assert Player.objects.get().club == club
