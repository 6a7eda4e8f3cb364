"""Checking the public values: each is made of what was named, and each draw has the one that its entries closed for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from rules.errors import gettext_noop
from tournament.formats import FORMATS
from tournament.formats.lots import QUALIFIERS, first_scope
from tournament.proof.documents import draw_of
from tournament.proof.drand import CHAIN, is_signed, randomness_of, seconds_of
from tournament.proof.findings import WHOLE, Finding, Place, note, ok, wrong
from tournament.proof.node import moment_of
from tournament.proof.values import DrawFile, FilePublicValue, FileUrn

FEWEST_WORDS, FEWEST_DICE = 2, 12


def check_public_values(file: DrawFile) -> Iterator[Finding]:
    """Check what each public value was made of, and which one each urn has."""
    for expected, public in enumerate(file.public, start=1):
        if public.number != expected:
            yield wrong(
                "closing_gap",
                WHOLE,
                gettext_noop("Closing %(expected)s comes next, but the file has closing %(number)s: one was left out."),
                expected=expected,
                number=public.number,
            )
        yield from _check_source(public)
        yield from _check_order(public)
    if file.urns:
        yield from _check_mixed(file)


def _check_source(public: FilePublicValue) -> Iterator[Finding]:
    if public.voided_at is not None:
        yield note(
            "public_value_unused",
            WHOLE,
            gettext_noop("Closing %(number)s (%(source)s, value “%(value)s”) became void at %(time)s: %(reason)s"),
            number=public.number,
            source=public.source,
            value=public.value[:64] or "–",
            time=public.voided_at,
            reason=public.void_reason[:200] or "–",
        )
    if public.value and not _is_made(public):
        yield wrong(
            "public_value_not_made",
            WHOLE,
            gettext_noop("The public value %(value)s is not made of what the file gives as its source (%(source)s)."),
            value=public.value[:64],
            source=public.source,
        )
    if public.value and public.source == "dice":
        yield from _note_people(public)


def check_signatures(file: DrawFile) -> Iterator[Finding]:
    """Check that each value from drand has drand's own signature: a quarter of a second of work for each."""
    for public in file.public:
        if public.value and public.source == "drand" and _is_made(public):
            yield _check_signature(public)


def _check_signature(public: FilePublicValue) -> Finding:
    named = {"number": public.number, "round": public.drand_round or 0}
    if is_signed(public.drand_round or 0, public.signature):
        return ok("drand_signed", WHOLE, gettext_noop("Closing %(number)s: drand has signed round %(round)s."), **named)
    return wrong(
        "drand_not_signed",
        WHOLE,
        gettext_noop("Closing %(number)s: the signature is not drand's of round %(round)s; somebody made it up."),
        **named,
    )


def _note_people(public: FilePublicValue) -> Iterator[Finding]:
    people: dict[str, str | int] = {"number": public.number, "first": public.first[:80], "second": public.second[:80]}
    is_one = public.first == public.second and not public.by_link
    if not public.first or not public.second or is_one:
        yield wrong(
            "dice_by_one",
            WHOLE,
            gettext_noop("The dice of closing %(number)s were not typed in by two people."),
            number=public.number,
        )
    elif public.by_link:
        yield note(
            "dice_by_link",
            WHOLE,
            gettext_noop(
                "The dice of closing %(number)s were typed in by %(first)s and repeated by the private link of "
                "%(second)s: ask %(second)s."
            ),
            **people,
        )
    else:
        yield note(
            "dice_by_two",
            WHOLE,
            gettext_noop("The dice of closing %(number)s were typed in by %(first)s and repeated by %(second)s."),
            **people,
        )


