"""The pictures of a draw: knockout brackets, the crosstables of groups, and the rounds of a Swiss."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.remembered import remembered
from tournament.formats.challenge import LADDER
from tournament.formats.plan import LoserOf, WinnerOf, parse_feed
from tournament.pictures.bracket import (
    PAGE,
    BracketLabels,
    BracketMatch,
    BracketSeat,
    Measures,
    SeatState,
    clip_name,
    draw_bracket,
    split_bracket,
)
from tournament.snapshot import EntrySnapshot, EventSnapshot, FixtureSnapshot, FixtureState, SeatSnapshot, StageSnapshot
from tournament.snapshot.rounds import ALL_MEET_ALL, ROUND_BY_ROUND, bracket_title, round_name
from tournament.snapshot.states import STATE_NAMES, MatchState

MARKED = (MatchState.WALKOVER, MatchState.FORFEIT, MatchState.VOID, MatchState.DISPUTED, MatchState.REPORTED)
"""The states named beside a match in a bracket: it was not played to its end, or its score is only claimed."""

BUSY = "busy"
"""The state of a ready match that waits for a player who is busy elsewhere."""

WAIT_CELLS = 12
"""The most of a name that stands beside a match together with a table."""

WALL_SLOTS = 16
"""The matches in one column of an A3 sheet; names are then about three millimetres high."""


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """An entry and, for each column, the match against that entry; None on the diagonal."""

    number: int
    entry: EntrySnapshot
    cells: tuple[FixtureSnapshot | None, ...]


@dataclass(frozen=True, slots=True)
class RoundsRow:
    """An entry of a Swiss and its pairing in each round; None where it had none."""

    number: int
    entry: EntrySnapshot
    cells: tuple[tuple[FixtureSnapshot, int | None] | None, ...]
    """The fixture, and the row number of the opponent; None for a bye."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One bracket of a draw, either as SVG or as the rows of a table."""

    bracket: str
    title: str
    svg: str = ""
    crosstable: tuple[CrosstableRow, ...] = ()
    columns: tuple[EntrySnapshot, ...] = ()
    """The columns of the crosstable that are shown; ``first`` is the index of the first one."""
    first: int = 0
    rounds: tuple[RoundsRow, ...] = ()
    fixtures: tuple[FixtureSnapshot, ...] = ()

    @property
    def shown(self) -> str:
        """The cells shown in each row of the crosstable, as an argument for the filter ``slice``."""
        return f"{self.first}:{self.first + len(self.columns)}"


def draw_pictures(snapshot: EventSnapshot) -> tuple[Picture, ...]:
    """Draw every bracket of the stage that is shown, the main one first; nothing for a ladder, or before the draw."""
    stage = snapshot.stage
    if stage.drawn_at is None or stage.is_ladder:
        return ()
    return tuple(_picture(snapshot, bracket) for bracket in brackets_of(stage))


def brackets_of(stage: StageSnapshot) -> tuple[str, ...]:
    """Return the brackets of the stage in reading order."""
    order = {letter: place for place, letter in enumerate("MSRGJCDLEBFPT")}
    brackets = {fixture.bracket for fixture in stage.fixtures}
    return tuple(sorted(brackets, key=lambda bracket: (order.get(bracket[0], 99), len(bracket), bracket)))


def address_of(snapshot: EventSnapshot, fixture: FixtureSnapshot) -> str:
    """Return a fixture's address: the page of its match, or for teams its place in the pairings; otherwise empty."""
    return _address(fixture, snapshot.tournament_slug, snapshot.slug, snapshot.stage.number)


def _address(fixture: FixtureSnapshot, tournament: str, event: str, stage: int) -> str:
    if fixture.match_id is not None:
        return reverse("match", args=[fixture.match_id])
    if not fixture.boards:
        return ""
    return f"{reverse('pairings', args=[tournament, event])}?stage={stage}#f-{fixture.key}"


def place_in_bracket(snapshot: EventSnapshot, fixture: FixtureSnapshot) -> str:
    """Return the address of the fixture's place in the drawing of its bracket; empty if it is in a table."""
    stage = next(stage for stage in snapshot.stages if fixture in stage.fixtures)
    if not _is_drawn(fixture.bracket, stage.fixtures):
        return ""
    address = reverse("bracket", args=[snapshot.tournament_slug, snapshot.slug])
    return f"{address}?stage={stage.number}#bracket-{fixture.bracket}-{fixture.key}"


