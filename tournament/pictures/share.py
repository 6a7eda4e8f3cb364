"""The picture that stands for a page where its address is shared: Open Graph, 1200 x 630, drawn as PNG."""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from threading import Lock

import fontpkg
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
MARGIN = 72
PAPER, INK, MUTED, GREEN, CREAM, CLAY = "#f5f3ee", "#1d2420", "#5b635e", "#12574a", "#f3e9d6", "#e0a274"
REGULAR, BOLD = 400, 750
NO_CHARACTER = "\U0010ffff"
FEWEST = 8
"""A line that does not fit is set smaller, and shortened once it is at this part of its size in tenths."""

_drawing = Lock()
"""A font holds the state of what it sets, so pictures are drawn one after the other."""


@dataclass(frozen=True, slots=True)
class ShareSide:
    """A name in large letters, with the points if there are any."""

    name: str
    points: str = ""
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class SharePicture:
    """What the picture says: where (``eyebrow``), what (``title``), at most two names, and a line below them."""

    eyebrow: str
    title: str
    sides: tuple[ShareSide, ...] = ()
    note: str = ""


def draw_share(picture: SharePicture) -> bytes:
    """Draw the picture as PNG; texts that are too long are set smaller, then shortened."""
    with _drawing:
        image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        draw = ImageDraw.Draw(image)
        _frieze(draw)
        _mark(draw, WIDTH - MARGIN - 96, MARGIN)
        room = WIDTH - 2 * MARGIN - 130
        _line(draw, picture.eyebrow, (MARGIN, MARGIN), 36, REGULAR, MUTED, room)
        _line(draw, picture.title, (MARGIN, MARGIN + 48), 68 if picture.sides else 92, BOLD, INK, room)
        for number, side in enumerate(picture.sides[:2]):
            _side(draw, side, 258 + number * 108, is_faded=any(one.is_winner for one in picture.sides))
        _line(draw, picture.note, (MARGIN, HEIGHT - 148), 36, REGULAR, MUTED, WIDTH - 2 * MARGIN)
        file = BytesIO()
        image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _side(draw: ImageDraw.ImageDraw, side: ShareSide, top: int, *, is_faded: bool) -> None:
    strong = side.is_winner or not is_faded
    if strong:
        draw.rounded_rectangle((MARGIN - 24, top + 6, MARGIN - 12, top + 90), 6, fill=GREEN)
    colour, weight = (INK if strong else MUTED), (BOLD if strong else REGULAR)
    _line(draw, side.name, (MARGIN, top), 72, weight, colour, WIDTH - 2 * MARGIN - 150)
    if side.points:
        font = _font(84, weight)
        draw.text((WIDTH - MARGIN, top - 8), side.points, font=font, fill=GREEN if strong else MUTED, anchor="ra")


def _line(
    draw: ImageDraw.ImageDraw, text: str, place: tuple[int, int], size: int, weight: int, colour: str, room: int
) -> None:
    text = " ".join("".join(filter(_has_glyph, text[:400])).split())[:200] or ("…" if text.strip() else "")
    for tenths in range(10, FEWEST - 3, -1):
        font = _font(size * tenths // 10, weight)
        if draw.textlength(text, font=font) <= room:
            break
    while text and draw.textlength(text, font=font) > room:
        text = text.removesuffix("…")[:-1].rstrip() + "…" if len(text) > 2 else ""
    draw.text(place, text, font=font, fill=colour)


def _frieze(draw: ImageDraw.ImageDraw) -> None:
    """Draw the points of a board along the lower edge."""
    draw.rectangle((0, HEIGHT - 78, WIDTH, HEIGHT), fill=GREEN)
    step = WIDTH // 24
    for number in range(24):
        left = number * step
        points = ((left + 4, HEIGHT), (left + step - 4, HEIGHT), (left + step // 2, HEIGHT - 66))
        draw.polygon(points, fill=CREAM if number % 2 else CLAY)


def _mark(draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
    """Draw the mark, as in static/img/mark.svg."""
    draw.rounded_rectangle((left, top, left + 96, top + 96), 22, fill=GREEN)
    for number in range(6):
        start = left + 12 + number * 12
        points = ((start, top + 80), (start + 12, top + 80), (start + 6, top + 26))
        draw.polygon(points, fill=CLAY if number % 2 else CREAM)


@lru_cache(maxsize=4096)
def _has_glyph(character: str) -> bool:
    """Whether the font has the character: what it has not would be drawn as a box."""
    if character.isspace():
        return True
    font = _font(36, REGULAR)
    return bytes(font.getmask(character)) != bytes(font.getmask(NO_CHARACTER))


@lru_cache(maxsize=32)
def _font(size: int, weight: int) -> ImageFont.FreeTypeFont:
    """Return Noto Sans in this size and weight."""
    font = ImageFont.truetype(str(fontpkg.path("Noto Sans")), size)
    font.set_variation_by_axes([weight, 100])  # its axes are weight and width
    return font
