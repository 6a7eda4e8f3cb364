"""Everything stored of an event, computed again from its entries, its seed and its score sheets, and held against it.

An audit changes nothing. A difference is a bug, a hand in the database, or standings that are still being computed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

from matches.audit import (
    Difference,
    audit_free_matches,
    audit_rankings,
    audit_records,
    audit_sheets,
    sheet_score,
)
from matches.history import History
from matches.models import Conclusion, Match, Ruling, Scoresheet, SheetSource, SheetState
from matches.services import prefetched_sheet
from players.errors import Refusal
from rules.profiles import PROFILES
from rules.sheet import Terms
from tournament.calls import persons_of
from tournament.chain import Chain, load_chain
from tournament.formats import FORMATS
from tournament.formats.plan import Pairing, seated
from tournament.ledger_audit import audit_money
from tournament.models import Call, Entry, Event, Fixture, LogEntry, Stage
from tournament.models.team import matches_in
from tournament.outcomes import match_has_begun, results_of
from tournament.services.change import lock_event
from tournament.services.standings import standing_rows

RESULT_VERBS = (
    *("enter_result", "correct_result", "void_result", "ruling", "end_advance"),
    *("report_result", "confirm_result", "dispute_result"),
)
PLAY_OFF_VERBS = ("enter_play_off", "void_play_off")
STANDING_FIELDS = (
    *("place", "place_to", "played", "wins", "losses", "points_for", "points_against", "tiebreaks", "decided_by"),
    *("note", "why"),
)


@dataclass(frozen=True, slots=True)
class Audited:
    """A stage as it is stored, with the histories of its matches by match id."""

    chain: Chain
    stage: Stage
    histories: dict[int, History]

    @property
    def event(self) -> Event:
        return self.chain.event

    @property
    def fixtures(self) -> Sequence[Fixture]:
        return self.chain.fixtures[self.stage.pk]

    @property
    def place(self) -> str:
        slug = f"{self.event.tournament.slug}/{self.event.slug}"
        return slug if len(self.chain.stages) == 1 else f"{slug} stage {self.stage.number}"

    def place_of(self, fixture: Fixture, board: int) -> str:
        """The place of a fixture's match; ``board`` is 0 where it is the only one."""
        return f"{self.place} {fixture.key}" + (f" board {board}" if board else "")

    def pairings(self) -> dict[str, Pairing]:
        """The pairings that ought to exist, by key: none while the stage waits for the one before it."""
        if self.stage.drawn_at is None or self.chain.waits(self.stage):
            return {}
        return {pairing.key: pairing for pairing in self.chain.at(self.stage).plan.pairings}

    def name(self, entry_id: int | None) -> str:
        """The entry as a reader knows it."""
        entry = self.chain.entries.get(entry_id or 0)
        return entry.name if entry else "nobody"


def check_entries(audited: Audited) -> Iterator[Difference]:
    """A team has a name, a member for every board, and nobody who is in another team; players and pairs have none."""
    if audited.stage.number > 1:
        return
    boards, team_of = audited.event.boards, dict[int, str]()
    for entry in audited.chain.entries.values():
        place = f"{audited.place} entry {entry}"
        members = [member.board for member in entry.members.all()]
        if not audited.event.has_teams:
            if entry.team or members:
                yield Difference("entries", place, "team", entry.team or f"{len(members)} members", "none")
            continue
        if not entry.team:
            yield Difference("entries", place, "team", "no name", "one")
            continue
        if members != list(range(2, max(boards, len(members) + 1) + 1)):
            given = ", ".join(map(str, (1, *members)))
            yield Difference("entries", place, "boards", given, f"1 to {boards} and on, each once")
        for person in entry.people:
            if team_of.setdefault(person.pk, entry.team) != entry.team:
                yield Difference("entries", place, f"team of {person}", entry.team, f"{team_of[person.pk]} alone")


def check_sheets(audited: Audited) -> Iterator[Difference]:
    """Every score sheet passes the rules again, and its state fits its score."""
    for fixture in audited.fixtures:
        for number, match in fixture.matches.items():
            yield from audit_sheets(audited.histories[match.pk], audited.place_of(fixture, number))


