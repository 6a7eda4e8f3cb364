"""What officers of a list decide besides reports: approving an event, ruling on a match, and the list's policy."""

from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import MAX_REASON, Match
from players.errors import Conflict, Refusal
from players.lines import one_line
from players.lists.models import OfficialList
from players.lists.officers import require_keeper
from players.lists.policies import ListPolicy
from players.lists.policy import MOST_WEIGHT, PolicyError, read_policy, write_policy
from players.models import User
from tournament.changes.record import begin_at, begin_step, lock_event_of, record_change
from tournament.draw.steps import not_in_draw
from tournament.models import Event, RatingRuling, RatingVerdict, Sanction
from tournament.models.team import find_fixture


@transaction.atomic
def sanction_event(
    event: Event, official_list: OfficialList, *, weight: int | None = None, by: User, at: datetime
) -> Sanction:
    """Approve the event for the list; its matches count by ``weight`` in hundredths, or by its class without one.

    An approval that stands with another weight ends. Raises Forbidden, and Refusal for a weight beyond the limits.
    """
    event, at = begin_step(event, at)
    require_keeper(by, official_list)
    if weight is not None and not 1 <= weight <= MOST_WEIGHT:
        sentence = _("A weight is from 1 to %(limit)s hundredths.")
        raise Refusal("weight_out_of_range", sentence % {"limit": MOST_WEIGHT}, field="weight")
    standing = event.sanctions.filter(official_list=official_list, withdrawn_at=None).first()
    if standing is not None and standing.weight == weight:
        return standing
    event.sanctions.filter(official_list=official_list, withdrawn_at=None).update(withdrawn_at=at)
    made = Sanction.objects.create(event=event, official_list=official_list, weight=weight, by=by, at=at)
    record_change(event, verb="sanction_event", by=by, at=at, list=official_list.name, weight=weight)
    return made


@transaction.atomic
def withdraw_sanction(event: Event, official_list: OfficialList, *, by: User, at: datetime) -> None:
    """Withdraw the approval of the event for the list; without one nothing changes. Raises Forbidden."""
    event, at = begin_step(event, at)
    require_keeper(by, official_list)
    if event.sanctions.filter(official_list=official_list, withdrawn_at=None).update(withdrawn_at=at):
        record_change(event, verb="withdraw_sanction", by=by, at=at, list=official_list.name)


@transaction.atomic
def rule_on_rating(
    match: Match, official_list: OfficialList, *, verdict: RatingVerdict, reason: str, by: User, at: datetime
) -> RatingRuling:
    """Rule that the match counts for the list, does not, or follows the policy again; its score stands.

    Raises Forbidden, Refusal without a reason, and Conflict for a match that belongs to no draw.
    """
    event = lock_event_of(match)
    if event is None:
        raise not_in_draw()
    at = begin_at(event, at)
    require_keeper(by, official_list)
    reason = one_line(reason)[:MAX_REASON]
    if not reason:
        raise Refusal("reason_missing", _("Say why the match counts or does not: give a reason."), field="reason")
    known = RatingRuling.objects.filter(match=match, official_list=official_list).order_by("-pk").first()
    if known is not None and (known.verdict, known.reason) == (verdict, reason):
        return known
    ruling = RatingRuling.objects.create(
        match=match, official_list=official_list, verdict=verdict, reason=reason, by=by, at=at
    )
    fixture = find_fixture(match)
    said = {"list": official_list.name, "verdict": str(verdict), "reason": reason}
    place = {"fixture": fixture.key if fixture else "", "players": [match.name_a, match.name_b], "match": match.pk}
    record_change(event, verb="rule_on_rating", by=by, at=at, **place, **said)
    return ruling


@transaction.atomic
def set_policy(official_list: OfficialList, *, valid_from: date, rules: object, by: User, at: datetime) -> ListPolicy:
    """Give the list this policy for matches from the day on; what was said before is kept.

    Raises Forbidden, Refusal for rules that no policy can have, and Conflict if the day has this policy already.
    """
    locked = OfficialList.objects.select_for_update().get(pk=official_list.pk)
    require_keeper(by, locked)
    try:
        written = write_policy(read_policy(rules))
    except PolicyError as error:
        sentences = {
            "lengths_crossed": _("The longest match is shorter than the shortest."),
            "nothing_counts": _("Choose at least one, or no match counts."),
            "number_out_of_range": _("This number is missing or beyond its limits."),
            "class_unknown": _("The classes are A, B, C and D."),
        }
        told = sentences.get(error.code, _("There is no such rule, or it cannot have this value."))
        raise Refusal(f"policy_{error.code}", told, field=error.name) from error
    if not 2000 <= valid_from.year <= 2200:
        raise Refusal("time_out_of_range", _("A time must be between the years 2000 and 2200."), field="valid_from")
    last = locked.policies.filter(valid_from__lte=valid_from).order_by("valid_from", "id").last()
    if last is not None and (last.valid_from, last.rules) == (valid_from, written):
        raise Conflict("policy_same", _("This is the policy of that day already."))
    return ListPolicy.objects.create(official_list=locked, valid_from=valid_from, rules=written, by=by, at=at)
