"""The board of the match record that was imported last, for the home page."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language

from matches.models import Record, Verdict
from rules.records.formats import loads
from rules.records.playback import play_through
from rules.records.record import RecordError
from tournament.models.team import present_matches
from tournament.referee.playback import BoardShown, query_of, show_place


@dataclass(frozen=True, slots=True)
class LastRecord:
    """A record at the last move of its last game."""

    names: tuple[str, str]
    board: BoardShown
    sentence: str
    score: tuple[int, int]
    length: int
    address: str


def newest_record() -> int | None:
    """Return the id of the record that was imported last, of those that everybody may see."""
    shown = Record.objects.filter(verdict__in=[Verdict.PROVED, Verdict.INCOMPLETE], match__in=present_matches())
    return shown.order_by("-pk").values_list("pk", flat=True).first()


def last_record(pk: int) -> LastRecord | None:
    """Return the record as the home page shows it; None if it has no game, or is gone."""
    return _shown(pk, get_language())


@lru_cache(maxsize=16)
def _shown(pk: int, _language: str) -> LastRecord | None:
    record = Record.objects.filter(pk=pk).first()
    if record is None:
        return None
    try:
        loaded = loads(bytes(record.data))
    except RecordError:
        return None
    games = play_through(loaded).games
    moves = [len(game.moments) for game in games]
    if not any(moves):
        return None
    last = max(index for index, count in enumerate(moves) if count)
    game = games[last]
    place = show_place(play_through(loaded), loaded.names, game.number, moves[last])
    if place is None:
        return None
    score = game.begun.score
    address = f"{record.get_absolute_url()}?{query_of(game.number, moves[last])}"
    return LastRecord(loaded.names, place.board, place.sentence, (score.a, score.b), loaded.length, address)


def forget_records() -> None:
    """Throw away what is kept."""
    _shown.cache_clear()
