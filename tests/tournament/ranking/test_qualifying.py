"""Lots among those who are equal at the cut."""

from collections import Counter

from tournament.formats.chance import LotChance, SeededChance
from tournament.formats.lots import SeededLots, Urn
from tournament.formats.plan import Entrant, Reason
from tournament.ranking.qualifying import qualify
from tournament.ranking.standings import StandingLine

WINS = (3, 1, 1, 1)
"""One is first, and three share the second place."""
URN = Urn("link", "value", "digest")


def through(chance, ids=(1, 2, 3, 4)):
    """The numbers of the two best of four entrants, whose ids are these."""
    entrants = {id: Entrant(id, f"P{number}", number=number) for number, id in enumerate(ids, start=1)}
    ranking = [
        StandingLine(id, *((1, 1) if wins == 3 else (2, 4)), 3, wins, 3 - wins, 9, 9, (), None, Reason("", ""))
        for id, wins in zip(ids, WINS, strict=True)
    ]
    return [entrant.number for entrant in qualify({"": ranking}, entrants, count=2, chance=chance)]


def test_the_smallest_lot_among_equals_goes_on():
    smallest = min(("2", "3", "4"), key=lambda number: URN.lot(f"{number} qualifying"))
    assert through(LotChance(URN)) == [1, int(smallest)]


def test_lots_among_equals_follow_from_numbers_and_not_from_ids():
    assert through(LotChance(URN), (71, 82, 83, 94)) == through(LotChance(URN))


def test_each_of_three_equals_goes_on_equally_often():
    seen = Counter(through(LotChance(SeededLots(f"{number}").urn("draw")))[1] for number in range(900))
    assert sum((seen[number] - 300) ** 2 / 300 for number in (2, 3, 4)) < 13.8


def test_without_lots_the_seed_decides_as_it_always_has():
    assert [through(SeededChance(f"{seed}:lots"))[1] for seed in range(8)] == [2, 4, 4, 2, 2, 3, 2, 3]
