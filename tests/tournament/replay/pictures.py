"""All that there is to see of an event, for a replay to be compared with it."""

from matches.models import Match
from tournament.draw.calls import calls_in
from tournament.models import Event, Fixture, FormerMatch, Member, Stage
from tournament.snapshot import take_snapshot

ENTRY = (
    *("number", "player__name", "partner__name", "team", "reentry", "seed", "family", "presence", "home_evening"),
    *("waiting", "checked_in_at", "left_at", "left_kind", "left_reason", "left_bracket", "left_stage"),
    *("bye_taken", "drawn_as", "link_epoch"),
)
DOOR = (
    *("max_entries", "check_in", "late_minutes", "finished_at", "starts_at", "clock_minutes", "clock_delay"),
    *("phones", "confirm_minutes", "shows_chances", "rated_for", "event_class", "online", "self_entry"),
    "self_entry_until",
)
CALL = (
    *("table__number", "match__side_a__name", "match__side_b__name", "called_at", "started_at", "left_at", "ending"),
)
CLOSING = ("number", "stage", "source", "closed_at", "drand_round", "value", "known_at", "voided_at", "void_reason")
FORMER = ("stage__number", "key", "entry_a__number", "entry_b__number", "left_at", "match")


def picture(event: Event) -> object:
    """Everything about the event and its hall: all seats, every claim and call of every match, and the standings."""
    snapshot = take_snapshot(event.pk)
    hall = event.tournament
    return (
        [getattr(Event.everything.get(pk=event.pk), name) for name in DOOR],
        list(event.entries.order_by("number").values_list(*ENTRY)),
        list(Member.objects.filter(entry__event=event).order_by("pk").values_list("entry__number", "board", "player")),
        [stage_picture(stage) for stage in event.stages.order_by("number")],
        [
            (f.key, f.a.label, f.b.label, f.length, f.status, f.advanced and f.advanced.name, f.rates)
            for stage in snapshot.stages
            for f in stage.fixtures
        ],
        [
            (f.key, f.round, history(match))
            for f in Fixture.objects.filter(stage__event=event).order_by("stage__number", "key")
            for match in f.matches.values()
        ],
        [
            (*former, history(Match.objects.get(pk=pk)))
            for *former, pk in FormerMatch.objects.filter(stage__event=event).order_by("pk").values_list(*FORMER)
        ],
        [
            (line.place, line.place_to, line.entry.name, line.wins, line.draws, line.rate_wins, line.points_for)
            for stage in snapshot.stages
            for line in stage.standings
        ],
        list(calls_in(hall).order_by("pk").values_list(*CALL)),
        [
            (table.number, table.event_id == event.pk, table.streamed, table.out_of_order)
            for table in hall.tables.order_by("number")
        ],
        list(event.closings.order_by("number").values_list(*CLOSING)),
        list(event.closings.exclude(words=None).values_list("number", "words__number", "words__word")),
        list(hall.breaks.order_by("starts_at").values_list("name", "starts_at", "ends_at")),
        list(hall.announcements.order_by("pk").values_list("text", "made_at", "ends_at", "withdrawn_at")),
    )


HAND_CHANGE = ("number", "kind", "round", "entry_a__number", "entry_b__number", "reason", "by", "at", "ended_at")
MADE = ("made_at", "withdrawn_at")


def stage_picture(stage: Stage) -> object:
    """A stage that is not drawn has a secret seed, which is different in the replayed event."""
    urns = list(stage.urns.order_by("number").values_list("number", "scope", "link", "digest", "cancelled_at"))
    drawn = (stage.seed, stage.drawn_at, stage.draw_hash, stage.notes, urns) if stage.drawn_at else ()
    played = list(stage.play_offs.order_by("pk").values_list("winner__number", "loser__number"))
    changes = list(stage.hand_changes.order_by("number").values_list(*HAND_CHANGE))
    deadlines = list(
        stage.fixtures.order_by("key").values_list("key", "play_by", "offers__entry__number", "offers__days")
    )
    made = list(stage.challenges.values_list("number", "challenger__number", "challenged__number", *MADE))
    return stage.format, stage.options, stage.qualifiers, stage.carry, drawn, played, changes, made, deadlines


def history(match: Match) -> object:
    sheets = [
        (
            sheet.number,
            sheet.side,
            sheet.source,
            sheet.final_a,
            sheet.final_b,
            sheet.awarded_to,
            sheet.played_at,
            [(line.winner, line.cube, line.level, line.ending) for line in sheet.lines.all()],
            [(change.state, change.side, change.reason, change.at) for change in sheet.changes.all()],
        )
        for sheet in match.sheets.prefetch_related("lines", "changes")
    ]
    return match.name_a, match.name_b, match.terms, sheets, [(r.kind, r.reason, r.at) for r in match.rulings.all()]