def _is_drawn(bracket: str, fixtures: Sequence[FixtureSnapshot]) -> bool:
    """Whether the bracket is drawn with lines from match to match, rather than as a table."""
    if bracket[0] not in ALL_MEET_ALL:
        return bracket[0] not in (ROUND_BY_ROUND, LADDER)
    inside = [fixture for fixture in fixtures if fixture.bracket == bracket]
    return any(_source(seat) for fixture in inside for seat in (fixture.a, fixture.b))


def _picture(snapshot: EventSnapshot, bracket: str) -> Picture:
    fixtures = tuple(fixture for fixture in snapshot.stage.fixtures if fixture.bracket == bracket)
    title = bracket_title(bracket)
    if bracket[0] == ROUND_BY_ROUND:
        return Picture(bracket, title, rounds=_rounds_table(snapshot, fixtures))
    if not _is_drawn(bracket, fixtures):
        crosstable = _crosstable(snapshot, fixtures)
        return Picture(bracket, title, crosstable=crosstable, columns=tuple(row.entry for row in crosstable))
    return Picture(bracket, title, svg=_bracket_svg(snapshot, bracket, fixtures), fixtures=fixtures)


def part_of_bracket(
    snapshot: EventSnapshot, picture: Picture, keys: Set[str], *, part: int, title: str, measures: Measures = PAGE
) -> Picture:
    """Draw these fixtures of the bracket as a separate picture, numbered ``part`` on its page."""
    chosen = [fixture for fixture in picture.fixtures if fixture.key in keys]
    inside = tuple(sorted(chosen, key=lambda fixture: (fixture.round, fixture.number)))
    svg = _bracket_svg(snapshot, picture.bracket, inside, part, measures)
    return Picture(picture.bracket, title, svg=svg, fixtures=inside)


def _bracket_svg(
    snapshot: EventSnapshot,
    bracket: str,
    fixtures: Sequence[FixtureSnapshot],
    part: int = 0,
    measures: Measures = PAGE,
) -> str:
    columns = [list(group) for _round, group in groupby(fixtures, key=lambda fixture: fixture.round)]
    labels = BracketLabels(
        title=_("%(bracket)s of %(event)s") % {"bracket": bracket_title(bracket), "event": snapshot.name},
        description=_("%(matches)s matches in %(rounds)s rounds; lines lead from each match to the next.")
        % {"matches": sum(fixture.state is not FixtureState.BYE for fixture in fixtures), "rounds": len(columns)},
        rounds=tuple(_column_name(snapshot.stage, column[0]) for column in columns),
        lengths=tuple(_("to %(length)s") % {"length": column[0].length} for column in columns),
    )
    places = {column[0].round: place for place, column in enumerate(columns, start=1)}
    matches = [replace(match, round=places[match.round]) for match in bracket_matches(snapshot, fixtures)]
    dom_id = f"bracket-{bracket}" + (f"-{part}" if part else "")
    return draw_bracket(matches, labels, dom_id=dom_id, measures=measures)


def bracket_matches(snapshot: EventSnapshot, fixtures: Sequence[FixtureSnapshot]) -> list[BracketMatch]:
    """Return the fixtures as matches of a drawing; sources outside the drawing are named in words."""
    keys = frozenset(fixture.key for fixture in fixtures)
    place = snapshot.tournament_slug, snapshot.slug, snapshot.stage.number, get_language()
    return [_bracket_match(fixture, keys, *place) for fixture in fixtures]


def split_for_the_wall(snapshot: EventSnapshot, picture: Picture, slots: int = WALL_SLOTS) -> tuple[Picture, ...]:
    """Split the picture over enough sheets to be legible from a step away: a bracket into subtrees and final rounds."""
    parts = split_bracket(bracket_matches(snapshot, picture.fixtures), slots)
    if len(parts) == 1:
        return (picture,)
    sheets = []
    for number, part in enumerate(parts, start=1):
        title = _("%(bracket)s, sheet %(number)s of %(count)s") % {
            "bracket": picture.title,
            "number": number,
            "count": len(parts),
        }
        keys = {match.key for match in part}
        sheets.append(part_of_bracket(snapshot, picture, keys, part=number, title=title))
    return tuple(sheets)


def _column_name(stage: StageSnapshot, fixture: FixtureSnapshot) -> str:
    name = round_name(stage, fixture)
    title = bracket_title(fixture.bracket)
    return name.removeprefix(f"{title}: ").removeprefix(f"{title}, ")


