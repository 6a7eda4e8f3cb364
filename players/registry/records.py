"""What issuers have recorded of a person: numbers, titles and norms. Officers write them."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lines import one_line
from players.models import ExternalId, Federation, Norm, Player, Title, User
from players.registry.models import MAX_CODE, MAX_ISSUER, MAX_NUMBER
from players.registry.people import keep_number, lock_person
from players.registry.roles import require_federation, require_officer_of
from players.rows import insert_rows

MAX_EVIDENCE = 2_000
_ATOM = r"(?:\\d|\[[A-Za-z0-9-]+\]|[A-Za-z0-9/ .-])(?:\{[0-9]{1,2}(?:,[0-9]{1,2})?\}|\?)?"
PATTERN = re.compile(rf"(?:{_ATOM}){{1,20}}")
"""The patterns of numbers: letters, digits and classes of them, each with a count; quick for any text."""
MOST_COUNTS = 3


def check_pattern(pattern: str) -> None:
    """Raise Refusal for a pattern of numbers that is not one of :data:`PATTERN`."""
    try:
        is_one = not pattern or (PATTERN.fullmatch(pattern) is not None and bool(re.compile(pattern, re.ASCII)))
    except re.error:
        is_one = False
    if not is_one or pattern.count("{") + pattern.count("?") > MOST_COUNTS:
        raise Refusal(
            "pattern_unreadable",
            _("A pattern is made of letters, digits, \\d and classes such as [A-Z], each with a count such as {1,5}."),
            field="number_pattern",
        )


@transaction.atomic
def add_number(
    player: Player, *, issuer: str, value: str, by: User | None, at: datetime, verified: bool = True
) -> ExternalId:
    """Record the number by which an issuer knows the person.

    That of a federation is for its own officers and has to fit its pattern. Raises Conflict if it is another person's
    number or has been recorded, Refusal and Forbidden.
    """
    player = lock_person(player)
    issuer, value = _issuer_for(player, issuer, by=by), one_line(value)
    federation = federation_of(issuer)
    check_number(federation, value)
    taken = ExternalId.objects.filter(issuer=issuer, value=value).select_related("player").first()
    if taken is not None:
        raise _taken(taken)
    checked = {"verified_at": at, "verified_by": by} if verified else {}
    return ExternalId.objects.create(player=player, issuer=issuer, value=value, **checked)


@transaction.atomic
def add_numbers(
    federation: Federation, numbers: Mapping[str, int], *, by: User | None, at: datetime
) -> list[ExternalId]:
    """Record the numbers of a federation, each of the person with this id, in a few statements.

    Raises what :func:`add_number` raises.
    """
    require_federation(by, federation)
    for value in numbers:
        check_number(federation, value)
    taken = ExternalId.objects.filter(issuer=federation.issuer, value__in=numbers)
    if (found := taken.select_related("player").first()) is not None:
        raise _taken(found)
    told = {"issuer": federation.issuer, "verified_at": at, "verified_by": by}
    rows = [ExternalId(player_id=player, value=value, **told) for value, player in numbers.items()]
    insert_rows(rows)
    return rows


def _taken(number: ExternalId) -> Conflict:
    return Conflict(
        "number_taken",
        _("%(number)s is the number of %(name)s.") % {"number": number, "name": number.player.name},
        field="value",
    )


def check_number(federation: Federation | None, value: str) -> None:
    """Raise Refusal for a number that is empty, too long, or does not fit the pattern of the federation."""
    if not value or len(value) > MAX_NUMBER or not value.isprintable():
        raise Refusal(
            "number_unreadable",
            _("A number has 1 to %(most)s letters or digits.") % {"most": MAX_NUMBER},
            field="value",
        )
    pattern = federation.number_pattern if federation else ""
    if federation is not None and pattern and re.fullmatch(pattern, value, re.ASCII) is None:
        raise Refusal(
            "number_of_another_kind",
            _("“%(number)s” is not a number as %(federation)s gives them: %(pattern)s.")
            % {"number": value, "federation": federation.code, "pattern": pattern},
            field="value",
        )


@transaction.atomic
def remove_number(number: ExternalId, *, by: User | None, at: datetime) -> None:
    """Take a number from the person; it stays among what they had before. Raises Forbidden."""
    player = lock_person(number.player)
    _issuer_for(player, number.issuer, by=by)
    deleted, _rows = ExternalId.objects.filter(pk=number.pk).delete()
    if deleted:
        keep_number(player, str(number), by=by, at=at)


@transaction.atomic
def give_title(player: Player, *, issuer: str, code: str, on: date, evidence: str = "", by: User | None) -> Title:
    """Record a title that an issuer has given. Raises Conflict if it has been recorded, Refusal and Forbidden."""
    player = lock_person(player)
    issuer, code = _issuer_for(player, issuer, by=by), _code(code)
    if Title.objects.filter(player=player, issuer=issuer, code=code).exists():
        raise Conflict("title_held", _("This title has been recorded already."))
    return Title.objects.create(player=player, issuer=issuer, code=code, on=on, evidence=_evidence(evidence))


@transaction.atomic
def note_norm(
    player: Player,
    *,
    issuer: str,
    kind: str,
    on: date,
    thirds: int = 3,
    evidence: str = "",
    matches: Sequence[int] = (),
    by: User | None,
) -> Norm:
    """Record a norm, or thirds of one, and the matches that are its evidence. Raises Refusal and Forbidden."""
    player = lock_person(player)
    issuer, kind = _issuer_for(player, issuer, by=by), _code(kind)
    if not 1 <= thirds <= 30:
        raise Refusal("norm_out_of_range", _("A norm has 1 to 30 thirds."), field="thirds")
    evidence = _evidence(evidence)
    told = {"thirds": thirds, "on": on, "evidence": evidence, "matches": list(matches)}
    return Norm.objects.create(player=player, issuer=issuer, kind=kind, **told)


@transaction.atomic
def void_norm(norm: Norm, *, reason: str, by: User | None) -> Norm:
    """Let a norm count no longer; it stays with the reason. Raises Conflict, Refusal and Forbidden."""
    player = lock_person(norm.player)
    _issuer_for(player, norm.issuer, by=by)
    norm = Norm.objects.select_for_update().get(pk=norm.pk)
    if norm.void_reason:
        raise Conflict("norm_void", _("This norm is void already."))
    reason = one_line(reason)[:200]
    if not reason:
        raise Refusal("reason_missing", _("Say why."), field="reason")
    norm.void_reason = reason
    norm.save(update_fields=["void_reason"])
    return norm


def federation_of(issuer: str) -> Federation | None:
    """Return the federation that issues numbers and titles under this name, if it is one."""
    return Federation.objects.filter(code=issuer.upper()).first()


def numbers_of(federation: Federation, players: Collection[Player]) -> list[tuple[int, str]]:
    """Return the numbers that the federation has given to these people, each with the id of the person."""
    found = ExternalId.objects.filter(issuer=federation.issuer, player__in=players)
    return list(found.values_list("player", "value"))


def _issuer_for(player: Player, issuer: str, *, by: User | None) -> str:
    """Return the issuer as it is stored, for an officer who may write what it has recorded of the person."""
    issuer = issuer.strip().lower()
    if not re.fullmatch(rf"[a-z0-9_-]{{1,{MAX_ISSUER}}}", issuer):
        raise Refusal(
            "issuer_unreadable", _("An issuer is a short name such as dbgf: small letters and digits."), field="issuer"
        )
    federation = federation_of(issuer)
    if federation is not None:
        require_federation(by, federation)
    else:
        require_officer_of(by, [player])
    return issuer


def _code(code: str) -> str:
    code = one_line(code).upper()
    if not code or len(code) > MAX_CODE or not code.isprintable():
        raise Refusal("code_unreadable", _("A code has 1 to %(most)s characters.") % {"most": MAX_CODE}, field="code")
    return code


def _evidence(text: str) -> str:
    text = text.strip()
    if len(text) > MAX_EVIDENCE:
        raise Refusal(
            "evidence_too_long",
            _("The evidence is longer than %(limit)s characters.") % {"limit": MAX_EVIDENCE},
            field="evidence",
        )
    return text
