"""Access tokens: made once and shown once, found by their hash, ended by hand, by time or with the password."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from players.statements import Statement
from tournament.models import AccessToken, Happening, Scope
from tournament.sign_in.events import record_event
from tournament.work import ask_on_commit

MARK = "sixp_"
"""How every token begins, so that a program that looks for leaked secrets knows one."""

SHOWN = 12
MOST = 50
DAYS_VALID = 365
MAX_DAYS_VALID = 3 * 365
MAX_NAME = 80
NOTED_EACH = timedelta(hours=1)

_BY_DIGEST = Statement(lambda digest: AccessToken.objects.filter(digest=digest).select_related("user"))


def digest_of(key: str) -> str:
    return sha256(key.encode()).hexdigest()


@transaction.atomic
def make_token(
    user: User, *, name: str, scope: str, days: int | None, at: datetime, push_out: bool = False
) -> tuple[AccessToken, str]:
    """Return a new token and its key, which nobody can learn from the database; without ``days`` it never expires.

    A user has at most 50. With ``push_out`` a new one takes the place of that which was not used for longest; otherwise
    raises Conflict. Raises Refusal for a name, a scope or a time that no token may have.
    """
    if not name.strip() or len(name) > MAX_NAME:
        raise Refusal("token_name_invalid", _("Give the token a name of at most 80 characters."), field="name")
    if scope not in Scope.values:
        raise Refusal("token_scope_unknown", _("A token reads, or reads and writes."), field="scopes")
    if days is not None and not 1 <= days <= MAX_DAYS_VALID:
        raise Refusal("token_days_invalid", _("A token is valid for 1 to 1095 days."), field="days")
    User.objects.select_for_update().get(pk=user.pk)
    _make_room(user, at, push_out)
    key = MARK + secrets.token_urlsafe(32)
    token = AccessToken.objects.create(
        user=user,
        name=name.strip(),
        scope=scope,
        prefix=key[:SHOWN],
        digest=digest_of(key),
        made_at=at,
        expires_at=None if days is None else at + timedelta(days=days),
    )
    record_event(Happening.TOKEN_MADE, user, at=at)
    return token, key


def _make_room(user: User, at: datetime, push_out: bool) -> None:
    held = list(user.access_tokens.all())
    if len(held) < MOST:
        return
    gone = [token for token in held if token.expires_at is not None and token.expires_at <= at]
    if not gone and push_out:
        gone = [min(held, key=lambda token: token.used_at or token.made_at)]
    if not gone:
        raise Conflict("too_many_tokens", _("You have 50 access tokens: end one that you no longer need."))
    AccessToken.objects.filter(pk__in=[token.pk for token in gone]).delete()


def find_token(key: str, *, at: datetime) -> AccessToken | None:
    """Return the token with this key, if it works at this moment; its user may sign in."""
    for token in _BY_DIGEST.find(AccessToken, digest_of(key)):
        if token.user.is_active and (token.expires_at is None or at < token.expires_at):
            return token
    return None


def note_use(token: AccessToken, *, at: datetime) -> None:
    """Ask a worker to store when the token was last used, about once an hour: no reader waits for a writer."""
    recent = token.used_at is not None and abs(at - token.used_at) < NOTED_EACH
    if not recent and cache.add(f"token-used-{token.pk}", 1, NOTED_EACH.total_seconds() / 2) is not False:
        ask_on_commit("note_token_use", token.pk, at.isoformat())


def store_use(token_id: int, *, at: datetime) -> None:
    """Store when the token was last used."""
    AccessToken.objects.filter(pk=token_id).update(used_at=at)


@transaction.atomic
def end_token(token: AccessToken, *, at: datetime, by: User | None = None) -> None:
    """End the token. Nothing happens if it has ended already."""
    if AccessToken.objects.filter(pk=token.pk).delete()[0]:
        record_event(Happening.TOKEN_ENDED, token.user, at=at, by=by)


def end_tokens_of(user: User) -> None:
    """End all tokens of the user."""
    AccessToken.objects.filter(user=user).delete()
