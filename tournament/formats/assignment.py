"""The cheapest assignment of people to places, where each pair has a cost of its own."""

from __future__ import annotations

from collections.abc import Sequence


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row the column that it takes, each column once, so that the costs add up to the least.

    ``costs`` is square and in whole numbers. Of several cheapest assignments the order of the rows decides. Exact, by
    shortest augmenting paths. Source: R. Jonker, A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense and
    Sparse Linear Assignment Problems" (1987).
    """
    size = len(costs)
    columns = range(size)
    price = [min(column) for column in zip(*costs, strict=True)]
    holder = [-1] * size
    waiting = []
    for row, line in enumerate(costs):
        reduced = [cost - paid for cost, paid in zip(line, price, strict=True)]
        least = min(reduced)
        column = next((column for column in columns if reduced[column] == least and holder[column] < 0), -1)
        if column < 0:
            waiting.append(row)
        else:
            holder[column] = row
    for row in waiting:
        _make_room(costs, price, holder, row)
    taken = [0] * size
    for column, row in enumerate(holder):
        taken[row] = column
    return taken


def _make_room(costs: Sequence[Sequence[int]], price: list[int], holder: list[int], newcomer: int) -> None:
    """Give ``newcomer`` a column, moving others along the path that costs least, and adjust the prices."""
    line = costs[newcomer]
    distance = [cost - paid for cost, paid in zip(line, price, strict=True)]
    came_from = [newcomer] * len(price)
    open_columns = list(range(len(price)))
    reached: list[int] = []
    while True:
        column = min(open_columns, key=distance.__getitem__)
        so_far = distance[column]
        open_columns.remove(column)
        row = holder[column]
        if row < 0:
            break
        reached.append(column)
        line = costs[row]
        base = so_far - line[column] + price[column]
        for other in open_columns:
            through = base + line[other] - price[other]
            if through < distance[other]:
                distance[other] = through
                came_from[other] = row
    for other in reached:
        price[other] += distance[other] - so_far
    column_of = {row: column for column, row in enumerate(holder) if row >= 0}
    while True:
        row = came_from[column]
        holder[column] = row
        if row == newcomer:
            return
        column = column_of[row]
