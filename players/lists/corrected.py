"""Whether a list names as corrections what it counts otherwise than the lists before it, and nothing else. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from players.lists.policy import RULES
from players.lists.values import Correction, Counted, Head, ListFinding
from rules.errors import gettext_noop

MOVED_ON = "played_later"
"""Why a match is gone that has moved past the cut-off of the list before: the new list may count it there."""
REASONS = frozenset(RULES) | {
    *("entered_late", "players_changed", "date_changed", "result_changed", MOVED_ON),
    *("event_deleted", "not_accepted", "not_decided", "not_rated"),
}
"""The codes that say why a match counts otherwise."""


def check_once(counted: Iterable[Counted]) -> Iterator[ListFinding]:
    """Yield each match that counts a second time."""
    seen = set[int]()
    for one in counted:
        if one.match in seen:
            yield ListFinding("match_twice", gettext_noop("Match %(match)s counts twice."), {"match": one.match})
        seen.add(one.match)


def check_corrections(head: Head, counted: Iterable[Counted]) -> Iterator[ListFinding]:
    """Yield what of the corrections contradicts the list itself: each says in ``now`` how the list counts the match."""
    if head.corrections and head.base.number == head.before.number:
        template = gettext_noop("The list goes on from the one before, or is the first: it can have no corrections.")
        yield ListFinding("corrections_impossible", template)
        return
    corrected = {one.match for one in head.corrections}
    rows = {one.match: one for one in counted if one.match in corrected}
    seen = set[int]()
    for one in head.corrections:
        said, row = {"match": one.match}, rows.get(one.match)
        if one.match in seen:
            yield ListFinding("correction_twice", gettext_noop("Match %(match)s is corrected twice."), said)
        seen.add(one.match)
        if one.was == one.now:
            yield ListFinding(
                "correction_of_nothing", gettext_noop("The correction of match %(match)s changes nothing."), said
            )
        elif one.now != row and not (_may_move_on(one) and row is not None and one.was and row.at > one.was.at):
            yield _now_differs(one)
        if one.why not in REASONS:
            template = gettext_noop("The correction of match %(match)s has a reason that is not known: “%(why)s”.")
            yield ListFinding("correction_why_unknown", template, {**said, "why": one.why[:40]})


def check_against(
    head: Head, counted: Iterable[Counted], earlier: Head, published: Iterable[Counted]
) -> Iterator[ListFinding]:
    """Yield each match that the list before counts otherwise and that is no correction, or a wrong one.

    ``published`` is what the list before counts. The list goes on from one before that.
    """
    is_same = (head.base.number, head.base.sha256) == (earlier.base.number, earlier.base.sha256)
    if head.base.number >= earlier.base.number and not is_same:
        template = gettext_noop("The list goes on from number %(base)s, from which number %(number)s does not follow.")
        yield ListFinding("base_not_followed", template, {"base": head.base.number, "number": earlier.number})
        return
    was = {one.match: one for one in published}
    until = earlier.matches_until
    # What the list before counts begins after a cut-off that it does not name: after this one it counts all.
    since = "" if is_same else min((one.at for one in was.values()), default=until)
    corrections = {one.match: one for one in head.corrections}
    missing, now = dict(was), dict[int, Counted]()
    for one in counted:
        if one.match in corrections:
            now[one.match] = one
        elif was.get(one.match) == one:
            del missing[one.match]
        elif one.match not in was and since <= one.at <= until:
            missing[one.match] = one
    for match in missing.keys() - corrections.keys():
        template = gettext_noop("Match %(match)s counts otherwise than in number %(number)s, and is no correction.")
        yield ListFinding("correction_missing", template, {"match": match, "number": earlier.number})
    for correction in head.corrections:
        yield from _compared(correction, now.get(correction.match), was.get(correction.match), since, earlier)


def check_base(
    head: Head, counted: Iterable[Counted], earlier: Head, published: Iterable[Counted]
) -> Iterator[ListFinding]:
    """Yield each match that the list counts or corrects although it goes on from ``earlier``, which has counted it."""
    before = {one.match for one in published}
    for one in counted:
        if one.at <= earlier.matches_until or one.match in before:
            template = gettext_noop("Match %(match)s belongs to number %(number)s, from which the list goes on.")
            yield ListFinding("match_of_base", template, {"match": one.match, "number": earlier.number})
    for correction in head.corrections:
        moments = [one.at for one in (correction.was, correction.now) if one is not None]
        if correction.match in before or any(at <= earlier.matches_until for at in moments):
            template = gettext_noop(
                "The correction of match %(match)s is one of number %(number)s, from which the list goes on."
            )
            yield ListFinding("correction_of_base", template, {"match": correction.match, "number": earlier.number})


def _compared(
    one: Correction, now: Counted | None, was: Counted | None, since: str, earlier: Head
) -> Iterator[ListFinding]:
    """Yield what is wrong in a correction: ``now`` is what the list counts, and ``was`` what the one before does."""
    said = {"match": one.match, "number": earlier.number}
    until = earlier.matches_until
    is_theirs = was is not None or (one.was is not None and one.was.at >= since)
    if is_theirs and one.was != was:
        template = gettext_noop("The correction of match %(match)s does not say how number %(number)s counts it.")
        yield ListFinding("correction_was_differs", template, said)
    if one.now is not None and one.now.at > until:
        template = gettext_noop("The correction of match %(match)s counts it after the cut-off of number %(number)s.")
        yield ListFinding("correction_after_cut_off", template, said)
    if one.now is None and _may_move_on(one) and now is not None and now.at <= until:
        yield _now_differs(one)


def _may_move_on(one: Correction) -> bool:
    return one.now is None and one.why == MOVED_ON


def _now_differs(one: Correction) -> ListFinding:
    template = gettext_noop("The correction of match %(match)s does not say how the list counts it now.")
    return ListFinding("correction_now_differs", template, {"match": one.match})
