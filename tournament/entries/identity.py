"""The people behind an entry: another player in its place, or two players who turn out to be one person."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.counted import recount
from matches.models import Match, Ruling, Scoresheet
from matches.services import matches_of
from matches.tasks import rate
from players import services as players
from players.errors import Conflict
from players.models import Merge, Player, User
from players.ratings import RATINGS
from tournament.changes.entries import EntriesBefore
from tournament.changes.record import in_order, record_change, require_running, show_anew
from tournament.draw.advance import advance
from tournament.draw.chain import as_drawn, load_people
from tournament.draw.public_value import require_entries_open
from tournament.draw.reconcile import reconcile
from tournament.entries.enrolment import Enrolment
from tournament.entries.lists import EntryLine
from tournament.entries.services import lock_entry
from tournament.models import Call, Entry, Event, Fixture, Seat, Stage
from tournament.roles.permissions import require_merger


@transaction.atomic
def replace_player(entry: Entry, *, line: EntryLine, by: User | None, at: datetime) -> Entry:
    """Replace the entry's player, or in doubles its pair, with another, who takes over its line, seed and lot.

    The entry's private link ends, and the new player has another. The draw stays as it was made: ``drawn_as`` keeps
    the name it was made with, so that its public hash can be checked. Raises Conflict once anything was entered for a
    match of the entry, or one was called, and Refusal for a line that could not be entered.
    """
    event, current, at = lock_entry(entry, at)
    require_entries_open(event)
    require_running(event)
    if event.has_teams:
        raise Conflict("team_not_replaced", why_not_replaced(current))
    if current.left_at is not None:
        raise Conflict("entry_out", _("%(name)s is already out of the event.") % {"name": current.name})
    fixtures = list(_fixtures_of(current).select_related("match"))
    why = why_not_replaced(current, fixtures)
    if why:
        raise Conflict("entry_has_begun", why)
    stage, entries_before = event.stages.get(number=1), EntriesBefore(event)
    name_before, people = current.name, [current.player_id, current.partner_id]
    if stage.drawn_at is not None:
        _keep_as_drawn(current)
    Enrolment(event, stage, [line], at).replace(current, line)
    current.link_epoch += 1
    current.save(update_fields=["player", "partner", "reentry", "drawn_as", "link_epoch"])
    for fixture in fixtures:
        match = fixture.match
        if match is not None:
            side = "a" if fixture.entry_a_id == current.pk else "b"
            setattr(match, f"side_{side}", current.player)
            setattr(match, f"partner_{side}", current.partner)
            match.save(update_fields=[f"side_{side}", f"partner_{side}"])
    if stage.drawn_at is not None:
        advance(event, stage, by=by, at=at)
    people_now = [current.player_id, current.partner_id]
    details = {"entry": current.pk, "before": name_before, "people": people, "now": people_now}
    was = entries_before.was()
    record_change(event, verb="replace_player", by=by, at=at, names=[current.name], **details, was=was)
    return current


@transaction.atomic
def merge_players(kept: Player, gone: Player, *, by: User | None, at: datetime) -> Player:
    """Merge two players into one person everywhere: entries, matches and ratings become those of ``kept``.

    Every event that ``gone`` was in says so in its log, and its draw stays verifiable; the ranking lists are computed
    again. Raises Forbidden as :func:`tournament.roles.permissions.require_merger` does, and Conflict where the two have
    met, where both are in one event, and as :func:`players.services.merge_players` does.
    """
    events, others = _lock_events(_entered(gone), kept)
    if by is not None:
        require_merger(by, [kept, gone])
    at = max((in_order(event.log.all(), at) for event in events), default=at)
    both = Event.everything.filter(pk__in=_entered(kept)).filter(pk__in=_entered(gone))
    if kept.pk != gone.pk and (event := both.first()) is not None:
        raise Conflict(
            "both_in_one_event",
            _("%(kept)s and %(gone)s are both in %(event)s, so they must be two different people.")
            % {"kept": kept, "gone": gone, "event": event},
        )
    if kept.pk != gone.pk and (met := (matches_of(kept) & matches_of(gone)).first()) is not None:
        raise Conflict(
            "players_have_met",
            _("The two players have met (%(match)s), so they must be two different people.") % {"match": met},
        )
    persons = [gone] if kept.club_id and kept.country else [gone, kept]
    drawn = [entry for entry in load_people(_drawn(persons)) if not entry.drawn_as]
    for entry in drawn:
        _keep_as_drawn(entry)
        entry.save(update_fields=["drawn_as"])
    about = {"events": [event.pk for event in events], "drawn": [entry.pk for entry in drawn]}
    merge = players.merge_players(kept, gone, by=by, at=at, **about)
    _tell(events, others, merge, verb="merge_players", by=by, at=at)
    return merge.kept


@transaction.atomic
def undo_merge(gone: Player, *, by: User | None, at: datetime) -> Player:
    """Undo a merge: ``gone`` regains what it had at the merge, and those entries' matches since.

    Everything else made since stays with the player who was kept. Every event that ``gone`` was in says so in its log,
    and its draw stays verifiable; the ranking lists are computed again. Raises Forbidden as
    :func:`tournament.roles.permissions.require_merger` does, and Conflict as
    :func:`players.services.undo_merge` does, and if the player who was kept has since been entered in an event of
    ``gone``: nobody knows as which of the two.
    """
    merge = players.find_merge(gone)
    (events, others), kept = _lock_events(merge.detail["events"], merge.kept), merge.kept
    if by is not None:
        require_merger(by, [kept, gone])
    at = max((in_order(event.log.all(), at) for event in events), default=at)
    drawn_as, may_forget = {}, set(merge.detail["drawn"])
    for entry in load_people(_drawn([kept])):
        if not entry.drawn_as:
            may_forget.add(entry.pk)
            _keep_as_drawn(entry)
        drawn_as[entry.pk] = entry.drawn_as
    merge = players.undo_merge(gone, by=by, at=at)
    entered = Entry.objects.filter(event__in=events)
    if (since := entered.filter(_of([kept])).select_related("event").first()) is not None:
        raise Conflict(
            "entered_since",
            _("%(name)s was entered in %(event)s after the merge. Remove that entry first.")
            % {"name": kept, "event": since.event},
        )
    _give_matches(list(entered.filter(_of([gone])).values_list("pk", flat=True)), kept, gone)
    changed = []
    for entry in load_people(Entry.objects.filter(pk__in=drawn_as)):
        is_again = entry.pk in may_forget and drawn_as[entry.pk] == as_drawn(entry)
        now = [] if is_again else drawn_as[entry.pk]
        if entry.drawn_as != now:
            entry.drawn_as = now
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["drawn_as"])
    _tell(events, others, merge, verb="undo_merge", by=by, at=at)
    return merge.gone


def keep_restored(entry: Entry, kept: Mapping[str, Any]) -> None:
    """Let a restored entry return to the right player when a standing merge is undone.

    ``kept`` is the entry as the log has it: its player has been merged since, or a merge had moved it. The log does not
    keep which member of a team a merge had moved before the team was removed: such a merge cannot be undone while the
    team is entered.
    """
    was = [("tournament.entry.player", kept["id"], entry.pk, kept["player_id"])]
    if kept["partner_id"]:
        was.append(("tournament.entry.partner", kept["id"], entry.pk, kept["partner_id"]))
    members = dict(entry.members.values_list("board", "pk"))
    was += [("tournament.member.player", 0, members[board], player) for player, board in kept.get("members", [])]
    for column, before, now, player in was:
        for merge in (*_merges_since(player), *_merges_that_moved(column, before, player)):
            merge.detail["moved"].setdefault(column, []).append(now)
            merge.detail["events"] = sorted({*merge.detail["events"], entry.event_id})
            merge.save(update_fields=["detail"])


def _merges_since(player: int) -> Iterator[Merge]:
    """Yield the player's standing merge into another, then that player's, and so on."""
    standing = Merge.objects.select_for_update().filter(undone_at__isnull=True).exclude(detail={})
    while (merge := standing.filter(gone=player).first()) is not None:
        yield merge
        player = merge.kept_id


def _merges_that_moved(column: str, row: int, player: int) -> Iterator[Merge]:
    """Yield the standing merges by which this row came to the player, the latest first."""
    standing = Merge.objects.select_for_update().filter(undone_at__isnull=True, kept=player).exclude(detail={})
    for merge in standing.order_by("-id"):
        if row in merge.detail["moved"].get(column, ()):
            yield merge
            yield from _merges_that_moved(column, row, merge.gone_id)


def _give_matches(entries: list[int], kept: Player, gone: Player) -> None:
    """Give ``gone`` the seats of ``kept`` in these entries' matches, and at their tables."""
    found: set[int] = set()
    for side in ("a", "b"):
        matches: set[int] = set()
        for path in ("fixture", "board__fixture", "former"):
            matches |= set(Match.objects.filter(**{f"{path}__entry_{side}__in": entries}).values_list("pk", flat=True))
        for seat in (f"side_{side}", f"partner_{side}"):
            Match.objects.filter(pk__in=matches, **{seat: kept}).update(**{seat: gone})
        found |= matches
    Seat.objects.filter(call__match__in=found, person=kept).update(person=gone)