@remembered(1500)
def _bracket_match(
    fixture: FixtureSnapshot, keys: frozenset[str], tournament: str, event: str, stage: int, language: str
) -> BracketMatch:
    """Return the fixture of that stage as a match of a drawing with these ``keys``, in the current ``language``."""
    return BracketMatch(
        key=fixture.key,
        round=fixture.round,
        number=fixture.number,
        length=fixture.length,
        a=_bracket_seat(fixture, fixture.a),
        b=_bracket_seat(fixture, fixture.b),
        url=_address(fixture, tournament, event, stage),
        state=fixture.state.value if fixture.waits_for is None else BUSY,
        sources=(_inside(fixture.a, keys), _inside(fixture.b, keys)),
        origins=(_origin(fixture.a, keys), _origin(fixture.b, keys)),
        mark=_mark(fixture),
        explained=" ".join(wait.sentence for wait in fixture.waits) if fixture.waits_for is not None else "",
    )


def _mark(fixture: FixtureSnapshot) -> str:
    """Say how the match was decided, or for whom it waits and at which table they sit, as briefly as there is room."""
    if fixture.waits_for is None:
        return str(STATE_NAMES[fixture.status]) if fixture.status in MARKED else ""
    name, table = fixture.waits_for.name, fixture.waits_for.table
    if table is None:
        return _("waits for %(name)s") % {"name": clip_name(name)}
    return _("waits for %(name)s (table %(table)s)") % {"name": clip_name(name, WAIT_CELLS), "table": table}


def _source(seat: SeatSnapshot) -> str:
    match parse_feed(seat.feed):
        case WinnerOf(key) | LoserOf(key):
            return key
    return ""


def _inside(seat: SeatSnapshot, keys: Set[str]) -> str:
    source = _source(seat)
    return source if source in keys else ""


def _origin(seat: SeatSnapshot, keys: Set[str]) -> str:
    """Say where the side comes from, if it comes from another bracket and its seat is already filled."""
    if seat.entry is None or _source(seat) in keys:
        return ""
    return seat.feed_in_words


def _bracket_seat(fixture: FixtureSnapshot, seat: SeatSnapshot) -> BracketSeat:
    if seat.is_bye:
        state = SeatState.BYE
    elif fixture.state is FixtureState.DONE:
        state = SeatState.WINNER if seat.is_winner else SeatState.LOSER
    else:
        state = SeatState.LIVE if fixture.state is FixtureState.LIVE else SeatState.PENDING
    score = "" if seat.points is None else str(seat.points)
    if fixture.status is MatchState.WALKOVER and seat.is_winner and not score:
        score = _("w/o")
    return BracketSeat(name=seat.label, score=score, state=state, is_known=seat.entry is not None)


def _crosstable(snapshot: EventSnapshot, fixtures: Sequence[FixtureSnapshot]) -> tuple[CrosstableRow, ...]:
    """Make a row and a column for each entry in the group; of two meetings, the later one goes below the diagonal."""
    inside = {entry for fixture in fixtures for entry in fixture.entry_ids}
    entries = [entry for entry in snapshot.entries if entry.id in inside]
    meetings: dict[frozenset[int], list[FixtureSnapshot]] = {}
    for fixture in fixtures:
        meetings.setdefault(fixture.entry_ids, []).append(fixture)

    def cell(row: EntrySnapshot, column: EntrySnapshot) -> FixtureSnapshot | None:
        found = meetings.get(frozenset((row.id, column.id)), [])
        if row.id == column.id or not found:
            return None
        return found[-1] if len(found) > 1 and entries.index(row) > entries.index(column) else found[0]

    return tuple(
        CrosstableRow(number, entry, tuple(cell(entry, other) for other in entries))
        for number, entry in enumerate(entries, start=1)
    )


def _rounds_table(snapshot: EventSnapshot, fixtures: Sequence[FixtureSnapshot]) -> tuple[RoundsRow, ...]:
    """Make a row for each entry, ordered by the standings if there are any, with a cell for each round."""
    places = {line.entry.id: place for place, line in enumerate(snapshot.stage.standings)}
    inside = {entry for fixture in fixtures for entry in fixture.entry_ids}
    entries = sorted(
        (entry for entry in snapshot.entries if entry.id in inside),
        key=lambda entry: (places.get(entry.id, len(places)), entry.number),
    )
    numbers = {entry.id: number for number, entry in enumerate(entries, start=1)}
    rounds = max((fixture.round for fixture in fixtures), default=0)
    met = {(entry, fixture.round): fixture for fixture in fixtures for entry in fixture.entry_ids}

    def cell(entry: EntrySnapshot, round: int) -> tuple[FixtureSnapshot, int | None] | None:
        fixture = met.get((entry.id, round))
        if fixture is None:
            return None
        opponent = next(iter(fixture.entry_ids - {entry.id}), None)
        return fixture, None if opponent is None else numbers[opponent]

    return tuple(
        RoundsRow(numbers[entry.id], entry, tuple(cell(entry, round) for round in range(1, rounds + 1)))
        for entry in entries
    )
