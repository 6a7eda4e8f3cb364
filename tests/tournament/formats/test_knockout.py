import pytest

from tournament.formats.knockout import BYE, NOBODY, Feed, FeedKind, Graph
from tournament.formats.plan import LoserOf, WinnerOf

LINES = (Feed(FeedKind.LINE, 0), Feed(FeedKind.LINE, 1))


def add(graph, key, seats, **options):
    bracket, round, number = key
    return graph.add(bracket, (round, number), seats, None, to_final=0, **options)


def test_pairing_knows_its_key_and_what_it_is_waiting_for():
    graph = Graph()
    first = add(graph, ("M", 1, 1), LINES)
    node = graph.nodes[add(graph, ("C", 2, 3), (Feed(FeedKind.WINNER, first), Feed(FeedKind.LOSER, first)))]
    assert (node.key, graph.index["C2-3"]) == ("C2-3", 1)
    assert node.waiting == (WinnerOf("M1-1"), LoserOf("M1-1"))
    assert node.feeds == ("winner:M1-1", "loser:M1-1")
    assert graph.nodes[first].feeds == ("", "")


def test_empty_seat_of_a_bye_is_the_second():
    graph = Graph()
    node = graph.nodes[add(graph, ("M", 1, 1), (LINES[0], NOBODY))]
    assert (node.is_bye, node.is_certain, node.has_winner) == (True, False, True)
    assert (node.waiting[1], node.feeds) == (BYE, ("", "bye"))


@pytest.mark.parametrize(
    ("second", "certain", "winner"),
    [(FeedKind.LOSER, True, True), (FeedKind.WINLESS_LOSER, False, True)],
)
def test_match_that_depends_on_results_is_not_certain(second, certain, winner):
    graph = Graph()
    first, other = add(graph, ("M", 1, 1), LINES), add(graph, ("M", 1, 2), LINES)
    node = graph.nodes[add(graph, ("C", 1, 1), (Feed(FeedKind.LOSER, first), Feed(second, other)))]
    assert (node.is_certain, node.has_winner) == (certain, winner)


def test_winner_of_a_match_that_may_come_to_nothing_is_not_certain():
    graph = Graph()
    first, other = add(graph, ("M", 1, 1), LINES), add(graph, ("M", 1, 2), LINES)
    may = add(graph, ("C", 1, 1), (Feed(FeedKind.WINLESS_LOSER, first), Feed(FeedKind.WINLESS_LOSER, other)))
    after = graph.nodes[add(graph, ("C", 2, 1), (Feed(FeedKind.WINNER, may), Feed(FeedKind.LOSER, first)))]
    loser = graph.nodes[add(graph, ("L", 1, 1), (Feed(FeedKind.LOSER, may), Feed(FeedKind.LOSER, may)))]
    assert (graph.nodes[may].has_winner, after.is_certain, after.has_winner) == (False, False, True)
    assert (loser.is_certain, loser.has_winner) == (False, False)


def test_repeated_final_is_not_certain():
    graph = Graph()
    first = add(graph, ("F", 1, 1), LINES)
    seats = (Feed(FeedKind.LOSER, first), Feed(FeedKind.WINNER, first))
    assert not graph.nodes[add(graph, ("F", 2, 1), seats, recharge=first)].is_certain


def test_bracket_lists_its_own_pairings():
    graph = Graph()
    for key in (("M", 1, 1), ("C", 1, 1), ("M", 1, 2)):
        add(graph, key, LINES)
    assert [(index, node.key) for index, node in graph.bracket("M")] == [(0, "M1-1"), (2, "M1-2")]
