"""A page of a ranking list has the places of the whole list."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player, RankingList, Rating
from tests.builders import AT


@pytest.mark.django_db
@given(values=st.lists(st.integers(1498, 1502), min_size=1, max_size=12), size=st.integers(1, 5))
def test_places_on_pages_are_those_of_the_whole_list(values: list[int], size: int) -> None:
    ranking = RankingList.objects.create(system="fibs", computed_at=AT, matches=len(values))
    try:
        for number, value in enumerate(values):
            player = Player.objects.create(name=f"Player {number}", created_at=AT)
            Rating.objects.create(
                ranking_list=ranking, player=player, value=Decimal(value), experience=1, matches=1, wins=0
            )
        whole = [(line.pk, line.place) for line in ranking.lines()]
        found = []
        for start in range(0, len(values), size):
            page = ranking.some_lines(start, size)
            assert len(page) == min(size, len(values) - start)
            found += [(line.pk, line.place) for line in page]
        assert found == whole
    finally:
        Rating.objects.all().delete()
        ranking.delete()
        Player.objects.all().delete()


@pytest.mark.django_db
def test_a_page_costs_three_queries_and_reads_names_of_its_own_values_alone() -> None:
    ranking = RankingList.objects.create(system="fibs", computed_at=AT, matches=0)
    assert ranking.some_lines(0, 100) == []
    for number in range(30):
        player = Player.objects.create(name=f"Player {number}", created_at=AT)
        value = Decimal(1500 + number // 10)
        Rating.objects.create(ranking_list=ranking, player=player, value=value, experience=1, matches=1, wins=0)
    with CaptureQueriesContext(connection) as asked:
        page = ranking.some_lines(10, 5)
    assert len(asked) == 3
    assert [line.place for line in page] == [11] * 5
    assert asked[2]["sql"].count("1501") == 2
    assert "1502" not in asked[2]["sql"]
