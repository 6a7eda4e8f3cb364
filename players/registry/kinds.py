"""The kinds of memberships as files write them, in the languages of the federations that keep them."""

from collections.abc import Mapping
from functools import cache

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from players.errors import Refusal
from players.models import Membership
from players.services import fold_name

WORDS: Mapping[str, str] = {
    Membership.Kind.ORDINARY: "ordinær ordinært ordinarie almindelig vanlig ordentlich normal",
    Membership.Kind.INTRODUCTION: "intro introduktion introduksjon prøve prova-på einführung schnupper",
    Membership.Kind.YOUTH: "ungdom junior jugend",
    Membership.Kind.HONORARY: "æres æresmedlem heders hedersmedlem ehren ehrenmitglied",
    Membership.Kind.GUEST: "gæst gæstemedlem gäst gjest gast",
}
"""The words for each kind in Danish, Swedish, Norwegian and German, beside those that the pages write."""


def kind_of(text: str) -> str:
    """Return the kind that a text names in any of the languages; empty for an empty text. Raises Refusal."""
    folded = fold_name(text)
    if not folded:
        return ""
    kind = _kinds().get(folded)
    if kind is None:
        kinds = ", ".join(f"{kind.value} ({kind.label})" for kind in Membership.Kind)
        raise Refusal("kind_unknown", _("The kind of a membership is one of: %(kinds)s.") % {"kinds": kinds})
    return kind


@cache
def _kinds() -> Mapping[str, str]:
    found = {fold_name(word): kind for kind, words in WORDS.items() for word in words.split()}
    for language, _name in settings.LANGUAGES:
        with override(language):
            found |= {fold_name(str(kind.label)): kind.value for kind in Membership.Kind}
    return found | {kind.value: kind.value for kind in Membership.Kind}
