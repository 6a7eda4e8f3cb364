"""The use of the public value in a draw: what was closed must be what is drawn."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

from django.utils.translation import gettext as _

from players.errors import Conflict
from tournament.draw.chain import Chain, load_chain
from tournament.draw.document import digest_of, draw_document
from tournament.draw.public_value import make_known, open_closing, value_missing
from tournament.formats import FORMATS
from tournament.formats.lots import QUALIFIERS, first_scope
from tournament.models import Event, PublicSource, Stage

FEWEST_WORDS = 2
"""The smallest number of words that make a value: nobody alone chooses it."""


def digest_to_close(chain: Chain, stage: Stage) -> str:
    """Return the digest of the document of the stage's first urn. Raises as the plan of the stage does."""
    chain.at(stage)
    qualifying = chain.qualifying(stage)
    if qualifying is not None:
        entrants, standings = qualifying
        return digest_of(draw_document(chain.event, stage, QUALIFIERS, entrants, {"standings": standings}))
    scope = first_scope(pairs_by_round=FORMATS[stage.format].pairs_by_round)
    return digest_of(draw_document(chain.event, stage, scope, chain.at(stage).entrants))


def settle_public_value(event: Event, stage: Stage, *, at: datetime) -> str:
    """Return the public value with which the locked event draws the stage now, and fix it if it is made of words.

    Raises Conflict (``public_value_missing``) while it is not known, and (``entries_changed``) if the entries or
    anything else in the draw is not what was closed.
    """
    if event.public_source == PublicSource.NONE:
        return ""
    closing = open_closing(event)
    if closing is None:
        raise value_missing(_("This draw has a public value: close entries first."))
    if closing.stage == stage.number and digest_to_close(load_chain(event), stage) != closing.digest:
        raise Conflict(
            "entries_changed",
            _("The entries or settings are not those that were closed. Reopen entries, and close them again."),
        )
    if closing.source == PublicSource.WORDS and not closing.value:
        words = list(closing.words.order_by("number").values_list("number", "word"))
        if len(words) < FEWEST_WORDS:
            raise value_missing(
                _("Wait until at least %(count)s players have given a word.") % {"count": FEWEST_WORDS},
            )
        make_known(closing, value_of_words(words), at=at)
    if not closing.value:
        raise value_missing(_("The public value of this draw is not known yet."))
    return closing.value


def value_of_words(words: Iterable[tuple[int, str]]) -> str:
    """Return the SHA-256 in hex of the lines ``number word`` in the order of the entries' numbers.

    Each line is UTF-8 in normal form C, with one space after the number and a line feed at its end.
    """
    return sha256("".join(f"{number} {word}\n" for number, word in sorted(words)).encode()).hexdigest()
