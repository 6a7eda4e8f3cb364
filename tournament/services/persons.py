"""Who stands behind an entry: another player in its place, and two players who turn out to be one person."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.models import Ruling, Scoresheet
from matches.services import matches_of
from matches.tasks import rate
from players import services as players
from players.errors import Conflict
from players.models import Player, User
from players.ratings import RATINGS
from tournament.chain import club_of, country_of, load_people
from tournament.entry_list import EntryLine
from tournament.models import Call, Entry, Event, Fixture, Stage
from tournament.reconcile import reconcile
from tournament.services.absence import advance
from tournament.services.change import EntriesBefore, lock_event, record_change, require_running
from tournament.services.enrolment import Enrolment
from tournament.services.entries import lock_entry


@transaction.atomic
def replace_player(entry: Entry, *, line: EntryLine, by: User | None, at: datetime) -> Entry:
    """Another player, or in doubles another pair, has the place of the entry: its line of the draw, its seed, its lot.

    The draw stays the one that was made: ``drawn_as`` keeps whom it was made with, so that its public hash can be
    checked. Raises Conflict once anything was entered for a match of the entry, or one was called, and Refusal for a
    line that could not be entered.
    """
    event, current = lock_entry(entry)
    require_running(event)
    if event.has_teams:
        raise Conflict("team_not_replaced", _("In a team a reserve takes a seat, on the page of the match."))
    if current.left_at is not None:
        raise Conflict("entry_out", _("%(name)s is out already.") % {"name": current.name})
    fixtures = list(_fixtures_of(current).select_related("match"))
    if _has_begun(fixtures):
        raise Conflict(
            "entry_has_begun",
            _("%(name)s has been called to a match already, and cannot be replaced.") % {"name": current.name},
        )
    stage, were = event.stages.get(number=1), EntriesBefore(event)
    before, people = current.name, [current.player_id, current.partner_id]
    if stage.drawn_at is not None:
        _keep_as_drawn(current)
    Enrolment(event, stage, [line], at).replace(current, line)
    current.save(update_fields=["player", "partner", "reentry", "drawn_as"])
    for fixture in fixtures:
        match = fixture.match
        if match is not None:
            side = "a" if fixture.entry_a_id == current.pk else "b"
            setattr(match, f"side_{side}", current.player)
            setattr(match, f"partner_{side}", current.partner)
            match.save(update_fields=[f"side_{side}", f"partner_{side}"])
    if stage.drawn_at is not None:
        advance(event, stage, by=by, at=at)
    told = {"entry": current.pk, "before": before, "people": people, "now": [current.player_id, current.partner_id]}
    record_change(event, verb="replace_player", by=by, at=at, names=[current.name], **told, was=were.was())
    return current


@transaction.atomic
def merge_players(kept: Player, gone: Player, *, by: User | None, at: datetime) -> Player:
    """The two are one person, everywhere: entries, matches and ratings are those of ``kept``.

    Every event that ``gone`` was in says so in its log, and its draw stays verifiable; the ranking lists are computed
    anew. Raises Conflict where the two have met, where both are in one event, and as
    :func:`players.services.merge_players` does.
    """
    events = [lock_event(event) for event in Event.objects.filter(pk__in=_entered(gone)).order_by("id")]
    both = Event.everything.filter(pk__in=_entered(kept)).filter(pk__in=_entered(gone))
    if kept.pk != gone.pk and (event := both.first()) is not None:
        raise Conflict(
            "both_in_one_event",
            _("%(kept)s and %(gone)s are both in %(event)s, and so are two people.")
            % {"kept": kept, "gone": gone, "event": event},
        )
    if kept.pk != gone.pk and (met := (matches_of(kept) & matches_of(gone)).first()) is not None:
        raise Conflict("players_have_met", _("The two sit in one match (%(match)s): two people.") % {"match": met})
    persons = [gone] if kept.club_id and kept.country else [gone, kept]
    theirs = Q(player__in=persons) | Q(partner__in=persons) | Q(members__player__in=persons)
    drawn = (
        Entry.objects.filter(theirs)
        .distinct()
        .filter(event__in=Stage.objects.filter(number=1, drawn_at__isnull=False).values("event"))
    )
    for entry in load_people(drawn):
        _keep_as_drawn(entry)
        entry.save(update_fields=["drawn_as"])
    merged = players.merge_players(kept, gone, by=by, at=at)
    for event in events:
        stage = event.stages.get(number=1)
        if stage.drawn_at is not None:
            reconcile(event, stage, at=at)
        record_change(
            event, verb="merge_players", by=by, at=at, names=[merged.name], before=gone.name, ids=[merged.pk, gone.pk]
        )
    for system in RATINGS:
        transaction.on_commit(partial(rate.delay, system), robust=True)
    return merged


def _entered(player: Player) -> QuerySet:
    return Entry.objects.filter(Q(player=player) | Q(partner=player) | Q(members__player=player)).values("event")


def _keep_as_drawn(entry: Entry) -> None:
    """The entry remembers name, club and country as they were when it was drawn."""
    if not entry.drawn_as:
        entry.drawn_as = [entry.name, club_of(entry), country_of(entry)]


def _fixtures_of(entry: Entry) -> QuerySet[Fixture]:
    return Fixture.objects.filter(Q(entry_a=entry) | Q(entry_b=entry), match__isnull=False)


def _has_begun(fixtures: list[Fixture]) -> bool:
    matches = [fixture.match_id for fixture in fixtures]
    return any(rows.objects.filter(match__in=matches).exists() for rows in (Scoresheet, Ruling, Call))
