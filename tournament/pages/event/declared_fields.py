"""The fields by which an event declares what it counts for."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.lists.models import OfficialList
from players.lists.policy import CLASSES
from tournament.events.terms import DECLARED


class DeclaredFields(forms.Form):
    """The official lists that an event counts for, its class, and whether it is played online."""

    rated_for = forms.MultipleChoiceField(
        label=_("Rated for"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("The official lists for which the results are to count. After the draw this is fixed."),
    )
    event_class = forms.ChoiceField(
        label=_("Class"),
        required=False,
        choices=[("", "–"), *((letter, letter) for letter in CLASSES)],
        help_text=_("The class that the federation has given to the event, if it has classes."),
    )
    online = forms.BooleanField(
        label=_("Played online"),
        required=False,
        help_text=_("Many lists count only matches over the board, or only matches online."),
    )

    declared_names: Sequence[str] = DECLARED

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lists = cache(lambda: list(OfficialList.objects.values_list("slug", "name")))  # once, when first asked for
        self.fields["rated_for"].choices = lists  # type: ignore[attr-defined]

    @property
    def declaration(self) -> list[forms.BoundField]:
        """The fields in which it is declared; Django calls all fields of a form declared."""
        return [self[name] for name in DECLARED]

    @property
    def asks_for_lists(self) -> bool:
        """Whether there is a list to count for, or something was said about it."""
        return bool(list(self.fields["rated_for"].choices)) or self.declared_are_open  # type: ignore[attr-defined]

    @property
    def declared_line(self) -> str:
        """What is declared, in one line."""
        chosen = {str(slug) for slug in self["rated_for"].value() or ()}
        lists = [str(name) for slug, name in self.fields["rated_for"].choices if slug in chosen]  # type: ignore[attr-defined]
        letter = str(self["event_class"].value() or "")
        said = [
            ", ".join(lists) or gettext("none"),
            gettext("class %(letter)s") % {"letter": letter} if letter else "",
            gettext("online") if self["online"].value() else "",
        ]
        return ", ".join(filter(None, said))

    @property
    def declared_are_open(self) -> bool:
        """Whether something is wrong with what is declared."""
        return not self.errors.keys().isdisjoint(DECLARED)

    def declared_terms(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in DECLARED}
