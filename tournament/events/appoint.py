"""Roles: given, changed and removed; invitations to them."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.errors import Conflict, Forbidden, Refusal
from players.models import User
from tournament.changes.record import lock_hall, record_in_tournament
from tournament.models import Appointment, Event, Invitation, Role, Tournament
from tournament.models.roles import MAX_NOTE, WHOLE_TOURNAMENT
from tournament.roles.permissions import require_among
from tournament.sign_in.names import hold_names, require_free_name

DAYS_VALID = 7
MAX_DAYS_VALID = 60
MAX_OPEN = 50
STRENGTH = {role: len(Role) - position for position, role in enumerate(Role)}


def hash_token(token: str) -> str:
    """Return the stored form of an invitation's token; the token itself is only in the link."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def invite(
    tournament: Tournament,
    *,
    role: str,
    event: Event | None = None,
    note: str = "",
    days: int = DAYS_VALID,
    token: str | None = None,
    by: User,
    at: datetime,
) -> tuple[Invitation, str]:
    """Create an invitation to a role, which can be accepted once within this many days; return it with its token.

    The token is made here unless given, and stored nowhere. Raises Refusal for a role that does not fit, Forbidden for
    a role that ``by`` may not give.
    """
    tournament = _lock_place(tournament.pk, event.pk if event else None)
    chosen = _check_role(tournament, role, event)
    _require_power_over(tournament, chosen, by)
    note = " ".join(note.split())
    if len(note) > MAX_NOTE or not note.isprintable():
        raise Refusal(
            "note_invalid", _("Say in at most %(limit)s characters who the invitation is for.") % {"limit": MAX_NOTE}
        )
    if not 1 <= days <= MAX_DAYS_VALID:
        raise Refusal(
            "days_out_of_range", _("An invitation is valid for 1 to %(limit)s days.") % {"limit": MAX_DAYS_VALID}
        )
    if open_invitations(tournament, at).count() >= MAX_OPEN:
        raise Conflict(
            "invitations_too_many",
            _("%(limit)s invitations are open: withdraw some of them first.") % {"limit": MAX_OPEN},
        )
    token = token or secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        tournament=tournament,
        event=event,
        role=chosen,
        note=note,
        token_hash=hash_token(token),
        made_by=by,
        made_at=at,
        expires_at=at + timedelta(days=days),
    )
    record_in_tournament(
        tournament, verb="invite", by=by, at=at, event=event, role=role, note=note, invitation=invitation.pk, days=days
    )
    return invitation, token


def open_invitations(tournament: Tournament, at: datetime) -> QuerySet[Invitation]:
    """Return the invitations that can still be accepted."""
    return tournament.invitations.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=at)


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: User, at: datetime) -> Invitation:
    """Withdraw the invitation, so that nobody can accept it. Raises Conflict if it has been accepted."""
    tournament = _lock_place(invitation.tournament.pk, invitation.event_id)
    current = tournament.invitations.select_related("event").get(pk=invitation.pk)
    _require_power_over(tournament, Role(current.role), by)
    if current.accepted_at is not None:
        raise Conflict("invitation_used", _("This invitation has already been accepted."))
    if current.withdrawn_at is None:
        current.withdrawn_at = at
        current.save(update_fields=["withdrawn_at"])
        record_in_tournament(
            tournament,
            verb="withdraw_invitation",
            by=by,
            at=at,
            event=current.event,
            role=current.role,
            note=current.note,
            invitation=current.pk,
        )
    return current


def find_invitation(token: str) -> Invitation | None:
    """Return the invitation with this token, used or not; None if there is none, or if its place has been deleted."""
    found = Invitation.objects.select_related("tournament", "event__tournament", "made_by")
    invitation = found.filter(token_hash=hash_token(token)).first()
    gone = invitation is None or invitation.tournament.deleted_at or (invitation.event and invitation.event.deleted_at)
    return None if gone else invitation


def known_invitation(token: str) -> Invitation:
    """Return the invitation with this token. Raises Refusal if there is none."""
    found = find_invitation(token)
    if found is None:
        raise Refusal("invitation_unknown", _("This invitation link is not valid."))
    return found


def require_open(invitation: Invitation, at: datetime) -> None:
    """Raise Conflict, saying why, if the invitation can no longer be accepted."""
    if invitation.accepted_at is not None:
        raise Conflict("invitation_used", _("This invitation has already been accepted."))
    if invitation.withdrawn_at is not None:
        raise Conflict("invitation_withdrawn", _("This invitation has been withdrawn."))
    if invitation.expires_at <= at:
        raise Conflict("invitation_expired", _("This invitation has expired. Ask for another one."))


