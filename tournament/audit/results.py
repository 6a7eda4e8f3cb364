"""Score sheets, play-offs and standings, compared with the rules and the log."""

from collections.abc import Iterator

from matches.audit import Difference, audit_sheets, sheet_score
from matches.error_rates import rates_of, write_rate
from players.errors import Refusal
from tournament.audit.audited import Audited
from tournament.draw.outcomes import outcomes_of, results_of
from tournament.draw.standings import standing_rows
from tournament.formats import parse_options
from tournament.formats.rate_points import gives_rate_point
from tournament.models import LogEntry

RESULT_VERBS = (
    *("enter_result", "correct_result", "void_result", "ruling", "end_advance"),
    *("report_result", "confirm_result", "dispute_result", "walk_over", "void_walkover"),
    *("confirm_by_time", "withdraw_report", "import_event"),
)
CHALLENGE_VERBS = ("challenge", "withdraw_challenge")
PLAY_OFF_VERBS = ("enter_play_off", "void_play_off")
STANDING_FIELDS = (
    *("place", "place_to", "played", "wins", "draws", "losses", "rate_wins"),
    *("points_for", "points_against", "tiebreaks", "decided_by"),
    *("note", "why"),
)


def check_sheets(audited: Audited) -> Iterator[Difference]:
    """Check that every score sheet still satisfies the rules, and that its state fits its score."""
    for fixture in audited.fixtures:
        for number, match in fixture.matches.items():
            yield from audit_sheets(audited.histories[match.pk], audited.place_of(fixture, number))


def check_log(audited: Audited) -> Iterator[Difference]:
    """Check that every score sheet still gives the score logged when it was entered, and rates are those logged."""
    yield from _check_rates(audited)
    logged: dict[tuple[int, int, int], list[int]] = {}
    for detail in (
        LogEntry.objects.filter(event=audited.event, verb__in=RESULT_VERBS)
        .order_by("id")
        .values_list("detail", flat=True)
    ):
        for entered in detail.get("boards", [detail]):
            logged[entered["match"], entered.get("board", 0), entered["sheet"]] = entered["score"]
    for fixture in audited.fixtures:
        for number, match in fixture.matches.items():
            history = audited.histories[match.pk]
            for sheet in history.sheets:
                place = f"{audited.place_of(fixture, number)} sheet {sheet.number}"
                score = logged.get((match.pk, number, sheet.number))
                if score is None:
                    yield Difference("log", place, "score", "no log row", "one for every sheet")
                    continue
                try:
                    computed = sheet_score(history.terms_of(sheet), sheet)
                except (Refusal, ValueError):
                    continue  # check_sheets names it
                if score != [computed.a, computed.b]:
                    yield Difference("log", place, "score", "-".join(map(str, score)), f"{computed.a}-{computed.b}")


def _check_rates(audited: Audited) -> Iterator[Difference]:
    """Check that the error rates of every match are those that were entered last, where they count."""
    if not gives_rate_point(parse_options(audited.stage.format, audited.stage.options)):
        return
    verbs = ("set_error_rates", "void_result", "import_event")
    rows = LogEntry.objects.filter(event=audited.event, verb__in=verbs).order_by("id")
    logged = {
        entered["match"]: None if verb == "void_result" else entered.get("rates")
        for verb, detail in rows.values_list("verb", "detail")
        for entered in (detail["boards"] if verb == "import_event" else [detail])
    }
    for fixture in audited.fixtures:
        for number, match in fixture.matches.items():
            stored, said = rates_of(match), logged.get(match.pk)
            if stored != (said and tuple(said)):
                shown = [" – ".join(map(write_rate, rates)) if rates else "none" for rates in (stored, said)]
                yield Difference("log", audited.place_of(fixture, number), "error rates", *shown)


def check_play_offs(audited: Audited) -> Iterator[Difference]:
    """Check that every play-off matches its log row, and that none is missing."""
    logged: dict[frozenset[int], int] = {}
    rows = LogEntry.objects.filter(event=audited.event, verb__in=PLAY_OFF_VERBS, detail__stage=audited.stage.number)
    drawn = audited.stage.drawn_at
    for winner, loser in _imported(audited, "play_offs"):
        logged[frozenset((winner, loser))] = winner
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


def check_challenges(audited: Audited) -> Iterator[Difference]:
    """Check that every challenge, and whether it stands, is what the log says."""
    rows = LogEntry.objects.filter(event=audited.event, verb__in=CHALLENGE_VERBS, detail__stage=audited.stage.number)
    logged: dict[int, tuple[int, int, bool]] = {
        number: (challenger, challenged, bool(stands))
        for number, challenger, challenged, stands in _imported(audited, "challenges")
    }
    for verb, detail in rows.order_by("id").values_list("verb", "detail"):
        challenger, challenged = detail["entries"]
        logged[detail["number"]] = challenger, challenged, verb == "challenge"
    stored = {
        row.number: (row.challenger_id, row.challenged_id, row.withdrawn_at is None)
        for row in audited.stage.challenges.all()
    }
    for number in sorted(stored.keys() | logged.keys()):
        if stored.get(number) != logged.get(number):
            told = [_told(audited, one) for one in (stored.get(number), logged.get(number))]
            yield Difference("challenges", f"{audited.place} challenge {number}", "entries", *told)


def _imported(audited: Audited, name: str) -> list[list[int]]:
    """Return what the event was imported with in this stage, under this name of the log row."""
    found = audited.event.log.filter(verb="import_event").order_by("id").first()
    drawn = audited.stage.drawn_at
    rows = found.detail[name] if found is not None and drawn is not None and drawn <= found.at else ()
    return [row for stage, *row in rows if stage == audited.stage.number]


def _told(audited: Audited, challenge: tuple[int, int, bool] | None) -> str:
    if challenge is None:
        return "none"
    challenger, challenged, stands = challenge
    return f"{audited.name(challenger)} – {audited.name(challenged)}{'' if stands else ', withdrawn'}"


def check_finished(audited: Audited) -> Iterator[Difference]:
    """Check that an event that has ended has no open match."""
    if audited.event.finished_at is None:
        return
    if audited.stage.drawn_at is None:
        yield Difference("finished", audited.place, "event", "ended", "not drawn yet")
        return
    decided = outcomes_of(audited.fixtures, results_of(audited.fixtures))
    keys = [f.key for f in audited.fixtures if "bye" not in (f.feed_a, f.feed_b) and f.key not in decided]
    if keys:
        yield Difference("finished", audited.place, "event", "ended", f"open matches: {', '.join(keys)}")


def check_standings(audited: Audited) -> Iterator[Difference]:
    """Check that the stored standings belong to the event's version and follow from its results."""
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