def _tell(events: list[Event], others: list[Event], merge: Merge, *, verb: str, by: User | None, at: datetime) -> None:
    """Show current names in the events' draws, log the change to the players, and request new ratings.

    The log of an event with the row of the merge names that row when it is undone. The ``others``, events of the kept
    player alone, show the club and country that the player took over, or lost again.
    """
    for event in others if merge.detail["filled"] else ():
        show_anew(event)
    for event in sorted(events, key=lambda event: (event.tournament_id, event.pk)):
        stage = event.stages.get(number=1)
        if stage.drawn_at is not None:
            reconcile(event, stage, at=at)
        details = {"names": [merge.kept.name], "before": merge.gone.name, "ids": [merge.kept_id, merge.gone_id]}
        undone = event.log.filter(verb="merge_players", detail__merge=merge.pk).values_list("pk", flat=True).first()
        undoes = {"undoes": undone} if undone is not None else {}
        record_change(event, verb=verb, by=by, at=at, **details, merge=merge.pk, **undoes)
    recount((matches_of(merge.kept) | matches_of(merge.gone)).values_list("pk", flat=True))
    transaction.on_commit(_ask_for_lists_anew, robust=True)


def _ask_for_lists_anew() -> None:
    """Ask for lists of other people: no step of an event has asked for them."""
    for system in RATINGS:
        rate.delay(system)


