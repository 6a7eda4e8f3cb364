"""Names stand where readers of each language look for them, in the database as in Python."""

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from players.collation import DANISH, PLAIN, SWEDISH, alphabet_of, sort_key
from players.models import Player
from players.registry.find import find_players
from players.services import NAME_ORDERS, create_player, fold_name, name_order
from tests.builders import AT

NAMES = ["Åse", "Ærlig", "Øst", "Anna", "Zorro", "Ängla", "Özil", "Olsen", "Aagaard", "Über", "Yngve", "ben", "Émile"]
ORDERS = {
    "en": "Aagaard Ærlig Ängla Anna Åse ben Émile Olsen Øst Özil Über Yngve Zorro",
    "de": "Aagaard Ærlig Ängla Anna Åse ben Émile Olsen Øst Özil Über Yngve Zorro",
    "da": "Anna ben Émile Olsen Über Yngve Zorro Ängla Ærlig Øst Özil Aagaard Åse",
    "nb": "Anna ben Émile Olsen Über Yngve Zorro Ängla Ærlig Øst Özil Aagaard Åse",
    "sv": "Aagaard Anna ben Émile Olsen Über Yngve Zorro Åse Ängla Ærlig Øst Özil",
}


@pytest.mark.parametrize(("language", "order"), ORDERS.items())
def test_python_sorts_as_the_language_does(language: str, order: str) -> None:
    assert " ".join(sorted(NAMES, key=lambda name: sort_key(name, alphabet_of(language)))) == order


@pytest.mark.parametrize(("language", "order"), ORDERS.items())
def test_the_database_agrees_and_pages_follow_it(language: str, order: str, db) -> None:
    for name in NAMES:
        create_player(name=name, at=AT)
    with translation.override(language):
        assert " ".join(Player.objects.order_by(name_order(), "id").values_list("name", flat=True)) == order
    answer = Client(headers={"accept-language": language}).get("/players/")
    assert " ".join(player.name for player in answer.context["players"]) == order
    with translation.override(language):
        assert [player.name for player in find_players("o")] == [name for name in order.split() if name[0] in "OÖØ"]


def test_keys_follow_the_name_however_the_row_is_stored(db) -> None:
    player = create_player(name="Anna", at=AT)
    player.name = "Åse"
    player.save()
    [other] = Player.objects.bulk_create([Player(name="Åke", folded_name="ake", created_at=AT)])
    for row in (player, other):
        row.refresh_from_db()
        assert (row.danish_order[:4], row.swedish_order[:4]) == ("zzz3", "zzz1")


@pytest.mark.parametrize("column", NAME_ORDERS.values())
def test_a_page_of_names_is_read_by_an_index(column: str, db) -> None:
    page = Player.objects.filter(merged_into__isnull=True).order_by(column, "id")[:100]
    if connection.vendor == "sqlite":
        assert f"INDEX player_{column}" in page.explain()
        assert "TEMP B-TREE" not in page.explain()


@given(name=st.text(max_size=80), alphabet=st.sampled_from([PLAIN, DANISH, SWEDISH]))
def test_a_key_is_plain_lower_text(name: str, alphabet: str) -> None:
    key = sort_key(name, alphabet)
    assert key == " ".join(key.split())
    assert sort_key(name.upper(), alphabet) == sort_key(name.upper().lower().upper(), alphabet)


@given(name=st.text(max_size=80))
def test_the_plain_key_is_the_folded_name(name: str) -> None:
    assert fold_name(name) == sort_key(name, PLAIN)[:120].strip()


def test_letters_after_z_come_after_every_plain_letter() -> None:
    assert sort_key("zzy", DANISH) < sort_key("Æ", DANISH) < sort_key("Ø", DANISH) < sort_key("Å", DANISH)
    assert sort_key("zzy", SWEDISH) < sort_key("Å", SWEDISH) < sort_key("Ä", SWEDISH) < sort_key("Ö", SWEDISH)