@transaction.atomic
def accept_invitation(token: str, *, by: User, at: datetime) -> Appointment:
    """Give ``by`` the role and use up the invitation. If two users accept it at once, only one gets the role.

    Raises Refusal for a token that belongs to no invitation, Conflict for an invitation that is used, withdrawn or
    expired, or if ``by`` already has this role or a stronger one.
    """
    found = known_invitation(token)
    tournament = _lock_place(found.tournament.pk, found.event_id)
    invitation = tournament.invitations.select_related("event").get(pk=found.pk)
    require_open(invitation, at)
    role = Role(invitation.role)
    appointment = tournament.appointments.filter(user=by, event=invitation.event).first()
    if appointment is None:
        appointment = Appointment(tournament=tournament, event=invitation.event, user=by, role=role, since=at)
    elif STRENGTH[Role(appointment.role)] >= STRENGTH[role]:
        raise Conflict(
            "role_held",
            _("You already have the role of %(role)s here.") % {"role": Role(appointment.role).label.lower()},
        )
    appointment.role = role
    appointment.save()
    invitation.accepted_by, invitation.accepted_at = by, at
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    record_in_tournament(
        tournament,
        verb="accept_invitation",
        by=by,
        at=at,
        event=invitation.event,
        user=by.username,
        role=invitation.role,
        invitation=invitation.pk,
    )
    return appointment


@transaction.atomic
def sign_up(token: str, *, username: str, password: str, at: datetime) -> Appointment:
    """Create a user who accepts the invitation; if that fails, no user is created either.

    The password has been checked. Raises as :func:`accept_invitation` does, and Refusal for a name that somebody has.
    """
    hold_names()
    require_free_name(username)
    user = User.objects.create_user(username, password=password)
    return accept_invitation(token, by=user, at=at)


@transaction.atomic
def change_role(appointment: Appointment, *, role: str, by: User, at: datetime) -> Appointment:
    """Give the user another role in the same tournament or event; the last owner remains an owner.

    Raises Refusal, Forbidden or Conflict.
    """
    tournament, current = _lock_appointment(appointment)
    chosen = _check_role(tournament, role, current.event)
    _require_power_over(tournament, Role(current.role), by)
    _require_power_over(tournament, chosen, by)
    if chosen == current.role:
        return current
    _keep_an_owner(tournament, current)
    before, current.role = current.role, chosen
    current.save(update_fields=["role"])
    record_in_tournament(
        tournament,
        verb="change_role",
        by=by,
        at=at,
        event=current.event,
        user=current.user.username,
        changes={"role": [before, role]},
    )
    return current


@transaction.atomic
def take_role(appointment: Appointment, *, by: User, at: datetime) -> None:
    """Remove the role, keeping it in the log. Users may give up their own role, unless they are the last owner."""
    tournament, current = _lock_appointment(appointment)
    if current.user_id != by.pk:
        _require_power_over(tournament, Role(current.role), by)
    _keep_an_owner(tournament, current)
    event, user, role = current.event, current.user, current.role
    current.delete()
    record_in_tournament(tournament, verb="take_role", by=by, at=at, event=event, user=user.username, role=role)


def _check_role(tournament: Tournament, role: str, event: Event | None) -> Role:
    if role not in Role.values:
        raise Refusal("role_unknown", _("There is no role “%(role)s”.") % {"role": role[:40]})
    if event is not None and event.tournament_id != tournament.pk:
        raise Refusal("event_of_another", _("This event belongs to another tournament."))
    chosen = Role(role)
    if chosen is Role.DEPUTY and event is None:
        raise Refusal("deputy_without_event", _("A deputy needs an event: name one."))
    if chosen in WHOLE_TOURNAMENT and event is not None:
        raise Refusal(
            "role_of_the_tournament", _("Owners and directors belong to the whole tournament, not to one event.")
        )
    return chosen


def _require_power_over(tournament: Tournament, role: Role, by: User) -> None:
    _user, allowed = require_among(by, tournament, "change_roles")
    if role in WHOLE_TOURNAMENT and "change_directors" not in allowed:
        raise Forbidden("role_above_yours", _("Only an owner can appoint or remove owners and directors."))


def _lock_place(tournament_id: int, event_id: int | None) -> Tournament:
    """Return the tournament with its roles locked, having first locked the role's event, even a deleted one.

    The log of the event tells of the role too.
    """
    if event_id is not None:
        Event.everything.select_for_update().filter(pk=event_id).first()
    return lock_hall(tournament_id)


def _lock_appointment(appointment: Appointment) -> tuple[Tournament, Appointment]:
    tournament = _lock_place(appointment.tournament.pk, appointment.event_id)
    current = tournament.appointments.select_related("user", "event").filter(pk=appointment.pk).first()
    if current is None:
        raise Conflict("role_gone", _("This role has already been removed."))
    return tournament, current


def last_owner(held: Sequence[Appointment]) -> Appointment | None:
    """Return the only owner among all a tournament's roles, who cannot leave; None if there are several."""
    owners = [appointment for appointment in held if appointment.role == Role.OWNER]
    return owners[0] if len(owners) == 1 else None


def _keep_an_owner(tournament: Tournament, leaving: Appointment) -> None:
    others = tournament.appointments.filter(role=Role.OWNER).exclude(pk=leaving.pk)
    if leaving.role == Role.OWNER and not others.exists():
        raise Conflict("last_owner", _("A tournament needs an owner: make someone else an owner first."))
