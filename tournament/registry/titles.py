"""The tracker of titles: what is missing for the next one, who is near or has reached one, and its award.

What is reached follows from error rates, recorded norms and the tables of a federation; only what an officer awards is
stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.errors import Conflict
from players.models import Federation, Norm, Player, Title, TitleRules, User, Visibility
from players.performance.tracker import Progress, progress_of
from players.registry.people import lock_person
from players.registry.records import give_title, note_norm
from players.registry.roles import reach_of, require_federation, rights_of, rights_over
from players.registry.title_rules import tables_of
from players.registry.titles import held_by, with_memberships
from tournament.registry.analysed import analysed_matches


@dataclass(frozen=True, slots=True)
class Tracked:
    """How far a player is by the tables of a federation."""

    federation: Federation
    player: Player
    progress: Progress

    @property
    def is_due(self) -> bool:
        """Whether a title or norm is reached that has not been recorded."""
        return self.progress.award is not None or bool(self.progress.norm and self.progress.norm.reached)


def may_read_titles(user: User | AnonymousUser, player: Player) -> bool:
    """Whether the user may read what the player has and needs: everybody if the name is public."""
    return player.visibility == Visibility.PUBLIC or rights_of(user, player).sees


def tracked_for(player: Player, on: date) -> list[Tracked]:
    """Return how far the player is in each federation that has a table and follows them, by its code."""
    rules = TitleRules.objects.filter(valid_from__lte=on).values("federation")
    found = []
    for federation in Federation.objects.filter(pk__in=rules).order_by("code"):
        found += _tracked(federation, on, [player])
    return found


def candidates(federation: Federation, on: date, *, by: User) -> list[Tracked]:
    """Return who has reached a title or norm that has not been recorded, then who is near a title; by name.

    Somebody whose name is not public is there for those who may read what is recorded of them.
    """
    found = [one for one in _tracked(federation, on, None) if one.is_due or one.progress.is_near]
    rights = rights_over(reach_of(by), [one.player for one in found if one.player.visibility != Visibility.PUBLIC])
    found = [one for one in found if one.player.pk not in rights or rights[one.player.pk].sees]
    return sorted(found, key=lambda one: (not one.is_due, one.player.folded_name, one.player.pk))


def _tracked(federation: Federation, on: date, players: Sequence[Player] | None) -> list[Tracked]:
    """Return how far these people are, or all who have an analysed match, a norm or a title; the queries are few.

    Where the table of today is for members, others are there if they reached a title by the table of its day.
    """
    tables = tables_of(federation)
    table = tables.on(on)
    if table is None:
        return []
    ids = None if players is None else {player.pk for player in players}
    matches, recorded = analysed_matches(federation, ids), held_by(federation, ids)
    ids = {*matches, *recorded} if ids is None else ids
    held = with_memberships(federation, recorded, ids)
    found = []
    for player in Player.objects.filter(pk__in=ids, merged_into=None).select_related("club"):
        theirs = held[player.pk]
        progress = progress_of(tables, matches.get(player.pk, ()), theirs, on)
        if progress is not None and (progress.award or theirs.may_have_titles(table, on)):
            found.append(Tracked(federation, player, progress))
    return found


@transaction.atomic
def award_title(federation: Federation, player: Player, code: str, *, by: User | None, at: datetime) -> Title:
    """Record the title that the player has reached, from the day on which they did.

    Raises Forbidden, and Conflict if it is not, or no longer, the title that they have reached and do not hold.
    """
    tracked = _locked(federation, player, by=by, at=at)
    award = tracked.progress.award if tracked else None
    if tracked is None or award is None or award[0].code != code:
        raise Conflict("title_not_reached", _("The player has not reached this title, or already holds it."))
    return give_title(player, issuer=federation.issuer, code=code, on=award[1], evidence=evidence_of(tracked), by=by)


@transaction.atomic
def record_norm(federation: Federation, player: Player, on: date, *, by: User | None, at: datetime) -> Norm:
    """Record the norm that the player reached on this day, with its matches.

    Raises Forbidden, and Conflict if there is, or there is left, no such norm.
    """
    tracked = _locked(federation, player, by=by, at=at)
    norms = tracked.progress.norm if tracked else None
    reached = next((one for one in norms.reached if one.on == on), None) if norms else None
    if norms is None or reached is None:
        raise Conflict("norm_not_reached", _("The player has not reached this norm, or it has already been recorded."))
    return note_norm(
        player,
        issuer=federation.issuer,
        kind=norms.rule.kind,
        on=reached.on,
        evidence=_("Matches %(matches)s") % {"matches": ", ".join(map(str, reached.matches))},
        matches=reached.matches,
        by=by,
    )


def _locked(federation: Federation, player: Player, *, by: User | None, at: datetime) -> Tracked | None:
    """Lock the person for an officer of the federation, and return how far they are now."""
    player = lock_person(player)
    require_federation(by, federation)
    return next(iter(_tracked(federation, timezone.localdate(at), [player])), None)


def evidence_of(tracked: Tracked) -> str:
    """Say what the title rests on, as it stands today."""
    found, thirds = tracked.progress.performance, tracked.progress.thirds
    told = []
    if found.shown is not None:
        told.append(_("PR %(pr)s over %(points)s points") % {"pr": found.shown, "points": found.points})
    if thirds:
        told.append(_("norms: %(norms)s") % {"norms": norms_in_words(thirds)})
    return "; ".join(told)


def what_is_missing(progress: Progress) -> str:
    """Say in a sentence what is missing for the next title."""
    title = progress.next
    if title is None:
        return _("There is no higher title.")
    told = []
    if points := progress.missing_points:
        told.append(
            ngettext("%(count)s more point in analysed matches", "%(count)s more points in analysed matches", points)
            % {"count": points}
        )
    if title.limit is not None and not progress.is_rating_met:
        has, limit = progress.performance.shown, number_format(title.limit)
        told.append(
            _("a PR of %(limit)s or lower") % {"limit": limit}
            if has is None
            else _("a PR of %(limit)s or lower instead of %(has)s") % {"limit": limit, "has": number_format(has)}
        )
    if thirds := progress.missing_thirds:
        told.append(_("norms: %(norms)s") % {"norms": norms_in_words(thirds)})
    return _("Missing for %(title)s: %(what)s.") % {"title": f"{title.name} ({title.code})", "what": ", ".join(told)}


def matches_missing(progress: Progress) -> str:
    """Say in a sentence what is missing for the next norm; empty where norms do not follow from matches."""
    norm = progress.norm
    if norm is None:
        return ""
    if not norm.missing:
        return _("There are no further norms of the kind %(kind)s.") % {"kind": norm.rule.kind}
    return ngettext(
        "%(count)s match under %(below)s is missing for the next norm (%(kind)s).",
        "%(count)s matches under %(below)s are missing for the next norm (%(kind)s).",
        norm.missing,
    ) % {"count": norm.missing, "below": number_format(norm.rule.below), "kind": norm.rule.kind}


def norms_in_words(thirds: int) -> str:
    """Write so many thirds of norms: 2, 1/3, 1 2/3."""
    whole, rest = divmod(thirds, 3)
    return " ".join(part for part in (str(whole) if whole or not rest else "", f"{rest}/3" if rest else "") if part)
