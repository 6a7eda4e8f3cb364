"""Addresses that are made from names: small letters from a to z, digits and hyphens."""

from django.utils.text import slugify
from django.utils.translation import gettext as _

from players.collation import fold
from players.errors import Conflict, Refusal


def slug_of(name: str, *, most: int) -> str:
    """Return the name as an address, with æ, ø and å by their plain letters; empty if it has none and no digit."""
    return slugify(fold(name))[:most].strip("-")


def chosen_slug(slug: str, name: str, *, most: int) -> str:
    """Return the address that is given, or that of the name. Raises Refusal for one that is none."""
    if not slug:
        made = slug_of(name, most=most)
        if not made:
            raise Refusal("address_empty", _("The address needs a letter or a digit from a to z."), field="slug")
        return made
    if slug != slugify(slug) or len(slug) > most:
        sentence = _("An address has small letters from a to z, digits and single hyphens, at most %(limit)s of them.")
        raise Refusal("address_invalid", sentence % {"limit": most}, field="slug")
    return slug


def taken(code: str, sentence: str, *, slug: str, made: str) -> Conflict:
    """Return the refusal of an address that is taken: at the address that was given, or the name it was made from."""
    if slug:
        return Conflict(code, sentence, field="slug")
    advice = _("The address made from this name is “%(slug)s”: choose another name, or fill in the address.")
    return Conflict(code, f"{sentence} {advice % {'slug': made}}", field="name")