def check_log(audited: Audited) -> Iterator[Difference]:
    """Every score sheet stands at the score that was logged when it was entered."""
    logged: dict[tuple[int | str, int, int], list[int]] = {}
    for detail in (
        LogEntry.objects.filter(event=audited.event, verb__in=RESULT_VERBS)
        .order_by("id")
        .values_list("detail", flat=True)
    ):
        place = detail.get("match") or f"{detail.get('stage', 1)} {detail['fixture']}"
        logged[place, detail.get("board", 0), detail["sheet"]] = detail["score"]
    for fixture in audited.fixtures:
        for number, match in fixture.matches.items():
            history = audited.histories[match.pk]
            for sheet in history.sheets:
                place = f"{audited.place_of(fixture, number)} sheet {sheet.number}"
                # A log of before named no match.
                known = logged.get((f"{audited.stage.number} {fixture.key}", number, sheet.number))
                score = logged.get((match.pk, number, sheet.number), known)
                if score is None:
                    yield Difference("log", place, "score", "no log row", "one for every sheet")
                    continue
                try:
                    computed = sheet_score(history.terms_of(sheet), sheet)
                except (Refusal, ValueError):
                    continue  # check_sheets names it
                if score != [computed.a, computed.b]:
                    yield Difference("log", place, "score", "-".join(map(str, score)), f"{computed.a}-{computed.b}")


def check_play_offs(audited: Audited) -> Iterator[Difference]:
    """Every play-off is as it was logged when it was entered, and none that was logged is missing."""
    logged: dict[frozenset[int], int] = {}
    rows = LogEntry.objects.filter(event=audited.event, verb__in=PLAY_OFF_VERBS, detail__stage=audited.stage.number)
    drawn = audited.stage.drawn_at
    for verb, detail in rows.filter(at__gte=drawn).order_by("id").values_list("verb", "detail") if drawn else ():
        logged.pop(frozenset(detail["entries"]), None)
        if verb == "enter_play_off":
            logged[frozenset(detail["entries"])] = detail["entries"][0]
    stored = {frozenset((row.winner_id, row.loser_id)): row.winner_id for row in audited.stage.play_offs.all()}
    for two in sorted(stored.keys() | logged.keys(), key=sorted):
        if stored.get(two) != logged.get(two):
            names = " – ".join(audited.name(entry) for entry in sorted(two))
            place = f"{audited.place} play-off {names}"
            yield Difference("play_offs", place, "winner", audited.name(stored.get(two)), audited.name(logged.get(two)))


def check_plan(audited: Audited) -> Iterator[Difference]:
    """The published draw is the one that entries, seed and confirmed results give."""
    if audited.stage.drawn_at is None:
        for fixture in audited.fixtures:
            yield Difference("plan", f"{audited.place} {fixture.key}", "fixture", "published", "not drawn yet")
        return
    planned = audited.pairings()
    stand = audited.chain.at(audited.stage).keys_that_stand if planned else frozenset()
    notes = [reason.as_dict() for reason in audited.chain.at(audited.stage).plan.notes] if planned else []
    by_round = FORMATS[audited.stage.format].pairs_by_round
    # Of a round that is paired by results they hold until it begins.
    if audited.stage.notes != notes and not by_round:
        yield Difference("plan", audited.place, "notes", str(audited.stage.notes), str(notes))
    published = {fixture.key: fixture for fixture in audited.fixtures}
    for key in audited.chain.at(audited.stage).plan.stale if planned else ():
        yield Difference("plan", f"{audited.place} {key}", "result", "confirmed", "of others than those who meet here")
    for key in sorted(published.keys() - planned.keys()):
        yield Difference("plan", f"{audited.place} {key}", "fixture", "published", "not planned")
    for key, pairing in planned.items():
        place = f"{audited.place} {key}"
        if key not in published:
            yield Difference("plan", place, "fixture", "missing", "planned")
            continue
        stored = _published(audited, published[key])
        for what, computed in _planned(audited, pairing).items():
            # Why two who have begun met is told from what was known when their round was paired.
            if stored[what] != computed and not (what == "reason" and key in stand):
                yield Difference("plan", place, what, str(stored[what]), str(computed))


