"""Permissions: everybody may read draws, results and standings; PERMISSIONS governs the rest.

A role in the tournament holds for all its events, a role in an event for that event alone. To add an action, add its
line here and the verbs of the log that it permits to VERBS_OF, ask :func:`require` for it in the page and in the API,
and name their addresses in ``tests/tournament/roles/addresses.py``, which the tests go through.

Pages and API ask before they show anything. What counts is asked under the lock, when the row of the log is written:
:func:`require_author`.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from matches.models import Match
from players.errors import Forbidden
from players.models import Player, User
from players.registry.roles import reach_of, rights_over, told_in_registry
from players.statements import Statement
from tournament.models import Appointment, Entry, Event, LogEntry, Role, Tournament
from tournament.models.team import FORMER_PLACE, PLACES

Key = TypeVar("Key", bound=Hashable)

OWNER = frozenset({Role.OWNER})
DIRECTORS = OWNER | {Role.DIRECTOR}
RULERS = DIRECTORS | {Role.DEPUTY}
SCORERS = RULERS | {Role.SCORER}
ALL = frozenset(Role)

PERMISSIONS: Mapping[str, frozenset[Role]] = {
    # The tournament
    "change_tournament": DIRECTORS,
    "create_event": DIRECTORS,
    "delete_tournament": OWNER,
    "restore_tournament": OWNER,
    # Directors appoint deputies, scorers and readers; only an owner appoints owners and directors.
    "see_roles": ALL,
    "change_roles": DIRECTORS,
    "change_directors": OWNER,
    "read_log": ALL,
    "see_cash": DIRECTORS,
    # An event
    "change_event": RULERS,
    "change_entries": RULERS,
    "check_in": SCORERS,
    "merge_players": DIRECTORS,
    "make_draw": RULERS,
    "type_dice": SCORERS,
    "finish_event": RULERS,
    "enter_play_off": RULERS,
    "make_challenge": RULERS,
    "handle_money": RULERS,
    "delete_event": DIRECTORS,
    "restore_event": DIRECTORS,
    # The hall: tables and breaks belong to the whole tournament, a call to its match.
    "see_desk": ALL,
    "call_match": SCORERS,
    "change_hall": DIRECTORS,
    "announce": RULERS,
    # A match
    "enter_result": SCORERS,
    # A report that nobody disputes; one in dispute is settled by those who rule.
    "confirm_report": SCORERS,
    "settle_report": RULERS,
    "repair_result": RULERS,
    "undo": RULERS,
    "void_result": RULERS,
    "rule_match": RULERS,
    "seat_reserve": RULERS,
    "move_deadline": RULERS,
}

VERBS_OF: Mapping[str, tuple[str, ...]] = {
    "change_tournament": ("update_tournament", "set_divisions"),
    "create_event": ("create_event",),
    "delete_tournament": ("delete_tournament",),
    "restore_tournament": ("restore_tournament",),
    "change_event": ("update_event", "add_stage", "remove_stage", "set_door", "set_self_entry", "save_template"),
    "change_entries": (
        *("add_entries", "remove_entry", "seed_entry", "set_seeding", "keep_apart", "set_home_evening"),
        *("withdraw_entry", "return_entry", "move_up", "put_to_wait", "leave_event", "undo_leaving"),
        *("leave_out_absent", "replace_player", "renew_links", "answer_page_request"),
    ),
    "check_in": ("check_in", "undo_check_in", "check_in_all", "undo_check_in_all"),
    "make_draw": (
        *("make_draw", "cancel_draw", "change_draw", "end_draw_change"),
        *("close_entries", "reopen_entries", "enter_drand"),
    ),
    "type_dice": ("type_dice", "repeat_dice"),
    "finish_event": ("finish_event", "reopen_event", "answer_report"),
    "enter_play_off": ("enter_play_off", "void_play_off"),
    "make_challenge": ("challenge", "withdraw_challenge"),
    "handle_money": (
        *("set_money", "settle_accounts", "reverse_payment", "open_side_pool", "join_side_pool", "leave_side_pool"),
        *("make_lots", "dissolve_lot", "sell_lot"),
    ),
    "delete_event": ("delete_event",),
    "restore_event": ("restore_event",),
    "call_match": (
        *("call_match", "start_match", "move_match", "recall_match"),
        *("call_director", "answer_director", "end_director_call"),
    ),
    "change_hall": ("add_tables", "update_table", "add_break", "remove_break", "set_site_address"),
    "announce": ("announce", "withdraw_announcement", "end_announcement"),
    "enter_result": (
        "enter_result",
        "correct_result",
        "report_result",
        "walk_over",
        "void_walkover",
        "set_error_rates",
        "attach_record",
        "detach_record",
    ),
    "confirm_report": ("confirm_result",),
    "settle_report": ("dispute_result",),
    "repair_result": ("end_advance",),
    "void_result": ("void_result",),
    "rule_match": ("ruling",),
    "seat_reserve": ("seat_reserve",),
    "move_deadline": ("move_deadline", "restore_deadline"),
}
"""The verbs of the log that an action permits: no row is written for a person who may not take it."""

ASKED_BY_THE_SERVICE = frozenset(
    {
        *("create_tournament", "accept_invitation", "remove_template"),  # open to everybody
        *("invite", "withdraw_invitation", "change_role", "take_role"),  # the role in question decides
        *("merge_players", "undo_merge", "delete_person"),  # in every tournament that either player has entered
        "give_word",  # the private link of the entry
        *("extend_deadline", "offer_to_play"),  # the private link of the entry
        *("confirm_by_time", "withdraw_report"),  # nobody has objected for so long; the private link of the entry
        *("redeclare", "sanction_event", "withdraw_sanction", "rule_on_rating"),  # an officer of the list
        *("accept_report", "return_report", "queue_report"),  # an officer of the list
        "begin_chain",  # the program does it, while somebody does something else
        "import_event",  # a command alone does it
    }
)
"""The verbs that no single action permits: their services ask under the lock before they write."""

ACTION_OF = {verb: action for action, verbs in VERBS_OF.items() for verb in verbs}


EVERYWHERE = frozenset({"see_desk", "see_roles"})
"""The actions in the whole tournament that a role in one event permits: viewing the desk and the roles."""


def roles_in(user: User | AnonymousUser, subject: Tournament | Event) -> frozenset[Role]:
    """Return the user's roles in ``subject``. A superuser is an owner everywhere; an inactive user has no role."""
    if isinstance(user, AnonymousUser) or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return OWNER
    if isinstance(subject, Event):
        held = _HELD.rows(user.pk, subject.tournament_id)
        return frozenset(Role(role) for event, role in held if event in (subject.pk, None))
    return frozenset(Role(role) for event, role in _HELD.rows(user.pk, subject.pk) if event is None)


