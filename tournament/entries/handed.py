"""Sheets handed from phone to phone without a network, each signed with the private link of its entry.

A sheet is ``<payload>.<mac>``: base64url of JSON, and of its HMAC-SHA256 under the token of the link. The opponent's
yes is signed in the same way with their link, and names the sheet by its SHA-256. Any phone with a network delivers
both; that it has them proves nothing about its own owner.
"""

import hmac
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from matches.claims import KEY, Claim
from matches.models import MOST_GAMES, Match, Scoresheet, SheetChange, SheetState
from players.errors import Conflict, Refusal
from rules.keeper import WORDS
from rules.score import Side
from rules.sheet import GameResult
from tournament.entries.links import Link, LinkEnded, token_of
from tournament.entries.report import confirm_by_link, report_by_link
from tournament.models import Entry
from tournament.models.team import find_fixture

LONGEST = 20_000
"""How many characters a signed text has at most."""
OLD_LINKS = 50
"""How many replaced links of an entry are tried, to say that a sheet was signed with one of them."""


@dataclass(frozen=True, slots=True)
class Handed:
    """A signed text as it came: what it says, the text that was signed, and its code."""

    says: Mapping[str, Any]
    text: str
    mac: bytes


@transaction.atomic
def take_handed(sheet: str, yes: str, *, at: datetime) -> tuple[Entry, Match, Side]:
    """Report the handed sheet for the entry that signed it and, with the opponent's ``yes``, confirm that report.

    Repeating this changes nothing. Returns the entry, the match and the side whose sheet it is. Raises Refusal for a
    text that nobody here has signed, LinkEnded if its link has ended, Conflict if something said later outweighs the
    signatures, and what reporting and confirming raise.
    """
    handed = read_handed(sheet)
    match, side = _match_in(handed), _side_in(handed)
    entry = _signed_by(handed, match, side)
    claim = Claim(key=_key_in(handed), base=_number(handed, "b"), games=_games_in(handed), confirmed=True)
    signed_at = _time_in(handed)
    report = report_by_link(entry, match, claim=claim, at=at)
    if yes:
        said = read_handed(yes)
        if (_match_in(said), _side_in(said)) != (match, side.other) or said.says.get("h") != digest_of(handed.text):
            raise _unreadable()
        _require_last_word(report, side.other, signed_at)
        confirm_by_link(_signed_by(said, match, side.other), match, number=report.number, at=at)
    return entry, match, side


def _require_last_word(report: Scoresheet, opponent: Side, signed_at: datetime) -> None:
    """Raise Conflict if the opponent has objected to this very report, or the desk has voided a result since then.

    An objection comes by the network and a signature may be older, so it can only be taken back where it was made.
    """
    if report.state not in Scoresheet.REPORTS:
        return
    objections = report.changes.filter(state=SheetState.DISPUTED, side=opponent, at__gt=report.at)
    if report.objector == opponent and objections.exists():
        raise Conflict("report_disputed", _("Somebody has objected to this report. The director will settle it."))
    if SheetChange.objects.filter(sheet__match=report.match_id, state=SheetState.VOID, at__gt=signed_at).exists():
        raise Conflict(
            "handed_outdated",
            _("A result of this match has been taken back since this sheet was signed. Report the score again."),
        )


def read_handed(text: str) -> Handed:
    """Read what the text says, without asking who signed it. Raises Refusal if it cannot be read."""
    payload, _dot, mac = text.partition(".")
    try:
        says = json.loads(_decoded(payload))
        if not isinstance(says, dict):
            raise ValueError
        return Handed(says, payload, _decoded(mac))
    except (ValueError, Error, RecursionError) as error:
        raise _unreadable() from error


def sign(says: Mapping[str, Any], token: str) -> str:
    """Return what is said as a phone with this token hands it on."""
    payload = _encoded(json.dumps(says, separators=(",", ":")).encode())
    return f"{payload}.{_encoded(_mac(token, payload))}"


def digest_of(payload: str) -> str:
    """Return how a yes names the sheet with this payload."""
    return _encoded(sha256(payload.encode()).digest())


def _signed_by(handed: Handed, match: Match, side: Side) -> Entry:
    """Return the entry on this side, whose link has signed the text."""
    fixture = find_fixture(match, "entry_a__event__tournament", "entry_b__event__tournament")
    entry = None if fixture is None else fixture.entry_a if side is Side.A else fixture.entry_b
    if entry is None:
        raise _unreadable()
    if hmac.compare_digest(_mac(token_of(entry), handed.text), handed.mac):
        return entry
    for epoch in range(max(entry.link_epoch - OLD_LINKS, 1), entry.link_epoch):
        if hmac.compare_digest(_mac(token_of(Link(entry.pk, epoch)), handed.text), handed.mac):
            sentence = _("This private link has been replaced: the director has the new one.")
            raise LinkEnded("link_replaced", sentence, event=entry.event)
    raise _unreadable()


def _mac(token: str, payload: str) -> bytes:
    return hmac.digest(token.encode(), payload.encode(), "sha256")


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def _match_in(handed: Handed) -> Match:
    match = Match.objects.filter(pk=_number(handed, "m")).first()
    if match is None:
        raise _unreadable()
    return match


def _side_in(handed: Handed) -> Side:
    said = _text(handed, "s")
    if said not in ("a", "b"):
        raise _unreadable()
    return Side(said.upper())


def _key_in(handed: Handed) -> str:
    said = _text(handed, "k")
    if re.match(KEY, said) is None:
        raise _unreadable()
    return said


def _games_in(handed: Handed) -> tuple[GameResult, ...]:
    games = handed.says.get("g")
    if not isinstance(games, list) or len(games) > MOST_GAMES:
        raise _unreadable()
    return tuple(map(_game, games))


def _game(said: object) -> GameResult:
    match said:
        case ["a" | "b" as winner, str(word), int(cube)] if word in WORDS and not isinstance(cube, bool):
            return GameResult(Side(winner.upper()), cube, *WORDS[word])
    raise _unreadable()


def _text(handed: Handed, name: str) -> str:
    said = handed.says.get(name)
    if not isinstance(said, str) or len(said) > 64:
        raise _unreadable()
    return said


def _time_in(handed: Handed) -> datetime:
    try:
        said = datetime.fromisoformat(_text(handed, "t"))
    except ValueError as error:
        raise _unreadable() from error
    if said.tzinfo is None:
        raise _unreadable()
    return said


def _number(handed: Handed, name: str) -> int:
    said = handed.says.get(name)
    if type(said) is not int or not 0 <= said < 2**31:
        raise _unreadable()
    return said


def _unreadable() -> Refusal:
    return Refusal("handed_invalid", _("This code is not a score sheet that was signed with a private link here."))