def _published(audited: Audited, fixture: Fixture) -> dict[str, object]:
    return {
        "side A": _entry(audited, fixture.entry_a_id),
        "side B": _entry(audited, fixture.entry_b_id),
        "feed A": fixture.feed_a,
        "feed B": fixture.feed_b,
        "length": fixture.length,
        "place in the draw": (fixture.bracket, fixture.round, fixture.number),
        "reason": fixture.why,
    }


def _planned(audited: Audited, pairing: Pairing) -> dict[str, object]:
    why = pairing.why
    return {
        "side A": _entry(audited, seated(pairing.a)),
        "side B": _entry(audited, seated(pairing.b)),
        "feed A": pairing.feed_a,
        "feed B": pairing.feed_b,
        "length": pairing.length,
        "place in the draw": (pairing.bracket, pairing.round, pairing.number),
        "reason": {"code": why.code, "template": why.template, "params": dict(why.params)},
    }


def _entry(audited: Audited, entry_id: int | None) -> str:
    return f"{audited.name(entry_id)} (entry {entry_id})" if entry_id else "nobody"


def check_matches(audited: Audited) -> Iterator[Difference]:
    """Each pairing whose players are known has a match between them on the event's terms; no other has one.

    Two teams have one for each board, between the members of that board or reserves who took it. What rulings changed
    is undone: only a ruling may have changed the terms.
    """
    if audited.stage.drawn_at is None:
        return
    planned = audited.pairings()
    boards = range(1, audited.event.boards + 1) if audited.event.has_teams else range(1)
    for fixture in audited.fixtures:
        pairing = planned.get(fixture.key)
        if pairing is None:
            continue
        found = fixture.matches
        expected = set(boards) if pairing.is_ready else set()
        for number in sorted(expected - found.keys()):
            place = audited.place_of(fixture, number)
            yield Difference("matches", place, "match", "none", "one between the two who meet")
        for number in sorted(found.keys() - expected):
            yield Difference("matches", audited.place_of(fixture, number), "match", str(found[number]), "none")
        if pairing.is_ready:
            a, b = (audited.chain.entries[seated(seat) or 0] for seat in (pairing.a, pairing.b))
            yield from _wrongly_seated(audited, fixture, a, b)
            for number in sorted(expected & found.keys()):
                yield from _other_terms(audited, audited.place_of(fixture, number), pairing, found[number])


def _wrongly_seated(audited: Audited, fixture: Fixture, a: Entry, b: Entry) -> Iterator[Difference]:
    """Matches of two others than meet there; a reserve may sit at any one board of his team."""
    sitting: set[int] = set()
    for number, match in fixture.matches.items():
        sides = ((match.side_a_id, match.partner_a_id), (match.side_b_id, match.partner_b_id))
        own = [_may_sit(audited.event, entry, number) for entry in (a, b)]
        if any(who not in allowed for who, allowed in zip(sides, own, strict=True)) or sitting & {
            match.side_a_id,
            match.side_b_id,
        }:
            expected = " – ".join(_due(entry, number) for entry in (a, b))
            yield Difference("matches", audited.place_of(fixture, number), "players", str(match), expected)
        sitting |= {match.side_a_id, match.side_b_id}


def _due(entry: Entry, board: int) -> str:
    return ", ".join(str(person) for person in entry.people[board - 1 : board]) if board else str(entry)


def _may_sit(event: Event, entry: Entry, board: int) -> set[tuple[int, int | None]]:
    if not board:
        return {(entry.player_id, entry.partner_id)}
    people = entry.people
    return {(player.pk, None) for player in (*people[board - 1 : board], *people[event.boards :])}