_HELD = Statement(
    lambda user, tournament: Appointment.objects.filter(user=user, tournament=tournament).values_list(
        "event_id", "role"
    )
)
"""The roles of a user in a tournament and its events."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where in a tournament a user may act: in the ``whole`` of it, or in ``events``. ``in`` tests an event's id."""

    whole: bool
    events: frozenset[int] = frozenset()

    def __contains__(self, event_id: int) -> bool:
        return self.whole or event_id in self.events

    def __bool__(self) -> bool:
        return self.whole or bool(self.events)


def reaches_in(user: User | AnonymousUser, tournament: Tournament) -> dict[str, Reach]:
    """Return the user's reach in this tournament for each action of PERMISSIONS, in one query."""
    held = _roles_by_event(user, tournament)
    reaches = {}
    for action, allowed in PERMISSIONS.items():
        events = frozenset(event for event, roles in held.items() if event is not None and roles & allowed)
        whole = bool(held.get(None, frozenset()) & allowed) or (action in EVERYWHERE and bool(events))
        reaches[action] = Reach(whole, events)
    return reaches


def _roles_by_event(user: User | AnonymousUser, tournament: Tournament) -> dict[int | None, frozenset[Role]]:
    """Return the user's roles by event, with those in the whole tournament under None."""
    if isinstance(user, AnonymousUser) or not user.is_active:
        return {}
    if user.is_superuser:
        return {None: OWNER}
    held: dict[int | None, frozenset[Role]] = {}
    for event, role in _HELD.rows(user.pk, tournament.pk):
        held[event] = held.get(event, frozenset()) | {Role(role)}
    return held


