"""Every address that writes, or shows what is not for everybody, and the action that it needs."""

from dataclasses import dataclass, field

PUBLIC = "public"
"""Anybody may: whoever is signed in, or whoever holds an invitation."""


@dataclass(frozen=True)
class Address:
    """An address that somebody must be allowed to use, for ``action``; ``before`` is done to the event first."""

    name: str
    action: str
    method: str = "post"
    own: dict[str, object] = field(default_factory=dict)
    data: dict[str, object] = field(default_factory=dict)
    before: str = ""

    def __str__(self) -> str:
        return f"{self.method} {self.name} {' '.join(map(str, self.own.values()))}".strip()


PAGES = [
    Address("new-tournament", PUBLIC),
    Address("tournament-settings", "change_tournament"),
    Address("tournament-settings", "change_tournament", "get"),
    Address("new-event", "create_event"),
    Address("new-event", "create_event", "get"),
    Address("log", "read_log", "get"),
    Address("log-file", "read_log", "get", {"format": "csv"}),
    Address("event-log", "read_log", "get"),
    Address("event-log-file", "read_log", "get", {"format": "json"}),
    Address("roles", "see_roles", "get"),
    Address("roles", "change_roles", data={"role": "reader", "days": 7}),
    Address("roles", "change_directors", data={"role": "director", "days": 7}),
    Address("change-role", "change_roles", data={"role": "reader"}),
    Address("change-role", "change_directors", data={"role": "director"}),
    Address("take-role", "change_roles"),
    Address("withdraw-invitation", "change_roles"),
    Address("invitation", PUBLIC),
    Address("sign-up", PUBLIC),
    Address("delete-tournament", "delete_tournament"),
    Address("restore-tournament", "restore_tournament"),
    Address("delete-event", "delete_event"),
    Address("restore-event", "restore_event", before="delete"),
    Address("settings", "change_event"),
    Address("settings", "change_event", "get"),
    Address("add-stage", "change_event"),
    Address("remove-stage", "change_event", own={"number": 1}),
    Address("act", "make_draw", own={"action": "draw"}),
    Address("act", "make_draw", own={"action": "cancel-draw"}),
    Address("act", "finish_event", own={"action": "finish"}),
    Address("act", "finish_event", own={"action": "reopen"}),
    Address("entries", "change_entries"),
    Address("remove-entry", "change_entries"),
    Address("seed-entry", "change_entries"),
    Address("keep-apart", "change_entries"),
    Address("home-evening", "change_entries"),
    Address("enter-play-off", "enter_play_off", own={"number": 1}),
    Address("void-play-off", "enter_play_off"),
    Address("withdraw-entry", "change_entries"),
    Address("return-entry", "change_entries"),
    Address("cash", "see_cash", "get"),
    *(
        Address(name, "handle_money", "get")
        for name in ("money", "money-terms", "payout-sheet", "side-pools", "calcutta")
    ),
    Address("money-csv", "handle_money", "get", {"name": "payments"}),
    Address("money-terms", "handle_money"),
    Address("side-pools", "handle_money"),
    Address("calcutta", "handle_money"),
    Address("settle", "handle_money", own={"back": "desk"}),
    Address("take-payment-back", "handle_money"),
    Address("side-member", "handle_money", own={"action": "join"}),
    Address("sell-lot", "handle_money", own={"action": "sell"}),
    Address("entry", "change_entries", "get"),
    Address("sheet", "change_entries", "get", own={"slug": "player-cards"}),
    Address("door-check-in", "check_in"),
    Address("door-undo-check-in", "check_in"),
    Address("door-move-up", "change_entries"),
    Address("door-wait", "change_entries"),
    Address("door-leave", "change_entries"),
    Address("door-undo-leaving", "change_entries"),
    Address("door-replace", "change_entries"),
    Address("leave-out-absent", "change_entries"),
    Address("door", "change_event"),
    Address("merge-player", "merge_players"),
    Address("merge-player", "merge_players", "get"),
    Address("enter", "enter_result", own={"way": "final"}),
    Address("rule", "rule_match", own={"way": "penalty"}),
    Address("void", "void_result"),
    Address("desk", "see_desk", "get"),
    Address("desk-find", "see_desk", "get"),
    Address("call-ready", "call_match"),
    *(Address("desk-act", "call_match", own={"action": action}) for action in ("call", "start", "move", "recall")),
    Address("desk-act", "enter_result", own={"action": "enter"}),
    Address("desk-act", "settle_report", own={"action": "confirm"}),
    Address("tables", "change_hall", "get"),
    Address("tables", "change_hall", data={"first": 1, "last": 4}),
    Address("update-table", "change_hall", own={"number": 1}),
    Address("add-break", "change_hall"),
    Address("remove-break", "change_hall", own={"break_id": 1}),
    Address("reserve", "seat_reserve"),
    Address("walkover", "enter_result"),
    Address("end-advance", "repair_result"),
    Address("undo", "undo"),
    Address("settle-report", "settle_report", own={"action": "confirm"}),
    Address("settle-report", "settle_report", own={"action": "dispute"}),
]


