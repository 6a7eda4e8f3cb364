"""What players add to the public value by their private links: a word of their own, or the dice once more.

``entry`` is always the entry as it was when its link was read.
"""

from datetime import datetime
from unicodedata import category, normalize

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import require_running
from tournament.draw.dice import read_dice, repeat_dice
from tournament.draw.public_value import record_public_step, require_closing
from tournament.entries.links import Link, require_open
from tournament.entries.services import lock_entry
from tournament.models import Closing, Entry, Event, GivenWord, PublicSource
from tournament.models.public_value import LONGEST_WORD

UNPRINTABLE = ("C", "Zl", "Zp")
"""The categories of Unicode that no word has: control characters and the like, and breaks of lines."""


@transaction.atomic
def give_word_by_link(entry: Entry, *, word: str, at: datetime) -> GivenWord:
    """Give the entry's word, once for each closing; it is public at once. The same word again changes nothing.

    Raises LinkEnded for a link that is valid no more, Refusal for what is not a word, and Conflict for an entry that is
    not in the draw or has given another word, and as :func:`tournament.draw.public_value.require_closing` does.
    """
    event, current, at = lock_entry(entry, at)
    closing = _closing_for(event, current, entry, PublicSource.WORDS)
    text = read_word(word)
    given = closing.words.filter(number=current.number).first()
    if given is not None and given.word != text:
        raise Conflict("word_given", _("You have given your word already: “%(word)s”.") % {"word": given.word})
    if given is None:
        given = GivenWord.objects.create(closing=closing, number=current.number, word=text, given_at=at)
        details = {"entry": current.pk, "names": [current.name], "number": current.number, "word": text}
        record_public_step(event, closing, verb="give_word", by=None, at=at, **details)
    return given


@transaction.atomic
def repeat_dice_by_link(entry: Entry, *, dice: str, signed_in: User | None = None, at: datetime) -> Closing:
    """Repeat the dice that a director has typed in; ``signed_in`` is whose browser has opened the link, if known.

    Raises LinkEnded for a link that is valid no more, Refusal for what are not dice, and Conflict for an entry that is
    not in the draw, for the browser of the person who typed them in first, and as
    :func:`tournament.draw.dice.repeat_dice` and :func:`tournament.draw.public_value.require_closing` do.
    """
    event, current, at = lock_entry(entry, at)
    closing = _closing_for(event, current, entry, PublicSource.DICE)
    if signed_in is not None and signed_in.pk == closing.dice_by_id:
        raise Conflict(
            "dice_same_person",
            _("You typed the dice in first. Another person repeats them, on a device of their own."),
        )
    return repeat_dice(event, closing, read_dice(dice), who=current.name, by=None, at=at, entry=current.pk)


def _closing_for(event: Event, current: Entry, entry: Entry, source: str) -> Closing:
    require_open(Link(entry.pk, entry.link_epoch), current)
    require_running(event)
    closing = require_closing(event, source)
    if not current.is_drawn_in(closing.stage):
        raise Conflict("entry_not_drawn", _("Only those who are in the draw take part in its public value."))
    return closing


def read_word(text: str) -> str:
    """Return the word in normal form C, without space around it. Raises Refusal for one that cannot be used."""
    word = normalize("NFC", text).strip(" ")
    if not word:
        raise Refusal("word_empty", _("Type a word."))
    if any(category(character).startswith(UNPRINTABLE) for character in word):
        raise Refusal("word_unprintable", _("A word is on one line and has no characters that cannot be printed."))
    if len(word) > LONGEST_WORD:
        raise Refusal("word_too_long", _("A word can have at most %(limit)s characters.") % {"limit": LONGEST_WORD})
    return word