def actions_of(user: User | AnonymousUser, subject: Tournament | Event) -> frozenset[str]:
    """Return the actions of PERMISSIONS permitted to the user in ``subject``."""
    if isinstance(subject, Tournament):
        return frozenset(action for action, reach in reaches_in(user, subject).items() if reach.whole)
    roles = roles_in(user, subject)
    return frozenset(action for action, allowed in PERMISSIONS.items() if roles & allowed)


def may(user: User | AnonymousUser, subject: Tournament | Event, action: str) -> bool:
    """Whether the user may perform ``action`` in ``subject``; if not, :func:`require` raises Forbidden."""
    return action in actions_of(user, subject)


def require(user: User | AnonymousUser, subject: Tournament | Event, action: str) -> User:
    """Return the user, if allowed ``action`` in ``subject``. Raises Forbidden, naming the roles that permit it."""
    return require_among(user, subject, action)[0]


def require_among(user: User | AnonymousUser, subject: Tournament | Event, action: str) -> tuple[User, frozenset[str]]:
    """Do the same as :func:`require`, and also return all the actions permitted to the user in ``subject``."""
    allowed = actions_of(user, subject)
    if isinstance(user, AnonymousUser) or action not in allowed:
        raise forbidden(subject, action)
    return user, allowed


def require_author(by: User | None, subject: Tournament | Event, verb: str) -> None:
    """Raise Forbidden if ``by`` may not, at this moment, write a row of this verb about ``subject``.

    None is the program itself: a command, a worker's own work, or a player whose private link has been asked.
    """
    if by is not None and verb not in ASKED_BY_THE_SERVICE:
        require(by, subject, ACTION_OF[verb])


def forbidden(subject: Tournament | Event, action: str) -> Forbidden:
    """Return the error for a user who may not perform ``action`` in ``subject``: it names the roles that permit it."""
    return Forbidden("role_missing", who_may(subject, action))


def who_may(subject: Tournament | Event, action: str) -> str:
    """Say in a sentence which roles permit ``action`` in ``subject``."""
    roles = names_of(PERMISSIONS[action])
    return _("Only these roles may do this in “%(place)s”: %(roles)s.") % {"place": subject.name, "roles": roles}


def require_to_take(user: User | AnonymousUser, appointment: Appointment) -> User:
    """Return the user, who may remove the role if it is their own or they may change roles. Raises Forbidden."""
    if appointment.user_id == user.pk:
        return require_signed_in(user)
    return require(user, appointment.tournament, "change_roles")


def names_of(roles: Iterable[Role]) -> str:
    """Return the names of the roles in the reader's language, the most powerful first."""
    chosen = set(roles)
    return ", ".join(str(role.label) for role in Role if role in chosen)


def require_signed_in(user: User | AnonymousUser) -> User:
    """Return the user, if signed in. Raises Forbidden otherwise."""
    if isinstance(user, AnonymousUser):
        raise Forbidden("not_signed_in", _("Sign in to do this."))
    return user


def may_merge(user: User | AnonymousUser) -> bool:
    """Whether the user directs a tournament or is an officer of a federation, and may therefore merge players."""
    if isinstance(user, AnonymousUser) or not user.is_active:
        return False
    return user.is_superuser or _tournaments_of_merger(user).exists() or reach_of(user).is_officer


