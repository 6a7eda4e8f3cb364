import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.models import Club, Player
from players.registry.find import find_players
from players.services import create_player, fold_name
from tests.builders import AT


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Søren  Ærø", "soren aero"),
        ("GROẞ Straße", "gross strasse"),
        ("Łukasz Đorđe", "lukasz dorde"),
        ("Þóra Öberg-Håkon", "thora oberg-hakon"),
        ("Zoë", "zoe"),
    ],
)
def test_name_folds_to_what_a_keyboard_without_accents_can_type(name, folded):
    assert fold_name(name) == folded


@given(st.text(max_size=80))
def test_folding_is_idempotent_and_ignores_case(name):
    folded = fold_name(name)
    assert fold_name(folded) == folded
    assert len(folded) <= 120


@pytest.mark.django_db
def test_players_of_one_club_share_its_row():
    for name in ("Ann", "Bo"):
        create_player(name=name, club=" Aarhus  Klub ", at=AT)
    assert list(Club.objects.values_list("name", flat=True)) == ["Aarhus Klub"]


@pytest.mark.django_db
def test_players_are_found_by_the_beginning_of_any_of_their_names():
    for name in ("Åse Berg", "Bo Aseltine", "Case Berg"):
        create_player(name=name, at=AT)
    assert [player.name for player in find_players("ase")] == ["Åse Berg", "Bo Aseltine"]
    assert [player.name for player in find_players("BERG")] == ["Åse Berg", "Case Berg"]
    assert list(find_players("  ")) == []


@pytest.mark.django_db
def test_two_people_may_share_a_name():
    assert create_player(name="Ann", at=AT) != create_player(name="Ann", at=AT)
    assert Player.objects.count() == 2
