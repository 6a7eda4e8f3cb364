"""What the desk reads of a hall besides matches and calls, kept by each process for as long as it holds.

The tables and the breaks change with the hall, the names of events with the events, the pace with their results.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from players.statements import Statement
from tournament.changes.versions import Versions, writing_depth
from tournament.hall.timing import pace_of, pauses_of
from tournament.hall.values import DeskTable
from tournament.models import Table, Tournament
from tournament.rehearsal.pace import Pace, Pause

MOST_HALLS = 20
"""How many are kept of each kind."""

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The tables of a hall in their order, without the matches called to them, its breaks and its pace."""

    tables: tuple[DeskTable, ...]
    pauses: tuple[Pause, ...]
    pace: Pace


_kept: OrderedDict[tuple[str, int], tuple[Hashable, object]] = OrderedDict()
_lock = Lock()


def surroundings_of(tournament: Tournament, versions: Versions) -> Surroundings:
    """Return the surroundings as they are now; ``versions`` have just been read, and only what has changed is read.

    Not for use in a transaction that has changed any of it.
    """
    here = versions.hall, versions.of_play
    return Surroundings(
        tables=_known("tables", tournament, here, _tables),
        pauses=_known("pauses", tournament, versions.hall, pauses_of),
        pace=_known("pace", tournament, versions.of_play, pace_of),
    )


def forget_surroundings() -> None:
    """Forget everything that is kept."""
    with _lock:
        _kept.clear()


def _known(kind: str, tournament: Tournament, state: Hashable, read: Callable[[Tournament], Kind]) -> Kind:
    """Return what was read in this state, or read it."""
    key = kind, tournament.pk
    with _lock:
        known = _kept.get(key)
    if known is not None and known[0] == state:
        return known[1]  # type: ignore[return-value]
    found = read(tournament)
    if not writing_depth():
        with _lock:
            _kept[key] = state, found
            _kept.move_to_end(key)
            while len(_kept) > 3 * MOST_HALLS:
                _kept.popitem(last=False)
    return found


def _tables(tournament: Tournament) -> tuple[DeskTable, ...]:
    return tuple(
        DeskTable(number, event_id, event or "", bool(streamed), bool(out_of_order))
        for number, event_id, event, streamed, out_of_order in _TABLES.rows(tournament.pk)
    )


_TABLES = Statement(
    lambda tournament: (
        Table.objects.filter(tournament=tournament)
        .order_by("number")
        .values_list("number", "event_id", "event__name", "streamed", "out_of_order")
    )
)