def require_merger(user: User | AnonymousUser, players: Iterable[Player]) -> User:
    """Return the user, if the players are known from tournaments alone in which the user may merge players.

    An officer may merge the members of their federation, and people of none into them. The same right lets them read
    and delete what is kept about a player. Somebody of whom the registry or an official list tells anything is for
    officers: a director can enter anybody in a tournament. A player who is in no tournament and no federation, such as
    one of imported match records, is for administrators only; a duplicate that has been merged goes with the player
    who was kept. Raises Forbidden.
    """
    if isinstance(user, AnonymousUser) or not may_merge(user):
        raise Forbidden("role_missing", _("Only a director may merge players."))
    if not may_merge_these(user, {None: {player.pk for player in players}}):
        raise Forbidden(
            "role_missing",
            _(
                "Only someone who directs every tournament in which these players have played may do this, and an "
                "officer for the members of a federation. Ask an administrator."
            ),
        )
    return user


def require_reader(user: User | AnonymousUser, player: Player) -> User:
    """Return the user, if :func:`require_merger` lets them read and delete what is kept about the player.

    Raises Forbidden, in words that the player understands too.
    """
    if isinstance(user, AnonymousUser) or not may_merge_these(user, {None: {player.pk}}):
        raise Forbidden(
            "role_missing",
            _(
                "What is kept about a player is given out and deleted by a director of every tournament in which they "
                "have played, or an officer of their federation. Ask one of them, or an administrator."
            ),
        )
    return user


def may_merge_these(user: User | AnonymousUser, merges: Mapping[Key, Collection[int]]) -> frozenset[Key]:
    """Return the keys of the merges that :func:`require_merger` lets the user make or undo, in a few queries.

    ``merges`` are the ids of the players of each.
    """
    if not merges or isinstance(user, AnonymousUser) or not may_merge(user):
        return frozenset()
    everybody = {player for players in merges.values() for player in players}
    beyond = _beyond_merger(user, everybody)
    rights = rights_over(reach_of(user), list(Player.objects.filter(pk__in=everybody))) if beyond else {}

    def keeps(players: Collection[int]) -> bool:
        theirs = [rights[player] for player in players if player in rights]
        return any(one.is_own for one in theirs) and all(one.officer for one in theirs)

    return frozenset(key for key, players in merges.items() if beyond.isdisjoint(players) or keeps(players))


def _beyond_merger(user: User, players: Collection[int]) -> set[int]:
    """Return which of these players are not known from tournaments alone in which the user may merge players.

    A player who is in the registry is known from there as well.
    """
    if user.is_superuser:
        return set()
    own = _tournaments_of_merger(user).values("tournament")
    entries = Entry.objects.filter(_is_one_of("player", "partner", "members__player"))
    played_here = Q()
    for place in (*PLACES, FORMER_PLACE):
        played_here |= Q(**{f"{place}__in": own})
    matches = Match.objects.filter(_is_one_of("side_a", "side_b", "partner_a", "partner_b"))
    within = (
        Player.objects.filter(pk__in=players)
        .annotate(person=Coalesce("merged_into", "pk"))
        .filter(
            Exists(entries.filter(event__tournament__in=own)),
            ~Exists(entries.exclude(event__tournament__in=own)),
            ~Exists(matches.exclude(played_here)),
            ~Exists(told_in_registry().filter(_is_one_of("pk", "merged_into"))),
        )
    )
    return set(players) - set(within.values_list("pk", flat=True))


def _is_one_of(*seats: str) -> Q:
    found = Q()
    for seat in seats:
        found |= Q(**{seat: OuterRef("person")})
    return found


def require_undo(user: User | AnonymousUser, row: LogEntry) -> User:
    """Return the user, if permitted to undo in the row's event; undoing a merge requires permission to merge.

    Raises Forbidden.
    """
    if row.verb == "merge_players":
        return require_merger(user, Player.objects.filter(pk__in=row.detail.get("ids", [])))
    return require_signed_in(user)


def _tournaments_of_merger(user: User) -> QuerySet[Appointment]:
    return user.appointments.filter(event=None, role__in=PERMISSIONS["merge_players"])