def lock_merge(merge_id: int) -> None:
    """Lock all events of the merge in the order in which a merge locks them, before any of them is locked alone."""
    for merge in Merge.objects.filter(pk=merge_id):
        _lock_events(merge.detail["events"], merge.kept)


def _lock_events(ids: Iterable[int] | QuerySet, kept: Player) -> tuple[list[Event], list[Event]]:
    """Lock the events, and the others that ``kept`` is entered in, deleted ones included, all in order of id."""
    of_kept = Event.everything.select_for_update(of=("self",)).select_related("tournament")
    found = of_kept.filter(Q(pk__in=ids) | Q(pk__in=_entered(kept))).order_by("id")
    events = list(found)
    chosen = set(Event.everything.filter(pk__in=ids).values_list("pk", flat=True))
    return [event for event in events if event.pk in chosen], [event for event in events if event.pk not in chosen]


def _of(persons: list[Player]) -> Q:
    return Q(player__in=persons) | Q(partner__in=persons) | Q(members__player__in=persons)


def _entered(player: Player) -> QuerySet:
    return Entry.objects.filter(_of([player])).values("event")


def _drawn(persons: list[Player]) -> QuerySet[Entry]:
    """Return these people's entries in events that have been drawn."""
    drawn = Stage.objects.filter(number=1, drawn_at__isnull=False).values("event")
    return Entry.objects.filter(_of(persons), event__in=drawn).distinct()


def _keep_as_drawn(entry: Entry) -> None:
    """Keep in the entry the name, club and country under which it was drawn."""
    if not entry.drawn_as:
        entry.drawn_as = as_drawn(entry)


def _fixtures_of(entry: Entry) -> QuerySet[Fixture]:
    return Fixture.objects.filter(Q(entry_a=entry) | Q(entry_b=entry), match__isnull=False)


def why_not_replaced(entry: Entry, fixtures: Iterable[Fixture] | None = None) -> str:
    """Return why nobody can replace the entry: it is a team, or one of its matches has begun. Empty otherwise.

    ``fixtures`` are those of the entry, if they have been read already.
    """
    if entry.event.has_teams:
        return _("A team cannot be replaced: a reserve can take a board instead, on the match page.")
    found = _fixtures_of(entry) if fixtures is None else fixtures
    matches = [fixture.match_id for fixture in found]
    if Call.objects.filter(match__in=matches).exists():
        return _("%(name)s has already been called to a match and cannot be replaced.") % {"name": entry.name}
    if any(rows.objects.filter(match__in=matches).exists() for rows in (Scoresheet, Ruling)):
        return _("%(name)s cannot be replaced: a result or a ruling has been entered for one of their matches.") % {
            "name": entry.name
        }
    return ""
