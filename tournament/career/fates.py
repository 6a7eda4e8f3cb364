"""What becomes of everything that may tell of a person, when what is kept about them is deleted.

Every row that points at a player or an entry has a fate here, and so has every field that holds text: a new one is a
decision, which ``tests/tournament/career`` asks for.
"""

from collections.abc import Mapping
from enum import Enum


class Fate(Enum):
    """What becomes of a row or a field: it goes, the name in it is replaced, it is emptied, or it stays.

    What stays is a result, which is the opponents' too, or says nothing of a person.
    """

    GOES = "goes"
    RENAMED = "renamed"
    EMPTIED = "emptied"
    STAYS = "stays"


OF_PLAYER: Mapping[str, Fate] = {
    **dict.fromkeys(("players.player.merged_into", "players.publishedline.player"), Fate.RENAMED),
    **dict.fromkeys(("players.merge.kept", "players.merge.gone"), Fate.STAYS),
    **dict.fromkeys(("players.rating.player", "players.startvalue.player"), Fate.STAYS),
    **{
        f"players.{row}.player": Fate.GOES
        for row in (
            *("formervalue", "externalid", "membership", "title", "norm", "alias"),
            *("visibilityrequest", "registryrole"),
        )
    },
    **{f"matches.match.{seat}": Fate.STAYS for seat in ("side_a", "side_b", "partner_a", "partner_b")},
    **{
        f"tournament.{place}": Fate.STAYS for place in ("entry.player", "entry.partner", "member.player", "seat.person")
    },
}
"""The rows that point at a player, by their column."""

OF_ENTRY: Mapping[str, Fate] = {
    **{f"tournament.{row}.entry": Fate.GOES for row in ("subscription", "pagerequest", "selfentry")},
    **{f"tournament.{row}.entry": Fate.STAYS for row in ("standing", "directorcall", "advance", "sidepoolmember")},
    **{f"tournament.{row}.entry": Fate.STAYS for row in ("payment", "member", "offer")},
    **{
        f"tournament.{row}.entry_{side}": Fate.STAYS
        for row in ("fixture", "handchange", "formermatch")
        for side in "ab"
    },
    **{f"tournament.challenge.{side}": Fate.STAYS for side in ("challenger", "challenged")},
    **{f"tournament.playoff.{side}": Fate.STAYS for side in ("winner", "loser")},
    "tournament.lot_entries.entry": Fate.STAYS,
}
"""The rows that point at an entry."""

IN_TOURNAMENTS = "tournament__in"
EVENTS = f"event__{IN_TOURNAMENTS}"
STAGES = f"stage__{EVENTS}"

RENAMED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "matches.scoresheet": ("match__in", ("reason",)),
    "matches.acceptance": ("match__in", ("known", "reason", "taken_back_for")),
    "matches.sheetchange": ("sheet__match__in", ("reason",)),
    "matches.ruling": ("match__in", ("params", "reason", "said")),
    "tournament.ratingruling": ("match__in", ("reason",)),
    "tournament.reportstep": (f"report__{EVENTS}", ("said",)),
    "tournament.announcement": (IN_TOURNAMENTS, ("text",)),
    "tournament.logentry": (IN_TOURNAMENTS, ("detail", "words")),
    "tournament.stage": (EVENTS, ("notes",)),
    "tournament.fixture": (STAGES, ("why",)),
    "tournament.standing": (STAGES, ("note", "why")),
    "tournament.handchange": (STAGES, ("reason",)),
    "tournament.advance": (f"entry__{EVENTS}", ("reason",)),
    "tournament.lotsale": (f"lot__{EVENTS}", ("buyer",)),
    "tournament.payment": (EVENTS, ("name", "reason")),
    "tournament.closing": (EVENTS, ("void_reason",)),
    "tournament.job": (EVENTS, ("given", "outcome")),
}
"""Where the name is written out: the rows in the person's matches and tournaments, and their fields."""