def _other_terms(audited: Audited, place: str, pairing: Pairing, match: Match) -> Iterator[Difference]:
    stored = match.terms_without(audited.histories[match.pk].rulings)
    drawn = Terms(pairing.length, PROFILES[audited.event.profile], crawford=audited.event.crawford)
    for what, value, computed in (
        ("length of the match", stored.length, drawn.length),
        ("rules", stored.profile.slug, drawn.profile.slug),
        ("Crawford rule", stored.crawford, drawn.crawford),
        ("score at the start", stored.start, drawn.start),
        ("Crawford game played before the start", stored.crawford_done, drawn.crawford_done),
        ("games whose cube stands", sorted(stored.waived), sorted(drawn.waived)),
        ("penalty points", stored.penalties, drawn.penalties),
    ):
        if value != computed:
            yield Difference("matches", place, what, str(value), str(computed))


def check_people(audited: Audited) -> Iterator[Difference]:
    """No match waits for somebody who has left, nobody who waits is drawn, and only an absence gives its walkovers."""
    for fixture in audited.fixtures:
        place = f"{audited.place} {fixture.key}"
        sitting = [
            entry for pk in (fixture.entry_a_id, fixture.entry_b_id) if (entry := audited.chain.entries.get(pk or 0))
        ]
        for entry in sitting:
            if not entry.is_drawn_in(audited.stage.number):
                yield Difference("people", place, entry.name, "drawn", "on the waiting list or gone before the draw")
        absent = [entry.name for entry in sitting if entry.is_absent_from(fixture.bracket)]
        for number, match in fixture.matches.items():
            place = audited.place_of(fixture, number)
            sheet = prefetched_sheet(match)
            if absent and not match_has_begun(match):
                yield Difference("people", place, "result", "none", f"a walkover: {', '.join(absent)} left")
            given = sheet is not None and (sheet.source, sheet.conclusion) == (SheetSource.ABSENCE, Conclusion.WALKOVER)
            # Where rounds are paired one by one, who comes back has lost the round that was missed.
            if given and not absent and not FORMATS[audited.stage.format].pairs_by_round:
                yield Difference("people", place, "walkover", "for an absence", "nobody left")


def check_calls(audited: Audited) -> Iterator[Difference]:
    """At each call sit those who meet, in this hall, as long as it is open; a match that is decided has none open."""
    places = {
        match.pk: (audited.place_of(fixture, number), match)
        for fixture in audited.fixtures
        for number, match in fixture.matches.items()
    }
    calls = Call.objects.filter(match__in=matches_in(audited.event, stage=audited.stage)).select_related("table")
    for call in calls.prefetch_related("seats").order_by("pk"):
        place, match = places[call.match_id]
        place = f"{place} call {call.pk}"
        if call.table.tournament_id != audited.event.tournament_id:
            yield Difference("calls", place, "table", str(call.table), "one of this tournament")
        seated = sorted((seat.person_id, seat.left_at) for seat in call.seats.all())
        expected = sorted((person, call.left_at) for person in persons_of(match))
        if seated != expected and call.left_at is None:
            yield Difference("calls", place, "seats", str(seated), str(expected))
        sheet = audited.histories[match.pk].current
        if call.left_at is None and sheet is not None and sheet.state == SheetState.CONFIRMED:
            yield Difference("calls", place, "call", "open", "ended: the match is decided")


def check_finished(audited: Audited) -> Iterator[Difference]:
    """An event that has ended has no open match."""
    if audited.event.finished_at is None:
        return
    if audited.stage.drawn_at is None:
        yield Difference("finished", audited.place, "event", "ended", "not drawn yet")
        return
    decided = {result.key for result in results_of(audited.fixtures)}
    keys = [f.key for f in audited.fixtures if "bye" not in (f.feed_a, f.feed_b) and f.key not in decided]
    if keys:
        yield Difference("finished", audited.place, "event", "ended", f"open matches: {', '.join(keys)}")


