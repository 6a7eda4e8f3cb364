"""Score sheets on a page: games with the score after each, the pips of a match in progress, a game's input fields."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.models import Match, Scoresheet, SheetState
from rules.equity import DEFAULT_TABLE, win_tenths
from rules.penalties import Penalty
from rules.score import MatchScore
from rules.sheet import GameResult
from tournament.pages.match.forms import ENDING_NAMES, GameForm, cubes_of, levels_of
from tournament.pictures.draw import CrosstableRow, address_of
from tournament.ranking.standings import shown_wins
from tournament.ranking.tiebreaks.results import halved
from tournament.snapshot import FixtureSnapshot, FixtureState, SheetSnapshot
from tournament.snapshot.states import STATE_NAMES, MatchState

register = template.Library()

MOST_PIPS = 25


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A game with the scores before and after it, or penalty points (``game`` None) with the score after them."""

    after: MatchScore
    number: int = 0
    game: GameResult | None = None
    before: MatchScore | None = None
    penalty: Penalty | None = None


@register.filter
def lines(sheet: SheetSnapshot) -> Iterator[SheetLine]:
    """Return the games of the sheet in order, with the penalty points between them."""
    given = {penalty.after: penalty for penalty in sheet.terms.penalties}
    if 0 in given:
        yield SheetLine(sheet.scores[0], penalty=given[0])
    for number, (game, (before, after)) in enumerate(zip(sheet.games, pairwise(sheet.scores), strict=True), start=1):
        played = before.after(game.winner, game.points)
        yield SheetLine(played, number, game, before)
        if number in given and not played.over:
            yield SheetLine(after, penalty=given[number])


@register.filter
def set_aside(
    past: list[tuple[Scoresheet, SheetSnapshot]], current: SheetSnapshot | None
) -> list[tuple[Scoresheet, SheetSnapshot]]:
    """Return the past sheets that were changed or withdrawn, newest first; not those that merely grew by a game."""
    kept = []
    newer = current
    for row, sheet in past:
        plain = row.state != SheetState.VOID and sheet.games and sheet.awarded_to is None
        if newer is None or not plain or sheet.games != newer.games[: len(sheet.games)]:
            kept.append((row, sheet))
        newer = sheet
    return kept


@register.simple_tag
def pips(points: int, length: int) -> SafeString:
    """Draw a side's points as filled pips, or as a bar for long matches, hidden from screen readers."""
    marks: list[tuple[float, float, str]]
    if length > MOST_PIPS:
        marks = [(0, 100, "off"), (0, round(100 * points / length), "on")]
    else:
        step = 100 / length
        gap = min(1.2, step / 5)
        marks = [(round(i * step, 2), round(step - gap, 2), "on" if i < points else "off") for i in range(length)]
    rects = format_html_join("", '<rect x="{}" y="0" width="{}" height="4" rx="1" class="{}"/>', marks)
    return format_html(
        '<svg class="pips" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">{}</svg>', rects
    )


@register.inclusion_tag("tournament/match/_win_probability.html")
def win_probability(match: Match, score: MatchScore) -> dict[str, object]:
    """Show each side's chance of winning from this score, unless it is 0-0, decided or beyond the table."""
    tenths = win_tenths(score) if score.a or score.b else None
    if tenths is None:
        return {}
    a, b = (Decimal(tenth) / 10 for tenth in tenths)
    return {"match": match, "a": a, "b": b, "bar": str(a), "table": DEFAULT_TABLE.name}


@register.inclusion_tag("tournament/match/_game_fields.html")
def game_fields(form: GameForm, match: Match, score: MatchScore) -> dict[str, object]:
    """Show the next game as large buttons; ``form`` has the choices so far, ``score`` is the score before the game."""
    chosen = {name: str(form[name].value() or "") for name in ("winner", "cube", "level", "ending")}
    return {
        "form": form,
        "score": score,
        "chosen": chosen,
        "cubes": [(str(cube), score.is_crawford and cube > 1) for cube in cubes_of(match)],
        "levels": levels_of(match),
        "endings": [
            (ending.value, name, score.is_crawford and ending == "drop") for ending, name in ENDING_NAMES.items()
        ],
        "default": {"cube": "1", "level": "1", "ending": "bearoff"},
    }


