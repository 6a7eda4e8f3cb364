"""A player's rating as a line, drawn on the server: readable without a script, and told in words beside it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 220, 48, 64, 12, 28
MOST_POINTS = 240
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500)


def draw_rating_line(values: Sequence[float], *, first: str, last: str, title: str) -> SafeString:
    """Draw the ratings in their order, and describe them; ``first`` and ``last`` name the days at the ends of the line,
    one day only once. Nothing is drawn of fewer than two.
    """
    if len(values) < 2:
        return SafeString("")
    shown = _thinned(values)
    grid = _grid(min(shown), max(shown))
    low, high = min(grid[0], min(shown)), max(grid[-1], max(shown))

    def x(position: int) -> float:
        return round(LEFT + position * (WIDTH - LEFT - RIGHT) / (len(shown) - 1), 1)

    def y(value: float) -> float:
        return round(TOP + (high - value) * (HEIGHT - TOP - BOTTOM) / ((high - low) or 1), 1)

    points = " ".join(f"{x(position)},{y(value)}" for position, value in enumerate(shown))
    floor = HEIGHT - BOTTOM
    lines = "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(mark)}" y2="{y(mark)}"/>'
        f'<text x="{LEFT - 8}" y="{y(mark) + 4}" text-anchor="end">{mark:g}</text>'
        for mark in grid
    )
    return format_html(
        '<svg class="rating-line" viewBox="0 0 {} {}" role="img" aria-labelledby="rating-title rating-words">'
        '<title id="rating-title">{}</title><desc id="rating-words">{}</desc>{}'
        '<polygon class="area" points="{},{} {} {},{}"/><polyline class="line" points="{}"/>'
        '<circle class="now" cx="{}" cy="{}" r="5"/><text class="value" x="{}" y="{}">{}</text>'
        '<text x="{}" y="{}">{}</text><text x="{}" y="{}" text-anchor="end">{}</text></svg>',
        WIDTH,
        HEIGHT,
        title,
        _in_words(values, first, last),
        mark_safe(lines),  # noqa: S308 - of numbers
        *(LEFT, floor, points, x(len(shown) - 1), floor, points),
        *(x(len(shown) - 1), y(shown[-1]), x(len(shown) - 1) + 10, y(shown[-1]) + 5, f"{shown[-1]:.0f}"),
        *(LEFT, HEIGHT - 8, first if first != last else "", WIDTH - RIGHT, HEIGHT - 8, last),
    )


def _in_words(values: Sequence[float], first: str, last: str) -> str:
    return _("From %(first)s on %(day)s to %(last)s on %(end)s; highest %(high)s, lowest %(low)s.") % {
        "first": round(values[0]),
        "day": first,
        "last": round(values[-1]),
        "end": last,
        "high": round(max(values)),
        "low": round(min(values)),
    }


def _thinned(values: Sequence[float]) -> list[float]:
    """Return at most :data:`MOST_POINTS` of the values, evenly spread, the first and the last among them."""
    if len(values) <= MOST_POINTS:
        return list(values)
    step = (len(values) - 1) / (MOST_POINTS - 1)
    return [values[round(number * step)] for number in range(MOST_POINTS)]


def _grid(low: float, high: float) -> list[int]:
    """Return two to five round numbers from just below ``low`` to just above ``high``."""
    step = next((step for step in STEPS if (high - low) / step <= 3), STEPS[-1])
    first = int(low // step) * step
    last = -int(-high // step) * step
    return list(range(first, max(last, first + step) + 1, step))