def check_standings(audited: Audited) -> Iterator[Difference]:
    """The stored standings are those of the event's version, and what its results give."""
    event, stage = audited.event, audited.stage
    place = f"{audited.place} standings"
    stored = list(stage.standings.all())
    if stage.drawn_at is None:
        if stored:
            yield Difference("standings", place, "lines", str(len(stored)), "none before the draw")
        return
    if stage.standings_version != event.version:
        yield Difference(
            "standings", place, "version", str(stage.standings_version), f"{event.version}: they are being computed"
        )
        return
    computed = standing_rows(audited.chain, stage)
    decided = len(results_of(audited.fixtures)) if computed else 0
    if stage.standings_matches != decided:
        yield Difference("standings", place, "matches included", str(stage.standings_matches), str(decided))
    computed.sort(key=lambda row: (row.section, row.order))
    order = [[(row.section, row.entry_id) for row in rows] for rows in (stored, computed)]
    if order[0] != order[1]:
        names = [", ".join(f"{section} {audited.name(entry)}".strip() for section, entry in ids) for ids in order]
        yield Difference("standings", place, "order", *names)
        return
    for row, expected in zip(stored, computed, strict=True):
        for field in STANDING_FIELDS:
            values = [getattr(line, field) for line in (row, expected)]
            if values[0] != values[1]:
                yield Difference("standings", f"{place} {audited.name(row.entry_id)}", field, *map(str, values))


def check_money(audited: Audited) -> Iterator[Difference]:
    """Pools are paid out to the smallest unit, and payments are what the log says. Of the event, so once."""
    if audited.stage.number == 1:
        slug = f"{audited.event.tournament.slug}/{audited.event.slug}"
        yield from audit_money(audited.event, slug)


EVENT_VALIDATIONS: tuple[Callable[[Audited], Iterator[Difference]], ...] = (
    check_entries,
    check_sheets,
    check_log,
    check_play_offs,
    check_plan,
    check_matches,
    check_people,
    check_calls,
    check_finished,
    check_standings,
    check_money,
)
"""What is checked of every event."""

DATABASE_VALIDATIONS: tuple[Callable[[], Iterator[Difference]], ...] = (audit_free_matches, audit_rankings)
"""What is checked besides: matches of no event, and the ranking lists."""

RECORD_VALIDATIONS: tuple[Callable[[], Iterator[Difference]], ...] = (audit_records,)
"""What takes long: every record is replayed."""

VALIDATIONS = (*EVENT_VALIDATIONS, *DATABASE_VALIDATIONS, *RECORD_VALIDATIONS)


@transaction.atomic
def audit_event(event: Event) -> list[Difference]:
    """Every difference in the event. It is locked meanwhile, so that no result slips in between."""
    event = lock_event(event)
    differences: list[Difference] = []
    chain = load_chain(event)
    for stage in chain.stages:
        audited = Audited(chain, stage, _histories(stage, chain.fixtures[stage.pk]))
        for check in EVENT_VALIDATIONS:
            try:
                differences += check(audited)
            except (Refusal, ValueError) as error:
                slug = check.__name__.removeprefix("check_")
                differences.append(Difference(slug, audited.place, f"check of {slug}", "something", f"fails: {error}"))
    return differences


def _histories(stage: Stage, fixtures: Sequence[Fixture]) -> dict[int, History]:
    rulings: dict[int, list[Ruling]] = defaultdict(list)
    drawn = matches_in(stage.event, stage=stage)
    for ruling in Ruling.objects.filter(match__in=drawn):
        rulings[ruling.match_id].append(ruling)
    sheets: dict[int, list[Scoresheet]] = defaultdict(list)
    for sheet in Scoresheet.objects.filter(match__in=drawn).prefetch_related("lines", "changes").order_by("number"):
        sheets[sheet.match_id].append(sheet)
    matches = [match for fixture in fixtures for match in fixture.matches.values()]
    return {match.pk: History(match, tuple(sheets[match.pk]), tuple(rulings[match.pk])) for match in matches}


def audit_everything(*, records: bool = False) -> Iterator[Difference]:
    """Every difference in the database, event by event; with ``records`` every match record is replayed too."""
    for event in Event.objects.select_related("tournament").order_by("id").iterator():
        yield from audit_event(event)
    checks: Sequence[Callable[[], Iterator[Difference]]] = DATABASE_VALIDATIONS
    for check in (*checks, *RECORD_VALIDATIONS) if records else checks:
        yield from check()
