"""Checking the public values: each urn has the one that was known, and that became known after entries had closed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from rules.errors import gettext_noop
from tournament.proof.findings import WHOLE, Finding, Place, note, ok, wrong
from tournament.proof.values import DrawFile, FilePublicValue


def check_public_values(file: DrawFile) -> Iterator[Finding]:
    """Check what each public value was made of, and which one each urn has."""
    yield from _check_sources(file)
    if file.urns:
        yield from _check_mixed(file)


def _check_sources(file: DrawFile) -> Iterator[Finding]:
    for public in file.public:
        if public.voided_at is not None:
            yield note(
                "public_value_unused",
                WHOLE,
                gettext_noop("A public value (%(source)s) was dropped at %(time)s: ask why."),
                source=public.source,
                time=public.voided_at,
            )
        if public.value and not _is_made(public):
            yield wrong(
                "public_value_not_made",
                WHOLE,
                gettext_noop(
                    "The public value %(value)s is not made of what the file gives as its source (%(source)s)."
                ),
                value=public.value[:40],
                source=public.source,
            )


def _check_mixed(file: DrawFile) -> Iterator[Finding]:
    """Check that every urn has a value that was closed for, or that none has one."""
    known = {public.value: public for public in file.public if public.value}
    bare = 0
    for urn in file.urns:
        place = Place(link=urn.number)
        public = known.get(urn.public_value)
        if not urn.public_value:
            bare += 1
        elif public is None:
            yield wrong(
                "public_value_unknown",
                place,
                gettext_noop("Link %(number)s was mixed with a public value that was never closed for."),
                number=urn.number,
            )
        elif urn.scope == "draw" and public.stage == urn.stage and public.digest != urn.digest:
            yield wrong(
                "closed_for_others",
                place,
                gettext_noop("The entries drawn with link %(number)s are not those that were closed."),
                number=urn.number,
            )
    if bare == len(file.urns):
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


def _is_made(public: FilePublicValue) -> bool:
    """Whether the value follows from the words or the signature, where the file has them."""
    if public.source == "words" and public.words:
        text = "".join(f"{number} {word}\n" for number, word in sorted(public.words))
        return sha256(text.encode()).hexdigest() == public.value
    if public.source == "drand" and public.signature:
        try:
            return sha256(bytes.fromhex(public.signature)).hexdigest() == public.value
        except ValueError:
            return False
    return True