OF_THE_PERSON: Mapping[str, Mapping[str, Fate]] = {
    "players.player": {
        **dict.fromkeys(("name", "folded_name", "danish_order", "swedish_order"), Fate.RENAMED),
        **dict.fromkeys(("country", "given", "family", "town"), Fate.EMPTIED),
    },
    "players.formervalue": {"value": Fate.GOES},
    "players.externalid": dict.fromkeys(("issuer", "value"), Fate.GOES),
    "players.membership": dict.fromkeys(("number", "source"), Fate.GOES),
    "players.title": dict.fromkeys(("issuer", "code", "evidence"), Fate.GOES),
    "players.norm": dict.fromkeys(("issuer", "kind", "evidence", "matches", "void_reason"), Fate.GOES),
    "players.alias": dict.fromkeys(("folded", "spelling"), Fate.GOES),
    "players.registryimport": dict.fromkeys(("data", "report"), Fate.EMPTIED),
    "players.publishedline": {
        **dict.fromkeys(("name", "folded_name"), Fate.RENAMED),
        **dict.fromkeys(("number", "title", "nation", "club", "salt"), Fate.EMPTIED),
        "class_name": Fate.STAYS,
    },
    "tournament.entry": {
        **dict.fromkeys(("left_reason", "family"), Fate.EMPTIED),  # the family of a draw that was made stays
        "drawn_as": Fate.RENAMED,
        **dict.fromkeys(("team", "presence", "left_bracket"), Fate.STAYS),
    },
    "tournament.subscription": dict.fromkeys(("address", "public_key", "secret", "kinds", "language"), Fate.GOES),
    "tournament.alert": {"subject": Fate.GOES},
    "tournament.selfentry": dict.fromkeys(("key", "asked"), Fate.GOES),
    "tournament.pagerequest": dict.fromkeys(("key", "asked_from"), Fate.GOES),
}
"""The fields of a person's own rows."""

STAYS: Mapping[str, str] = {
    # A user is not known to be a player, and has pages of their own.
    "players.user": "password username first_name last_name email",
    "tournament.accesstoken": "name prefix digest",
    "tournament.signinevent": "address agent",
    # Encrypted, and gone within two days.
    "tournament.keptanswer": "claim request answer",
    # What a draw was made of is published: without it nobody could check the draw.
    "tournament.openurn": "link scope public_value digest document",
    "tournament.givenword": "word",
    "tournament.closing": "digest dice signature value",
    "tournament.drawchain": "nonce anchor",
    # The record of a match belongs to both who played it.
    "matches.record": "sha256 identity name data finding",
    # A user keeps it alone, deletes it, and names the players as they like.
    "matches.moneysession": "names profile unit",
    "matches.evidence": "sha256 identity name data",
    # Published lists hold names by hashes alone, which nobody can tell once their salts are gone.
    "players.publication": "criteria inputs_sha256 document sha256 signature key",
    # Codes of events and matches alone, without names; where they are sent is the federation's own address.
    "players.webhook": "address events nonce",
    "players.delivery": "body event fault",
    # Emptied as soon as a name may no longer be read.
    "tournament.keptexport": "name format sha256 data",
    # Of no person
    "players.officiallist": "slug name kind parameters criteria",
    "players.listpolicy": "rules",
    "players.titlerules": "rules",
    "players.startvalue": "source",
    "players.club": "name code town",
    "players.federation": "code name country number_pattern",
    "players.registryimport": "file_name sha256",
    "players.merge": "detail",
    "players.rankinglist": "system",
    "matches.checkpoint": "system ratings",
    "matches.match": "waived penalties",
    "matches.scoresheet": "key",
    "matches.ruling": "key template before",
    "tournament.series": "name slug points parameters",
    "tournament.exportprofile": "kind name format columns dates decimal delimiter encoding",
    "tournament.tournament": "name slug place site_address time_zone",
    "tournament.event": "name slug tiebreaks rated_for",
    "tournament.eventreport": "digest",
    "tournament.stage": "options seed draw_hash",
    "tournament.offer": "days",
    "tournament.fixture": "key bracket feed_a feed_b extended_by",
    "tournament.standing": "section tiebreaks decided_by",
    "tournament.eventtemplate": "name settings",
    "tournament.backuprun": "name reason",
    "tournament.break": "name",
    "tournament.handchange": "kind",
    "tournament.formermatch": "key bracket",
    "tournament.job": "kind data language",
    "tournament.logentry": "verb address agent",
    "tournament.eventmoney": "payouts auction",
    "tournament.sidepool": "name table",
    "tournament.payment": "account currency key",
    "tournament.invitation": "note token_hash",
}
"""The fields that stay as they are."""

WITHHELD = frozenset({"public_key", "secret", "key", "token_hash", "folded_name", "danish_order", "swedish_order"})
"""Fields that are not handed out: keys, and what is computed."""
