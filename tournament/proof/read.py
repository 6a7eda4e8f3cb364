"""Reading a draw file: every key and value is checked, and the first fault is named with its place."""

from __future__ import annotations

from rules.errors import gettext_noop
from tournament.formats import FORMATS
from tournament.formats.editions import EDITION, FIRST
from tournament.formats.moves import Move, MoveKind
from tournament.proof.faults import FileFault
from tournament.proof.node import MOST_BYTES, Node, parse
from tournament.proof.values import (
    MOST_CLOSINGS,
    VERSION,
    DrawFile,
    FileChain,
    FileDraw,
    FileEarlier,
    FileEntrant,
    FilePairing,
    FilePublicValue,
    FileResult,
    FileStep,
    FileUrn,
)

MOST_NUMBER = 32_767
MOST_LINKS = 1_000_000
MOST_ROWS = 20_000
MOST_DOCUMENT = 2_000_000
SHORT, LONG = 100, 1000

URN_KEYS = ("chain", "number", "link", "stage", "scope", "public_value", "digest", "document", "opened_at")
PUBLIC_KEYS = (
    *("number", "stage", "source", "digest", "closed_at", "value", "known_at", "voided_at", "void_reason"),
    *("dice", "first", "second", "by_link", "words", "drand_chain", "drand_round", "signature"),
)
STEP_KEYS = ("at", "round", "entrants", "results", "earlier", "earlier_byes", "pairings")
DRAW_KEYS = ("stage", "format", "edition", "options", "seed", "drawn_at", "cancelled_at", "links", "steps", "moves")
PAIRING_KEYS = ("key", "bracket", "round", "number", "length", "a", "b", "feed_a", "feed_b")
ENTRANT_KEYS = (
    *("number", "name", "seed", "club", "country", "family", "persons", "rating", "lives", "presence"),
    *("members", "bye_taken"),
)
MOVE_KEYS = ("number", "round", "kind", "a", "b", "reason")


def read_draw_file(data: bytes, most_bytes: int = MOST_BYTES) -> DrawFile:
    """Read the bytes of a ``draw.json``. Raises FileFault, which names the first place that no draw file has."""
    whole = parse(data, most_bytes)
    if not isinstance(whole.value, dict) or "sixprime_draw_file" not in whole.value:
        raise FileFault("not_a_draw_file", gettext_noop("This is JSON, but not a draw file."))
    if type(whole.value["sixprime_draw_file"]) is not int or whole.value["sixprime_draw_file"] != VERSION:
        raise FileFault(
            "version_unknown",
            gettext_noop("This draw file has a version that this program does not know; it knows version %(known)s."),
            "sixprime_draw_file",
            known=VERSION,
        )
    found = whole.members(("sixprime_draw_file", "tournament", "event", "name", "chains", "public", "urns", "draws"))
    return DrawFile(
        tournament=found["tournament"].line(SHORT),
        event=found["event"].line(SHORT),
        name=found["name"].line(SHORT),
        chains=found["chains"].items(_chain, most=SHORT),
        public=found["public"].items(_public, most=MOST_CLOSINGS),
        urns=found["urns"].items(_urn, most=MOST_ROWS),
        draws=found["draws"].items(read_draw, most=MOST_ROWS),
    )


def _chain(node: Node) -> FileChain:
    found = node.members(("number", "anchor", "length", "made_at"))
    return FileChain(
        number=found["number"].number(1, MOST_NUMBER),
        anchor=found["anchor"].hash(),
        length=found["length"].number(1, MOST_LINKS),
        made_at=found["made_at"].time(),
    )


def _public(node: Node) -> FilePublicValue:
    found = node.members(PUBLIC_KEYS)
    return FilePublicValue(
        number=_number(found["number"]),
        stage=_number(found["stage"]),
        source=found["source"].line(SHORT, empty=False),
        digest=found["digest"].hash(),
        closed_at=found["closed_at"].time(),
        value=found["value"].line(LONG),
        known_at=found["known_at"].or_none(Node.time),
        voided_at=found["voided_at"].or_none(Node.time),
        void_reason=found["void_reason"].line(LONG),
        dice=found["dice"].line(LONG),
        first=found["first"].line(LONG),
        second=found["second"].line(LONG),
        by_link=found["by_link"].flag(),
        words=found["words"].items(_word, most=MOST_NUMBER),
        drand_chain=found["drand_chain"].line(SHORT),
        drand_round=found["drand_round"].or_none(lambda node: node.number(1, 10**12)),
        signature=found["signature"].line(LONG),
    )


def _word(node: Node) -> tuple[int, str]:
    number, word = node.nodes(most=2, least=2)
    return _number(number), word.line(SHORT)


