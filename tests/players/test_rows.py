import copy

import pytest

from players.models import Club, Player
from players.rows import Row
from tests.builders import AT
from tournament.models import Fixture

pytestmark = pytest.mark.django_db


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
    assert read.get_deferred_fields() == {"folded_name", "country", "club_id", "merged_into_id", "created_at"}
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