def _check_order(public: FilePublicValue) -> Iterator[Finding]:
    """Check that the value became known after the entries had closed, by the times of the file."""
    closed, known = moment_of(public.closed_at), moment_of(public.known_at)
    if closed is None or (public.value and known is None):
        yield wrong(
            "closing_without_time",
            WHOLE,
            gettext_noop("Closing %(number)s does not say when entries closed and when its value became known."),
            number=public.number,
        )
        return
    early = known is not None and known < closed
    if public.drand_round is not None:
        round_at = seconds_of(public.drand_round)
        early = early or round_at <= closed.timestamp() or (known is not None and known.timestamp() < round_at)
    if early:
        yield wrong(
            "value_before_closing",
            WHOLE,
            gettext_noop("The public value of closing %(number)s was known before entries had closed."),
            number=public.number,
        )


def _check_mixed(file: DrawFile) -> Iterator[Finding]:
    """Check that every urn has the value of a closing, and the urn of each draw that of its own closing."""
    bare = 0
    for urn in file.urns:
        closings = [public for public in file.public if public.value and public.value == urn.public_value]
        if not urn.public_value:
            bare += 1
        elif not closings:
            yield wrong(
                "public_value_unknown",
                Place(link=urn.number),
                gettext_noop("Link %(number)s was mixed with a public value that was never closed for."),
                number=urn.number,
            )
        elif _is_first(file, urn) and not _is_closed_for(file, closings, urn):
            yield wrong(
                "closed_for_others",
                Place(link=urn.number),
                gettext_noop("The entries drawn with link %(number)s are not those that were closed."),
                number=urn.number,
            )
    if bare == len(file.urns) and not any(public.value for public in file.public):
        yield note(
            "no_public_value",
            WHOLE,
            gettext_noop(
                "No public value was mixed in: the server alone made the lots, before the entries were known."
            ),
        )
    elif bare:
        yield wrong(
            "public_value_left_out",
            WHOLE,
            gettext_noop("Links used without the public value: %(count)s."),
            count=bare,
        )
    else:
        yield ok("public_values_known", WHOLE, gettext_noop("Every link was mixed with a public value."))


def _is_first(file: DrawFile, urn: FileUrn) -> bool:
    """Whether entries closed for the document of this urn: of the draw, of round 1, or of those who go on."""
    draw = draw_of(file, urn)
    if draw is None:
        return False
    scopes = {other.scope for other in file.urns if other.place in draw.links}
    first = first_scope(pairs_by_round=FORMATS[draw.format].pairs_by_round)
    return urn.scope == (QUALIFIERS if QUALIFIERS in scopes else first)


def _is_closed_for(file: DrawFile, closings: Sequence[FilePublicValue], urn: FileUrn) -> bool:
    """Whether one of these closings, which have the value of the urn, is the one for the draw of its stage.

    A later stage without a closing of its own has the value of an earlier stage. Its draw, taken back, makes that
    closing void, although the earlier stage stands.
    """
    taken_back = any(later.cancelled_at is not None for later in file.urns if later.stage > urn.stage)
    for public in closings:
        counts = public.voided_at is None or urn.cancelled_at is not None or (taken_back and not public.void_reason)
        if public.stage == urn.stage and public.digest == urn.digest and counts:
            return True
    if urn.stage == 1 or not any(public.stage < urn.stage for public in closings):
        return False
    own = any(public.stage == urn.stage and public.voided_at is None for public in file.public)
    return urn.cancelled_at is not None or not own


def _is_made(public: FilePublicValue) -> bool:
    """Whether the value is the dice, or the hash of the words or of the signature."""
    match public.source:
        case "dice":
            dice = public.dice
            return public.value == dice and len(dice) >= FEWEST_DICE and set(dice) <= set("123456")
        case "words":
            text = "".join(f"{number} {word}\n" for number, word in sorted(public.words))
            numbers = {number for number, _word in public.words}
            enough = FEWEST_WORDS <= len(numbers) == len(public.words)
            return enough and sha256(text.encode()).hexdigest() == public.value
        case "drand":
            named = public.drand_chain == CHAIN and public.drand_round is not None
            return named and randomness_of(public.signature) == public.value
    return False