API = [
    Address("token", PUBLIC),
    Address("token", PUBLIC, "delete"),
    Address("tournaments", PUBLIC),
    Address("tournament", "change_tournament", "patch"),
    Address("events", "create_event"),
    Address("roles", "see_roles", "get"),
    Address("invitations", "see_roles", "get"),
    Address("invitations", "change_roles", data={"role": "reader"}),
    Address("invitations", "change_directors", data={"role": "director"}),
    Address("tournament-log", "read_log", "get"),
    Address("log", "read_log", "get"),
    Address("delete", "delete_tournament"),
    Address("restore", "restore_tournament"),
    Address("role", "change_roles", "patch", data={"role": "reader"}),
    Address("role", "change_directors", "patch", data={"role": "director"}),
    Address("role", "change_roles", "delete"),
    Address("accept", PUBLIC),
    Address("sign-up", PUBLIC),
    Address("withdraw-invitation", "change_roles"),
    Address("event", "change_event", "patch"),
    Address("stages", "change_event"),
    Address("stage", "change_event", "delete", {"number": 1}),
    Address("draw", "make_draw"),
    Address("draw", "make_draw", "delete"),
    Address("finish", "finish_event"),
    Address("reopen", "finish_event"),
    Address("delete-event", "delete_event"),
    Address("restore-event", "restore_event", before="delete"),
    Address("entries", "change_entries"),
    Address("entry-list", "change_entries"),
    Address("entry-csv", "change_entries"),
    Address("entry", "change_entries", "delete"),
    Address("family", "change_entries", "put"),
    Address("home-evening", "change_entries", "put"),
    Address("play-offs", "enter_play_off", own={"number": 1}),
    Address("play-off", "enter_play_off", "delete"),
    Address("withdraw", "change_entries"),
    Address("return", "change_entries"),
    Address("seed", "change_entries", "put"),
    Address("tournament-cash", "see_cash", "get"),
    Address("money", "handle_money", "put"),
    Address("cash", "handle_money", "get"),
    Address("payments", "handle_money"),
    Address("reversal", "handle_money"),
    Address("side-pools", "handle_money"),
    Address("side-pool-member", "handle_money", "put"),
    Address("side-pool-member", "handle_money", "delete"),
    Address("lots", "handle_money", "get"),
    Address("lots", "handle_money"),
    Address("lot", "handle_money", "delete"),
    Address("sale", "handle_money", "put"),
    Address("sale-back", "handle_money"),
    Address("check-in", "check_in"),
    Address("check-in", "check_in", "delete"),
    Address("waiting", "change_entries"),
    Address("waiting", "change_entries", "delete"),
    Address("departure", "change_entries"),
    Address("departure", "change_entries", "delete"),
    Address("replacement", "change_entries", "put"),
    Address("absent", "change_entries"),
    Address("door", "change_event", "put"),
    Address("lateness", "rule_match"),
    Address("merge", "merge_players"),
    Address("result", "enter_result"),
    Address("reserve", "seat_reserve"),
    Address("walkover", "enter_result"),
    Address("rulings", "rule_match"),
    Address("void", "void_result"),
    Address("hall", "see_desk", "get"),
    Address("call-ready", "call_match"),
    Address("call-match", "call_match"),
    Address("start-match", "call_match"),
    Address("move-match", "call_match", data={"table": 1}),
    Address("recall-match", "call_match"),
    Address("tables", "change_hall", data={"first": 1, "last": 4}),
    Address("table", "change_hall", "patch", {"number": 1}),
    Address("breaks", "change_hall"),
    Address("break", "change_hall", "delete", {"break_id": 1}),
    Address("result-preview", "enter_result"),
    Address("void-preview", "void_result"),
    Address("end-advance", "repair_result"),
    Address("undo", "undo"),
    Address("reports", "enter_result"),
    Address("confirm", "settle_report"),
    Address("dispute", "settle_report"),
]


ELSEWHERE = {
    *("my-report", "my-answer"),  # whoever holds the private link of the entry
    *("login", "logout", "choose-language"),  # whoever he is
    *("import-records", "cancel-job", "api:cancel-job"),  # a superuser's, and whoever started the job
    *("api:verify", "api:rules-plays", "api:rules-judge", "api:rules-disputes", "api:rules-equity"),  # store nothing
    "api:nothing",
}
"""Addresses that take more than GET and belong to no tournament."""
