"""The draw: made once, and cancelled only while nothing has been entered."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Match, Ruling, Scoresheet
from players.errors import Conflict
from players.models import Rating, User
from players.ratings import DEFAULT_RATING
from tournament.changes.entries import EntriesBefore
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.calls import close_calls
from tournament.draw.chain import load_chain, load_people, open_chance
from tournament.draw.document import commitment
from tournament.draw.public_value import void_closing
from tournament.draw.reconcile import reconcile
from tournament.draw.settle import settle_public_value
from tournament.draw.written import draw_before_play
from tournament.formats import FORMATS
from tournament.formats.editions import EDITION
from tournament.formats.lots import first_scope
from tournament.models import Call, CallEnding, Entry, Event, OpenUrn, Stage, from_the_start
from tournament.models.team import matches_in
from tournament.proof.write import draw_as_json

MOST_NAMES = 12


@transaction.atomic
def make_draw(event: Event, *, by: User | None, at: datetime) -> Stage:
    """Publish the pairings of the first undrawn stage, together with the link by which their lots were drawn.

    If every stage is drawn nothing changes. Raises Refusal for a field that the format cannot draw, and Conflict for a
    stage whose entrants are not known yet, for players who have not checked in if the event draws no others, and as
    :func:`tournament.draw.settle.settle_public_value` does.
    """
    event, at = begin_step(event, at)
    stages = list(event.stages.order_by("number"))
    stage = next((stage for stage in stages if stage.drawn_at is None), None)
    if stage is None:
        return stages[-1]
    require_running(event)
    if stage.number == 1:
        require_checked_in(event)
    public_value = settle_public_value(event, stage, at=at)
    if stage.number == 1:
        _note_ratings(event)
    chain = reconcile(event, stage, at=at)
    entrants = chain.at(stage).entrants
    if not chain.lots.standing(stage):
        open_chance(chain, stage, first_scope(pairs_by_round=FORMATS[stage.format].pairs_by_round), at=at)
    stage.drawn_at, stage.draw_hash = at, commitment(event, stage, entrants)
    stage.edition = EDITION
    stage.save(update_fields=["drawn_at", "draw_hash", "edition"])
    detail: dict[str, object] = {"stage": stage.number} if len(stages) > 1 else {}
    if public_value:
        detail["public_value"] = public_value
    urns = {"urns": [_told(urn) for urn in chain.lots.standing(stage)]} if not stage.seed else {}
    seed = chain.lots.seed_of(stage)
    record_change(event, verb="make_draw", by=by, at=at, seed=seed, entries=len(entrants), **urns, **detail)
    return stage


def _told(urn: OpenUrn) -> dict[str, str | int]:
    """Return the urn as the log tells of it."""
    return {"chain": urn.chain.number, "number": urn.number, "scope": urn.scope, "link": urn.link, "digest": urn.digest}


def require_checked_in(event: Event) -> None:
    """Raise Conflict, naming the entries that have not checked in, if the event draws only those that have."""
    if not event.check_in:
        return
    missing = event.entries.filter(waiting=False, left_at__isnull=True, checked_in_at__isnull=True)
    names = [entry.name for entry in missing.select_related("player", "partner")]
    if names:
        raise Conflict(
            "not_checked_in",
            ngettext(
                "%(count)s player has not checked in: %(names)s. Check in those present and leave out the others.",
                "%(count)s players have not checked in: %(names)s. Check in those present and leave out the others.",
                len(names),
            )
            % {"count": len(names), "names": ", ".join(names[:MOST_NAMES]) + ("…" if len(names) > MOST_NAMES else "")},
        )


def _note_ratings(event: Event) -> None:
    """Store each entry's current rating: the player's, or the average of a pair or of a team without its reserves."""
    values = dict(Rating.objects.filter(ranking_list__system=DEFAULT_RATING).values_list("player_id", "value"))
    entries = list(load_people(event.entries.all()))
    for entry in entries:
        entry.rating = average_of(event, entry, values)
    Entry.objects.bulk_update(entries, ["rating"])


def average_of(event: Event, entry: Entry, values: Mapping[int, Decimal]) -> int | None:
    """Return the average of the players' values, in hundredths: those of a pair, or of a team without its reserves.

    None if none of them has a value.
    """
    playing = entry.people[: event.boards] if event.has_teams else entry.people
    known = [values[player.pk] for player in playing if player.pk in values]
    return int(sum(known) * 100 / len(known)) if known else None


@transaction.atomic
def cancel_draw(event: Event, *, by: User | None, at: datetime) -> Stage:
    """Cancel the draw of the most recently drawn stage; its next draw uses the next link of the chain.

    The urns of the draw stay, listed for ever, and so does its public value: the next draw needs a new one. The log
    keeps its pairings. Entries are open again if that is the first stage. Raises Conflict after the first result or
    ruling in the stage, and while a match of it is being played.
    """
    event, at = begin_step(event, at)
    require_running(event)
    stages = list(event.stages.order_by("number"))
    stage = next((stage for stage in reversed(stages) if stage.drawn_at is not None), None)
    if stage is None:
        return stages[0]
    drawn = matches_in(event, stage=stage)
    history = (model.objects.filter(match__in=drawn) for model in (Scoresheet, Ruling))
    if any(rows.exists() for rows in history) or stage.former_matches.exists():
        raise Conflict("draw_in_play", _("Results have been entered: the draw can no longer be taken back."))
    if stage.challenges.exists():
        raise Conflict("draw_in_play", _("Somebody has made a challenge: the draw can no longer be taken back."))
    matches = list(drawn)
    if Call.objects.filter(match__in=matches, left_at__isnull=True, started_at__isnull=False).exists():
        raise Conflict("draw_in_play", _("A match is being played: the draw can no longer be taken back."))
    kept = draw_before_play(load_chain(event), stage)
    close_calls(matches, ending=CallEnding.REDRAWN, at=at)
    stage.fixtures.all().delete()
    Match.objects.filter(pk__in=[match.pk for match in matches], calls__isnull=True).delete()
    stage.standings.all().delete()
    stage.play_offs.all().delete()
    stage.hand_changes.filter(ended_at=None).update(ended_at=at)
    urns = list(stage.urns.filter(cancelled_at=None).select_related("chain").order_by("chain", "number"))
    stage.urns.filter(cancelled_at=None).update(cancelled_at=at)
    link = stage.seed or "".join(urn.link for urn in urns[:1])
    was_drawn = {"seed": link, "edition": stage.edition}
    stage.seed, stage.edition = "", 0
    stage.drawn_at, stage.draw_hash, stage.notes = None, "", []
    stage.save(update_fields=["seed", "edition", "drawn_at", "draw_hash", "notes"])
    void_closing(event, at=at)
    before = EntriesBefore(event)
    _enter_into_next_draw(event, stage)
    detail: dict[str, object] = {"stage": stage.number} if len(stages) > 1 else {}
    if urns:
        detail["urns"] = [_told(urn) for urn in urns]
    detail["drawn"] = draw_as_json(kept)
    record_change(event, verb="cancel_draw", by=by, at=at, **was_drawn, **detail, was=before.was())
    return stage


def _enter_into_next_draw(event: Event, stage: Stage) -> None:
    """Treat late entries like all others in the next draw, and leave out entries that have left since."""
    event.entries.filter(left_stage__gt=stage.number).update(left_stage=stage.number)
    if stage.number == 1:
        event.entries.update(bye_taken=0, drawn_as=[])
        if FORMATS[stage.format].pairs_on_challenge():
            event.entries.update(presence=from_the_start())
