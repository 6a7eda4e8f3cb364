"""Keeping a money session: it is begun, games are added or taken back, and it is settled; only its owner does so."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.money_sessions import MAX_UNIT, VARIANTS, MoneyResult, MoneySession
from players.errors import Conflict, Refusal, in_words
from players.models import MAX_NAME, User
from rules.errors import Severity
from rules.money import BoxResult
from rules.profiles import PROFILES, VARIANT_TEMPLATES, Variants, variant_fault
from rules.sheet import check_game

MOST_PLAYERS = 8
MOST_STAKE = 1_000_000
MOST_DOUBLES = 5
MOST_MONEY_GAMES = 500


@dataclass(frozen=True, slots=True)
class MoneyTerms:
    """What the players agree on before the first game; a point is worth ``stake`` of ``unit``."""

    names: Sequence[str]
    profile: str
    variants: Variants
    stake: int = 1
    unit: str = ""


@transaction.atomic
def begin_session(terms: MoneyTerms, *, by: User, at: datetime) -> MoneySession:
    """Begin a session of two players or, with more, of a chouette.

    Raises Refusal for names that do not tell the players apart, and for variants that the rules do not include.
    """
    names = [" ".join(unicodedata.normalize("NFC", name).split()) for name in terms.names]
    folded = {name.casefold() for name in names}
    if (
        not 2 <= len(names) <= MOST_PLAYERS
        or len(folded) < len(names)
        or not all(0 < len(n) <= MAX_NAME for n in names)
    ):
        sentence = _("Name two to %(most)s players, each differently, with at most %(letters)s letters.")
        raise Refusal("money_names", sentence % {"most": MOST_PLAYERS, "letters": MAX_NAME}, field="names")
    if terms.profile not in PROFILES:
        raise Refusal("profile_unknown", _("There is no rule profile “%(slug)s”.") % {"slug": terms.profile[:40]})
    fault = variant_fault(terms.variants, PROFILES[terms.profile], 0)
    if fault is not None:
        raise Refusal(fault.value, _(VARIANT_TEMPLATES[fault]))
    unit = " ".join(unicodedata.normalize("NFC", terms.unit).split())
    doubles = terms.variants.automatic_doubles
    if not 1 <= terms.stake <= MOST_STAKE or len(unit) > MAX_UNIT or doubles > MOST_DOUBLES:
        sentence = _("A point is worth 1 to %(most)s, and there are at most %(doubles)s automatic doubles.")
        raise Refusal("money_stake", sentence % {"most": MOST_STAKE, "doubles": MOST_DOUBLES}, field="stake")
    agreed = {name: getattr(terms.variants, name) for name in VARIANTS}
    return MoneySession.objects.create(
        owner=by, names=names, profile=terms.profile, stake=terms.stake, unit=unit, begun_at=at, **agreed
    )


@transaction.atomic
def add_game(session: MoneySession, results: Sequence[BoxResult], *, number: int, by: User) -> None:
    """Add game ``number``, with a result for each player who played against the box.

    The same number sent twice adds one game. Raises Refusal for a result that the rules of the session do not allow,
    and Conflict if the session is settled or the number is not that of the next game.
    """
    locked = _lock(session, by)
    seats = [result.seat for result in results]
    boxes = {result.box for result in results}
    known = set(range(len(locked.names)))
    if len(boxes) != 1 or len(set(seats)) < len(seats) or not boxes | set(seats) <= known or boxes & set(seats):
        raise Refusal("money_game", _("A game has one box and at least one player against it."))
    for result in results:
        for finding in check_game(locked.terms, locked.begun, number, result.game):
            if finding.severity is Severity.ERROR:
                raise Refusal(finding.code, in_words(finding))
    last = _last(locked)
    rows = [_row(locked, number, result) for result in results]
    if number == last and [row.result for row in _games(locked, number)] == sorted(results, key=lambda one: one.seat):
        return
    if number != last + 1 or number > MOST_MONEY_GAMES:
        raise Conflict("money_game_number", _("Game %(number)s is the next one.") % {"number": last + 1})
    MoneyResult.objects.bulk_create(rows)


@transaction.atomic
def take_back_game(session: MoneySession, *, number: int, by: User) -> None:
    """Take back the last game, which must be ``number``. Raises Conflict if it is not, or the session is settled."""
    locked = _lock(session, by)
    if not number or number != _last(locked):
        raise Conflict("money_game_number", _("Only the last game can be taken back."))
    locked.results.filter(number=number).delete()


@transaction.atomic
def settle_session(session: MoneySession, *, by: User, at: datetime) -> None:
    """Settle the session: no game can be added after that. Raises Conflict if it is settled already."""
    locked = _lock(session, by)
    locked.settled_at = at
    locked.save(update_fields=["settled_at"])


@transaction.atomic
def delete_session(session: MoneySession, *, by: User) -> None:
    """Delete the session with all its games."""
    MoneySession.objects.filter(pk=session.pk, owner=by).delete()


def _lock(session: MoneySession, by: User) -> MoneySession:
    locked = MoneySession.objects.select_for_update().filter(pk=session.pk, owner=by).first()
    if locked is None or locked.settled_at is not None:
        raise Conflict("money_settled", _("This session is settled or deleted: no game can be changed any more."))
    return locked


def _last(session: MoneySession) -> int:
    return session.results.order_by("-number").values_list("number", flat=True).first() or 0


def _games(session: MoneySession, number: int) -> Sequence[MoneyResult]:
    return list(session.results.filter(number=number).order_by("seat"))


def _row(session: MoneySession, number: int, result: BoxResult) -> MoneyResult:
    game = result.game
    return MoneyResult(
        session=session,
        number=number,
        box=result.box,
        seat=result.seat,
        box_won=result.for_box > 0,
        cube=game.cube,
        level=int(game.level),
        ending=game.ending.value,
    )
