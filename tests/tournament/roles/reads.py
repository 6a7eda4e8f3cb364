"""Every address that can be read, who may read it, and who may see what is private there.

A new address needs a line in READS, and a new private field a text in :mod:`tests.tournament.roles.planted` with a line
in SECRETS.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

PUBLIC, SIGNED_IN, WRITES, OWN, SITE, STEP = "public", "signed in", "writes", "own", "site", "step"
"""Read by everybody; by everybody who is signed in; not read at all, but written; by the user whose it is alone; by
administrators of the site; by a user who has just done the step before, so by nobody here."""


@dataclass(frozen=True)
class Read:
    """``own`` are the addresses of one name, by what they hold; ``status`` is the answer to those who may read it.

    ``event`` is the name of the event that it is about, and ``token`` the kind of secret in it.
    """

    who: str
    own: tuple[Mapping[str, object], ...] = ({},)
    status: int = 200
    token: str = "link"
    query: str = ""
    events: tuple[str, ...] = ("Main",)


ALL_EVENTS = ("Main", "Families", "Fresh", "Thrown", "Dice")
"""Events in each of which something else is private."""
TABLES = ("standings", "results", "pairings", "schedule", "entries", "report", "order")
EXPORTS = tuple({"name": name} for name in TABLES)
MONEY = tuple({"name": name} for name in ("payments", "payouts", "dues", "accounts"))


def named(who: str, names: str) -> dict[str, Read]:
    """Every one of these names, separated by spaces, with the same readers."""
    return {name: Read(who) for name in names.split()}


PAGES: Mapping[str, Read] = {
    **named(PUBLIC, "login home app-manifest service-worker handed offline advice tournament tournament-feed"),
    **named(
        PUBLIC, "calendar tournament-picture hall-screen table-overlay match-overlay day table-here bracket screen"
    ),
    **named(
        PUBLIC,
        "story event-picture prizes paper print-round find-me match records record rules check-draw search",
    ),
    **named(PUBLIC, "check-event-file players suggestions player versus rankings ranking ranking-file sheet"),
    **named(PUBLIC, "federations federation club official-lists enter-oneself"),
    "choose-language": Read(PUBLIC, status=302),
    **{name: Read(PUBLIC, events=ALL_EVENTS) for name in ("event", "pairings", "standings", "event-feed", "history")},
    "entries": Read(PUBLIC, events=ALL_EVENTS),
    "event-draws": Read(PUBLIC, events=("Families", "Thrown")),
    "draw-file": Read(PUBLIC, events=("Families", "Thrown")),
    "event-interchange": Read(PUBLIC, events=ALL_EVENTS),
    "event-trf": Read(PUBLIC, status=409),
    "download": Read(PUBLIC, tuple({**one, "format": "csv"} for one in EXPORTS)),
    # With a link of one's own
    **{name: Read(PUBLIC) for name in ("my-entry", "my-day", "score-keeper")},
    **{name: Read(PUBLIC, token="invitation") for name in ("invitation", "sign-up")},
    "asked-page": Read(PUBLIC, token="request"),
    "confirm-alerts": Read(PUBLIC, token="confirming"),
    "stop-alerts": Read(PUBLIC, token="stopping"),
    # With a role
    **named(SIGNED_IN, "new-tournament templates my-exports"),
    "my-new-export": Read(SIGNED_IN, ({"kind": "results"},)),
    "job": Read(OWN),
    "money-session": Read(OWN),
    "money-sessions": Read(SIGNED_IN),
    "money-act": Read(WRITES),
    "log": Read("read_log"),
    "log-file": Read("read_log", ({"format": "csv"}, {"format": "json"})),
    "event-log": Read("read_log", events=("Main", "Families")),
    "event-log-file": Read("read_log", ({"format": "csv"}, {"format": "json"})),
    "roles": Read("see_roles"),
    **named("see_desk", "desk desk-find"),
    **named("change_tournament", "tournament-settings tournament-again divisions"),
    **named("create_event", "new-event event-again"),
    **named("change_event", "settings"),
    **named("delete_tournament", "delete-tournament"),
    **named("delete_event", "delete-event"),
    **named("see_cash", "cash"),
    "cash-file": Read("see_cash", ({"format": "csv"},)),
    "tables": Read("change_hall"),
    **named("merge_players", "merge-player personal-data personal-file"),
    **named("handle_money", "money money-terms payout-sheet side-pools"),
    "calcutta": Read("handle_money", events=("Door",)),
    **{name: Read("handle_money", MONEY) for name in ("money-csv", "money-xlsx")},
    **named("change_entries", "entry import-entries seeding"),
    "change-draw": Read("make_draw"),
    # Of the door and of a user's own account
    **named(PUBLIC, "account_login account_inactive account_confirm_email account_reset_password"),
    **named(PUBLIC, "account_reset_password_done account_reset_password_from_key"),
    **named(PUBLIC, "account_reset_password_from_key_done"),
    **named(SIGNED_IN, "user-account access-tokens usersessions_list account_email account_change_password"),
    **named(SIGNED_IN, "account_reauthenticate mfa_index mfa_list_webauthn"),
    **named(STEP, "account_set_password mfa_activate_totp mfa_add_webauthn mfa_authenticate mfa_deactivate_totp"),
    **named(STEP, "mfa_edit_webauthn mfa_generate_recovery_codes mfa_login_webauthn mfa_reauthenticate"),
    **named(STEP, "mfa_reauthenticate_webauthn mfa_remove_webauthn mfa_view_recovery_codes"),
    # Of the site
    **named(SITE, "users user sign-in-log backups inbox officer-event"),
    # Of the registry: tests/tournament/pages/test_registry_pages.py reads them with the roles that are its own.
    **named(SITE, "new-federation edit-federation members import-members import-file new-club edit-club"),
    **named(SITE, "new-list new-series federation-titles title-table"),
    "series": Read(PUBLIC, status=404),
    **{name: Read(SIGNED_IN, status=404) for name in ("edit-series", "series-events", "edit-series-event")},
    "player-titles": Read(PUBLIC),
    **named(SITE, "person new-person duplicates"),
    **named(WRITES, "person-act appoint-officer appoint-manager end-registry-role undo-import"),
    **named(SITE, "exports export-profile export-file kept-export webhooks webhook"),
    "new-export": Read(SITE, ({"kind": "members"},)),
    **named(WRITES, "make-export remove-export end-webhook send-again award-title remove-series-event delete-series"),
    # Of an official list and its reports, of which there are none here
    **{name: Read(SIGNED_IN, status=404) for name in ("list-policy", "anomalies", "event-report")},
    **{name: Read(SIGNED_IN, status=404) for name in ("edit-list", "list-starts", "publish-list", "rehearse-switch")},
    "draft-file": Read(SIGNED_IN, status=404),
    **{name: Read(PUBLIC, status=404) for name in ("official-list", "publication", "publication-file")},
    **{name: Read(PUBLIC, status=404) for name in ("list-corrections", "list-player", "list-moves")},
    "backup-file": Read(SITE, status=404),
    # Written
    **named(WRITES, "account_logout end-access-token user-act back-up-now"),
    **named(WRITES, "logout act add-break add-stage announce answer-page-request ask-for-page call-ready cancel-job"),
    **named(
        WRITES,
        "change-role check-in-all close-entries desk-act door door-check-in door-leave door-move-up",
    ),
    **named(WRITES, "door-replace door-undo-check-in door-undo-leaving door-wait end-advance end-draw-change enter"),
    **named(WRITES, "attach-record detach-record my-record api:my-record accept-record take-back-record"),
    **named(WRITES, "enter-play-off error-rates home-evening import-records leave-out-absent make-challenge my-alerts"),
    **named(WRITES, "my-alerts-browser my-answer my-challenge my-check-in my-dice my-director my-report my-withdrawal"),
    **named(
        WRITES, "my-word pay-part remove-break remove-entries remove-entry remove-stage remove-template renew-link"
    ),
    **named(
        WRITES, "renew-links reopen-entries reserve restore-event restore-tournament return-entry rule save-template"
    ),
    **named(
        WRITES, "sell-lot settle settle-report side-member site-address stop-my-alerts take-payment-back take-role"
    ),
    **named(WRITES, "type-dice type-round undo undo-merge update-table use-template void void-play-off walkover"),
    **named(WRITES, "withdraw-announcement withdraw-challenge withdraw-entry withdraw-invitation"),
    **named(WRITES, "set-self-entry my-entry-back next-season"),
    **named(WRITES, "move-deadline my-extension my-offer"),
    **named(WRITES, "decide-report answer-report rule-on-rating redeclare approve-event"),
}

API: Mapping[str, Read] = {
    **named(PUBLIC, "match match-overlay rulings tournaments table-overlay tournament events day tables breaks"),
    **named(PUBLIC, "announcements play-offs draw-changes challenges money prizes side-pools event-at"),
    **named(
        PUBLIC, "players player career versus player-matches ranking-lists ranking-table ranking occasions formats"
    ),
    **named(PUBLIC, "tiebreaks profiles rules-disputes schema docs problems problem"),
    **{name: Read(PUBLIC, events=ALL_EVENTS) for name in ("event", "entries", "history", "closings")},
    "draw-file": Read(PUBLIC, events=("Families", "Thrown")),
    "event-interchange": Read(PUBLIC, events=ALL_EVENTS),
    "event-trf": Read(PUBLIC, status=409),
    "event-table": Read(PUBLIC, EXPORTS),
    "rated": Read(PUBLIC),
    "record": Read(PUBLIC),
    **named(WRITES, "acceptance acceptance-back"),
    "list-policies": Read(PUBLIC, status=404),
    "official-lists": Read(PUBLIC),
    **{name: Read(PUBLIC, status=404) for name in ("official-list", "publications", "publication")},
    **{name: Read(PUBLIC, status=404) for name in ("publication-file", "publication-lines", "list-corrections")},
    **{name: Read(PUBLIC, status=404) for name in ("list-player", "list-moves")},
    **{name: Read(SIGNED_IN, status=404) for name in ("list-draft", "list-starts")},
    "event-reports": Read(SITE),
    "event-report": Read(SIGNED_IN, status=404),
    "advice": Read(PUBLIC, status=400),
    **{name: Read(PUBLIC, status=400) for name in ("rules-plays", "rules-judge", "rules-equity")},
    "nothing": Read(PUBLIC, status=404),
    "sheet": Read(PUBLIC),
    "page-request": Read(PUBLIC, token="request"),
    **named(SIGNED_IN, "templates me my-exports my-export-profiles"),
    "job": Read(OWN),
    **named(PUBLIC, "federations federation clubs club all-series"),
    "series": Read(PUBLIC, status=404),
    **named(SITE, "officers members imports person duplicates federation-titles"),
    **named(PUBLIC, "titles title-tables"),
    **named(WRITES, "people memberships membership numbers number norms void-norm aliases alias visibility"),
    **named(WRITES, "visibility-requests visibility-request person-users import-members undo-import managers"),
    **named(PUBLIC, "export-kinds"),
    **named(SITE, "exports export-profiles export-profile kept-export webhooks webhook deliveries"),
    "export-file": Read(SITE, query="first=2026-01-01&last=2026-12-31"),
    **named(WRITES, "registry-role make-export send-again series-events series-event"),
    **named("see_desk", "hall"),
    **named("enter_result", "match-records"),
    **named(PUBLIC, "divisions"),
    **named("change_tournament", "next-season"),
    **named("change_hall", "site-address"),
    **named("see_roles", "roles invitations"),
    **named("read_log", "tournament-log tournament-log-table log log-table"),
    "money-table": Read("handle_money", MONEY),
    **named("handle_money", "cash lots"),
    **named("see_cash", "tournament-cash cash-table"),
    **named("change_entries", "entry-link entry-links page-requests"),
    "seeding-proposal": Read("change_entries", query="ranking=fibs"),
    **named(WRITES, "absent accept announcement break call-match call-ready cancel-job challenge check-draw check-in"),
    **named(WRITES, "check-event-file self-entry self-entries"),
    **named(WRITES, "check-in-all confirm delete delete-event departure departure-preview director dispute door draw"),
    **named(WRITES, "draw-change end-advance entry entry-csv entry-import entry-list error-rates event-again family"),
    **named(WRITES, "finish from-template handed-over home-evening lateness lot merge money-preview move-match"),
    **named(WRITES, "my-director page-request-no page-request-yes part-payments payments play-off recall-match"),
    **named(WRITES, "remove-entries reopen reopen-entries replacement reports reserve restore restore-event result"),
    **named(WRITES, "result-preview return reversal role sale sale-back save-template seed seeding sheet-confirm"),
    **named(WRITES, "sheet-dispute side-pool-member sign-up stage stages start-match table template token"),
    **named(WRITES, "tournament-again type-dice type-round undo undo-merge verify void void-preview waiting walkover"),
    **named(WRITES, "withdraw withdraw-invitation decide-report answer-report sanction declaration"),
    **named(WRITES, "match-deadline my-extension my-offers match-record"),
}

UNNAMED = {"healthz", "readyz"}
"""Addresses without a name, which tell nothing of any tournament."""

READS: Mapping[str, Read] = {**PAGES, **{f"api:{name}": read for name, read in API.items()}}


@dataclass(frozen=True)
class Secret:
    """What the users may see who have ``action`` in the event where it is; and everybody at some ``addresses``.

    Without an action nobody may. ``in_main`` says that it is in Main, and not about all of the tournament. ``site`` are
    the addresses at which administrators see it.
    """

    action: str = ""
    in_main: bool = False
    addresses: frozenset[str] = field(default_factory=frozenset)
    site: frozenset[str] = field(default_factory=frozenset)


def at(names: str) -> frozenset[str]:
    return frozenset(names.split())


HISTORY = at("history api:history event-feed tournament-feed log log-file event-log event-log-file desk api:log") | at(
    "api:log-table api:tournament-log api:tournament-log-table"
)
"""Where the steps of an event are told."""

SECRETS: Mapping[str, Secret] = {
    "address": Secret("change_directors"),
    "agent": Secret("change_directors"),
    "asked_from": Secret(),
    "request_key": Secret(),
    "note": Secret("change_roles"),
    "leaving": Secret("read_log", in_main=True),
    "objection": Secret("settle_report", in_main=True),
    # A draw cannot be checked without the families that it kept apart.
    "family": Secret(
        "read_log",
        addresses=at("draw-file api:draw-file event-draws event-interchange api:event-interchange"),
    ),
    # It was public until it was withdrawn, and the history says so.
    "withdrawn": Secret(addresses=HISTORY),
    "payer": Secret("handle_money", in_main=True),
    "buyer": Secret("handle_money"),
    "template": Secret("own"),
    "deleted": Secret("read_log"),
    "push": Secret(),
    "mail": Secret(site=at("users user")),
    "login": Secret("see_roles", site=at("users user sign-in-log")),
    "dice": Secret(),
    "api_token": Secret(),
    "own_token": Secret("own"),
    "own_mail": Secret("own", site=at("users user")),
    "door": Secret("own", site=at("sign-in-log user")),
    "backup": Secret(site=at("backups")),
    "invitation": Secret(addresses=at("invitation sign-up")),
    "links": Secret("change_entries", in_main=True),
    "next_link": Secret(),
}
"""By kind of the planted text, who may see it."""
