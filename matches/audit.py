"""An audit of matches, records and ranking lists against their score sheets; it changes nothing."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from heapq import merge
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Prefetch

from matches.accept_records import judge_told
from matches.acceptance import Acceptance
from matches.claims import check_claim, claim_of, is_decided
from matches.counted import CountedMatch
from matches.counting import counted_matches, waiting_matches
from matches.history import History
from matches.import_records import HOLDS
from matches.models import SIDES, Match, Record, Scoresheet, SheetState, Verdict
from matches.ratings import in_order, rateable_by, rated_matches, replay_ratings
from matches.services import current_sheet
from players.errors import Refusal
from players.models import RankingList
from rules.records.replay import verify
from rules.rulings import PRINCIPLES
from rules.score import MatchScore
from rules.sheet import Terms

CHUNK = 500
RECORDS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """A single discrepancy: what is ``stored``, and what was ``computed`` from the score sheets."""

    check: str
    place: str
    what: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}: stored {self.stored}, computed {self.computed}"

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def audit_sheets(history: History, place: str) -> Iterator[Difference]:
    """Recheck every sheet of the match against the rules, under the terms under which it was claimed.

    At most one may be current, and confirmed only if it ends the match.
    """
    sheets = history.sheets
    numbers = [sheet.number for sheet in sheets]
    if numbers != list(range(1, len(sheets) + 1)):
        counted = f"1 to {len(sheets)}" if sheets else "none"
        yield Difference("sheets", place, "numbers of the sheets", ", ".join(map(str, numbers)), counted)
    current = [sheet.number for sheet in sheets if sheet.state in Scoresheet.CURRENT]
    if len(current) > 1:
        yield Difference("sheets", place, "current sheets", ", ".join(map(str, current)), "at most one")
    for number, ruling in enumerate(history.rulings, start=1):
        if ruling.kind not in PRINCIPLES:
            yield Difference(
                "sheets", f"{place} ruling {number}", "kind", ruling.kind, f"one of {len(PRINCIPLES)} kinds"
            )
    for sheet in sheets:
        states = [change.state for change in sheet.changes.all()]
        if states[-1:] != [sheet.state]:
            yield Difference("sheets", f"{place} sheet {sheet.number}", "state", sheet.state, "".join(states[-1:]))
        yield from _audit_sheet(history.terms_of(sheet), sheet, f"{place} sheet {sheet.number}")


def _audit_sheet(terms: Terms, sheet: Scoresheet, place: str) -> Iterator[Difference]:
    games = [line.number for line in sheet.lines.all()]
    if games != list(range(1, len(games) + 1)):
        counted = f"1 to {len(games)}"
        yield Difference("sheets", place, "numbers of the games", ", ".join(map(str, games)), counted)
    try:
        score = sheet_score(terms, sheet)
    except (Refusal, ValueError) as error:
        yield Difference("sheets", place, "the rules", sheet.state, f"refused: {error}")
        return
    expected = SheetState.CONFIRMED if is_decided(claim_of(sheet), score) else SheetState.LIVE
    if sheet.state in Scoresheet.CURRENT and sheet.state != expected:
        yield Difference("sheets", place, "state", sheet.state, f"{expected.value} at {score.a}-{score.b}")


def sheet_score(terms: Terms, sheet: Scoresheet) -> MatchScore:
    """Return the score that the sheet reaches. Raises Refusal or ValueError if the rules do not allow it."""
    return check_claim(terms, claim_of(sheet))[0]


def audit_free_matches() -> Iterator[Difference]:
    """Check matches outside any draw, which came from a record or whose players left before the matches were decided.

    A match that was called to a table is kept for its calls, and the board of two teams for the other boards, whether
    or not anything was entered for it. One that was accepted with its record is void once that is taken back.
    """
    sheets = Prefetch("sheets", queryset=Scoresheet.objects.prefetch_related("lines", "changes"))
    free = Match.objects.filter(fixture__isnull=True, board__isnull=True)
    free = (
        free.select_related("record", "acceptance", "former", *SIDES)
        .defer("record__data")
        .annotate(call_count=Count("calls"))
    )
    for match in free.prefetch_related(sheets, "rulings").order_by("pk").iterator(chunk_size=CHUNK):
        place = f"match {match.pk} ({match})"
        history = History(match, tuple(match.sheets.all()), tuple(match.rulings.all()))
        yield from audit_sheets(history, place)
        states = [sheet.state for sheet in history.sheets]
        is_former_board = hasattr(match, "former") and match.former.board > 0
        is_unused = not (states or history.rulings or match.call_count or is_former_board)
        is_alive = is_unused or any(state in Scoresheet.CURRENT for state in states)
        if is_alive and not (hasattr(match, "record") or hasattr(match, "acceptance")):
            held = ", ".join(states) or "no sheet"
            yield Difference("matches", place, "a match of no draw and no record", held, "no such match")


def audit_rankings() -> Iterator[Difference]:
    """Check that the counted matches are those of the sheets, and each ranking list what the results give.

    These are the results that existed when it was computed, each read from its sheet and rated again.
    """
    yield from _audit_counted()
    for ranking_list in RankingList.objects.order_by("system"):
        place = f"ranking list {ranking_list.system}"
        try:
            lines, matches = replay_ratings(ranking_list.system, rateable_by(ranking_list.computed_at))
        except Refusal as refusal:
            yield Difference("rankings", place, "rating system", ranking_list.system, str(refusal))
            continue
        if matches != ranking_list.matches:
            yield Difference("rankings", place, "matches rated", str(ranking_list.matches), str(matches))
            continue
        fields = ("value", "experience", "matches", "wins")
        stored = {row["player_id"]: row for row in ranking_list.ratings.values("player_id", *fields)}
        computed = {line.player_id: {name: getattr(line, name) for name in fields} for line in lines}
        for player_id in sorted(stored.keys() | computed.keys()):
            values = [
                ", ".join(f"{name} {row[name]}" for name in fields) if row else "nothing"
                for row in (stored.get(player_id), computed.get(player_id))
            ]
            if values[0] != values[1]:
                yield Difference("rankings", f"{place} player {player_id}", "rating", *values)


def _audit_counted() -> Iterator[Difference]:
    waiting = waiting_matches()
    if waiting is None:
        return
    stored = ((in_order(match), 0, match) for match in counted_matches(CountedMatch.objects.all()))
    computed = ((in_order(match), 1, match) for match in rated_matches())
    for (at, match), found in groupby(merge(stored, computed), key=itemgetter(0)):
        sides = {side: rated.result for _place, side, rated in found}
        if sides.get(0) != sides.get(1) and match not in waiting:
            values = [str(sides.get(side, "nothing")) for side in (0, 1)]
            yield Difference("rankings", f"counted match {match} of {at.isoformat()}", "result", *values)


def audit_records() -> Iterator[Difference]:
    """Check that each record has the bytes imported, the verdict of a new replay, and a sheet with its games."""
    sheets = Prefetch("match__sheets", queryset=Scoresheet.objects.prefetch_related("lines"))
    accepted = Prefetch("acceptances", Acceptance.objects.filter(taken_back_at__isnull=True).select_related("match"))
    records = Record.objects.select_related("match").prefetch_related(sheets, accepted).order_by("pk")
    for record in records.iterator(chunk_size=RECORDS_AT_ONCE):
        place = f"record {record.pk} ({record.name})"
        yield from _audit_record(record, place)
        for acceptance in record.acceptances.all():
            yield from _audit_acceptance(acceptance, bytes(record.data), place)


def _audit_acceptance(acceptance: Acceptance, data: bytes, place: str) -> Iterator[Difference]:
    """Check that an accepted match has the terms and the games of its record, told as its officer told it."""
    match = acceptance.match
    try:
        told = judge_told(data, acceptance.known)
    except Refusal as refusal:
        yield Difference("records", place, "accepted record", f"match {match.pk}", str(refusal))
        return
    stored = (match.length, match.crawford, match.start_a, match.start_b)
    computed = (told.judged.length, told.judged.crawford, told.start.a, told.start.b)
    if stored != computed:
        yield Difference("records", place, "terms of the accepted match", str(stored), str(computed))
    sheet = current_sheet(match)
    claim = claim_of(sheet) if sheet is not None else None
    if claim is not None and claim.final is not None and not told.allows(claim.final):
        end, proved = claim.final, told.judged.score
        yield Difference(
            "records", place, "final score of the accepted match", str(end), f"{proved.a}-{proved.b} so far"
        )
    if claim is None or (claim.final is None and claim.games != told.judged.games):
        held = str(len(claim.games)) if claim else "none"
        yield Difference("records", place, "games of the accepted match", held, str(len(told.judged.games)))


def _audit_record(record: Record, place: str) -> Iterator[Difference]:
    data = bytes(record.data)
    digest = sha256(data).hexdigest()
    if digest != record.sha256:
        yield Difference("records", place, "SHA-256", record.sha256, digest)
        return
    replay = verify(data)
    holds = replay.verdict.value in HOLDS
    # A record that holds is quarantined if its players could not be identified when it was imported.
    if record.verdict != replay.verdict.value and not (holds and record.verdict == Verdict.QUARANTINED):
        yield Difference("records", place, "verdict", record.verdict, replay.verdict.value)
        return
    if not holds:
        found = replay.finding.as_dict() if replay.finding else {}
        codes = [f"{finding.get('code')} in game {finding.get('game')}" for finding in (record.finding or {}, found)]
        if codes[0] != codes[1]:
            yield Difference("records", place, "finding", *codes)
    match = record.match
    if match is None:
        return
    terms = [(match.length, match.crawford), (replay.length, replay.crawford)]
    if terms[0] != terms[1]:
        yield Difference("records", place, "length and Crawford rule", *map(str, terms))
    current = [sheet for sheet in match.sheets.all() if sheet.state in Scoresheet.CURRENT]
    games = [claim_of(sheet).games for sheet in current] or [()]
    if games != [replay.games]:
        counted = " and ".join(str(len(held)) for held in games)
        yield Difference("records", place, "games of the current sheet", counted, f"{len(replay.games)}, as replayed")
