"""The emblem of an event or a tournament: six points with checkers, drawn from its address, the same for ever."""

from __future__ import annotations

from hashlib import sha256

from django.utils.safestring import SafeString, mark_safe

GROUNDS = ("#12574a", "#7a3a1e", "#24405f", "#4b3b63", "#3f4f1c", "#5b2437")
POINTS = (("#f3e9d6", "#e0a274"), ("#e8dfc9", "#8fbfae"), ("#f3e9d6", "#d9b45b"), ("#efe3cd", "#c98f7a"))
CHECKERS = (("#fffdf6", "#23282a"), ("#1d2420", "#cfc6b2"))
SIZE, WIDTH, BASE, RADIUS = 48, 6, 42, 2.9
TALLEST = 4


def draw_emblem(tournament: str, event: str = "") -> SafeString:
    """Draw the emblem of the event with this address in the tournament with that one, or of the tournament alone.

    It is hidden from screen readers. SHA-256 of the addresses chooses the colours, the heights of the points
    and the checkers.
    """
    bits = sha256(f"{tournament}/{event}".encode()).digest()
    ground = GROUNDS[bits[0] % len(GROUNDS)]
    points = POINTS[bits[1] % len(POINTS)]
    parts = [f'<rect width="{SIZE}" height="{SIZE}" rx="11" fill="{ground}"/>']
    for number in range(6):
        left, tip = 6 + WIDTH * number, 12 + bits[2 + number] % 9
        fill = points[number % 2]
        parts.append(f'<path d="M{left} {BASE}l{WIDTH // 2}-{BASE - tip} {WIDTH // 2} {BASE - tip}z" fill="{fill}"/>')
    for number in {bits[8] % 6, bits[9] % 6, bits[10] % 6}:
        fill, line = CHECKERS[bits[11 + number] % 2]
        for place in range(1 + bits[17 + number] % TALLEST):
            x, y = 6 + WIDTH * number + WIDTH / 2, BASE - RADIUS - place * 2 * RADIUS
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="{fill}" stroke="{line}" stroke-width=".7"/>'
            )
    svg = "".join(parts)
    return mark_safe(  # noqa: S308 - of numbers and the tables above
        f'<svg class="emblem" viewBox="0 0 {SIZE} {SIZE}" aria-hidden="true">{svg}</svg>'
    )