def _urn(node: Node) -> FileUrn:
    found = node.members((*URN_KEYS, "cancelled_at"))
    return FileUrn(
        chain=found["chain"].number(1, MOST_NUMBER),
        number=found["number"].number(1, MOST_LINKS),
        link=found["link"].hash(),
        stage=found["stage"].number(1, MOST_NUMBER),
        scope=found["scope"].line(SHORT, empty=False),
        public_value=found["public_value"].line(LONG),
        digest=found["digest"].hash(),
        document=found["document"].text(MOST_DOCUMENT),
        opened_at=found["opened_at"].time(),
        cancelled_at=found["cancelled_at"].or_none(Node.time),
    )


def read_draw(node: Node) -> FileDraw:
    """Read one draw of a stage. Raises FileFault."""
    found = node.members(DRAW_KEYS)
    slug = found["format"].line(SHORT)
    if slug not in FORMATS:
        raise FileFault(
            "format_unknown",
            gettext_noop("%(place)s: this program has no format “%(format)s”."),
            found["format"].place,
            format=slug[:40],
        )
    return FileDraw(
        stage=found["stage"].number(1, MOST_NUMBER),
        format=slug,
        edition=found["edition"].number(FIRST, EDITION),
        options=found["options"].json_object(),
        seed=found["seed"].line(SHORT),
        drawn_at=found["drawn_at"].time(),
        cancelled_at=found["cancelled_at"].or_none(Node.time),
        links=found["links"].items(_pair, most=MOST_ROWS),
        steps=found["steps"].items(_step, most=MOST_ROWS),
        moves=found["moves"].items(_move, most=MOST_ROWS),
    )


def _step(node: Node) -> FileStep:
    found = node.members(STEP_KEYS, ("challenges", "paired_at"))
    return FileStep(
        at=found["at"].time(),
        round=found["round"].number(0, MOST_NUMBER),
        entrants=found["entrants"].or_none(lambda node: node.items(_entrant, most=MOST_NUMBER)),
        results=found["results"].items(_result, most=MOST_ROWS),
        earlier=found["earlier"].items(_earlier, most=MOST_ROWS),
        earlier_byes=found["earlier_byes"].items(_pair, most=MOST_NUMBER),
        pairings=found["pairings"].items(_pairing, most=MOST_ROWS),
        challenges=found["challenges"].items(_challenge, most=MOST_ROWS) if "challenges" in found else (),
        paired_at=found["paired_at"].time() if "paired_at" in found else "",
    )


def _challenge(node: Node) -> tuple[int, int, int]:
    number, challenger, challenged = node.nodes(most=3, least=3)
    return _number(number), _number(challenger), _number(challenged)


def _number(node: Node) -> int:
    return node.number(1, MOST_NUMBER)


def _entrant(node: Node) -> FileEntrant:
    found = node.members(ENTRANT_KEYS)
    return FileEntrant(
        number=_number(found["number"]),
        name=found["name"].line(LONG),
        seed=found["seed"].or_none(lambda node: node.number(-MOST_NUMBER, MOST_NUMBER)),
        club=found["club"].line(LONG),
        country=found["country"].line(LONG),
        family=found["family"].line(LONG),
        persons=found["persons"].items(lambda node: node.number(1, MOST_LINKS), most=SHORT),
        rating=found["rating"].or_none(lambda node: node.number(0, 10**9)),
        lives=found["lives"].number(0, SHORT),
        presence=found["presence"].items(lambda node: node.number(0, MOST_NUMBER), most=LONG),
        members=found["members"].items(lambda node: node.line(LONG), most=SHORT),
        bye_taken=found["bye_taken"].number(0, MOST_NUMBER),
    )


def _result(node: Node) -> FileResult:
    key, winner, loser, *flags = node.nodes(most=7, least=4)
    return FileResult(key.line(16), winner.or_none(_number), loser.or_none(_number), *(flag.flag() for flag in flags))


def _earlier(node: Node) -> FileEarlier:
    winner, loser, *flags = node.nodes(most=5, least=2)
    return FileEarlier(_number(winner), _number(loser), *(flag.flag() for flag in flags))


def _move(node: Node) -> Move:
    found = node.members(MOVE_KEYS)
    return Move(
        number=_number(found["number"]),
        kind=MoveKind(found["kind"].word([*MoveKind])),
        a=_number(found["a"]),
        b=found["b"].or_none(_number),
        reason=found["reason"].line(LONG),
        round=found["round"].number(0, MOST_NUMBER),
    )


def _pair(node: Node) -> tuple[int, int]:
    first, second = node.nodes(most=2, least=2)
    return _number(first), _number(second)


def _pairing(node: Node) -> FilePairing:
    found = node.members(PAIRING_KEYS)
    return FilePairing(
        key=found["key"].line(16, empty=False),
        bracket=found["bracket"].line(4),
        round=_number(found["round"]),
        number=_number(found["number"]),
        length=found["length"].number(1, 99),
        a=found["a"].or_none(_number),
        b=found["b"].or_none(_number),
        feed_a=found["feed_a"].line(24),
        feed_b=found["feed_b"].line(24),
    )