@register.inclusion_tag("tournament/match/_game_row.html")
def game_row(form: GameForm, match: Match, number: int) -> dict[str, object]:
    """Show a game of the sheet as a row of small fields."""
    form.suit(match, number)
    return {"form": form, "number": number}


@register.simple_tag(takes_context=True)
def crosstable_cell(context: Context, fixture: FixtureSnapshot, entry_id: int) -> SafeString:
    """Link to the match, showing the points of the row's player first, or the round if it has not begun."""
    first = fixture.a.entry is not None and fixture.a.entry.id == entry_id
    mine, other = (fixture.a, fixture.b) if first else (fixture.b, fixture.a)
    if fixture.status is MatchState.DISPUTED:
        text, kind = "?", "live"
    elif fixture.status is MatchState.VOID:
        text, kind = _("void"), "lost"
    elif mine.points is None and fixture.state is FixtureState.DONE:
        text, kind = _("w/o"), "won" if mine.is_winner else "lost"
    elif mine.points is None:
        text, kind = _("r%(round)s") % {"round": fixture.round}, "open"
    else:
        text = f"{mine.points}–{other.points}"
        kind = "won" if mine.is_winner else "lost" if other.is_winner else "drawn" if fixture.is_drawn else "live"
    address = address_of(context["event"], fixture)
    if not address:
        return format_html('<span class="{}">{}</span>', kind, text)
    title = f"{mine.label} – {other.label}"
    if fixture.status is MatchState.DISPUTED:
        title += f", {STATE_NAMES[MatchState.DISPUTED]}"
    return format_html('<a class="{}" href="{}" title="{}">{}</a>', kind, address, title, text)


@register.simple_tag(takes_context=True)
def rounds_cell(context: Context, cell: tuple[FixtureSnapshot, int | None], entry_id: int) -> SafeString:
    """Show a Swiss round as the row's player sees it: the opponent's number with +, = or −, or a bye; and why."""
    fixture, opponent = cell
    if opponent is None:
        return format_html('<span class="won" title="{}">{}</span>', fixture.why, _("bye"))
    mine = fixture.a if fixture.a.entry is not None and fixture.a.entry.id == entry_id else fixture.b
    kind = "open" if fixture.state is not FixtureState.DONE else "won" if mine.is_winner else "lost"
    kind = "drawn" if fixture.is_drawn else kind
    sign = {"open": "", "won": "+", "drawn": "=", "lost": "−"}[kind]
    if fixture.status is MatchState.WALKOVER:
        sign += f" {_('w/o')}"
    elif fixture.status is MatchState.VOID:
        sign = f" {_('void')}"
    elif fixture.status is MatchState.DISPUTED:
        sign = " ?"
    address = address_of(context["event"], fixture)
    title = f"{fixture.a.label} – {fixture.b.label}. {fixture.why}"
    return format_html('<a class="{}" href="{}" title="{}">{}{}</a>', kind, address, title, opponent, sign)


@register.simple_tag
def row_sums(row: CrosstableRow) -> dict[str, int | str]:
    """Return the wins, and the points for and against, in a row of the crosstable.

    A drawn match is half a win, and a lower error rate is a win where it counts.
    """
    half_wins, points_for, points_against = 0, 0, 0
    for fixture in row.cells:
        if fixture is None or fixture.state is not FixtureState.DONE:
            continue
        first = fixture.a.entry is not None and fixture.a.entry.id == row.entry.id
        mine, other = (fixture.a, fixture.b) if first else (fixture.b, fixture.a)
        half_wins += 1 if fixture.is_drawn else 2 * mine.is_winner
        half_wins += 2 * (row.entry.id in fixture.lower_rates)
        points_for += mine.points or 0
        points_against += other.points or 0
    return {"wins": shown_wins(halved(half_wins)), "points_for": points_for, "points_against": points_against}
