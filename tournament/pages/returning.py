"""How a form comes back: with everything that was typed, each wrong field marked, and the first of them focused."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.forms.boundfield import BoundField, BoundWidget
from django.forms.renderers import DjangoTemplates

from players.errors import Refusal, in_words
from rules.score import Side

SIDES = [side.value for side in Side]


@dataclass(frozen=True, slots=True)
class Returned:
    """A form that comes back to a page with many of its ``kind``, such as one on each line: the one of this ``row``."""

    kind: str
    row: object
    form: forms.BaseForm


class PageField(BoundField):
    """A field on a page. Django marks it if it is wrong; the first wrong one also takes the focus."""

    def build_widget_attrs(self, attrs: Any, widget: Any = None) -> dict[str, Any]:
        built = super().build_widget_attrs(attrs, widget)
        return {**built, "autofocus": True} if takes_focus(self) else built

    @cached_property
    def subwidgets(self) -> list[BoundWidget]:
        """The buttons of the field: only the first of them takes the focus."""
        buttons = super().subwidgets
        for button in buttons[1:]:
            button.data["attrs"].pop("autofocus", None)
        return buttons


class PageRenderer(DjangoTemplates):
    """Renders every form of the pages; named in the settings."""

    bound_field_class = PageField


def join(whole: forms.BaseForm, parts: Sequence[forms.BaseForm]) -> None:
    """Make these forms, such as rows, parts of the form; they come before its own fields."""
    whole.joined = tuple(parts)  # type: ignore[attr-defined]
    for part in parts:
        part.whole = whole  # type: ignore[attr-defined]


def wrong_fields(form: forms.BaseForm) -> list[BoundField]:
    """Return the fields of the form and its parts that have errors, in order, but for those that nobody sees."""
    return [
        one[name]
        for one in (*getattr(form, "joined", ()), form)
        for name, field in one.fields.items()
        if name in one.errors and not field.widget.is_hidden
    ]


def input_id(field: BoundField) -> str:
    """Return the id of the field's input, or of the first of its buttons."""
    named = field.field.widget.attrs.get("id") or field.auto_id
    return f"{named}_0" if field.use_fieldset and named else named


def takes_focus(field: BoundField) -> bool:
    """Whether this is the first wrong field of the form that it is a part of."""
    if not field.errors:
        return False
    first = next(iter(wrong_fields(getattr(field.form, "whole", field.form))), None)
    return first is not None and (first.form, first.name) == (field.form, field.name)


def refuse(form: forms.BaseForm, refusal: Refusal, *, field: str | None = None) -> None:
    """Add why the service refused it to the form, or to one of its fields."""
    form.is_valid()
    form.add_error(field, [str(refusal), *(in_words(finding) for finding in refusal.findings[1:])])


def retype(form: forms.BaseForm, **fresh: object) -> None:
    """Let the form come back as typed, but for hidden fields with a ``fresh`` value."""
    data: Any = form.data
    data = data.copy()
    for name, value in fresh.items():
        data[form.add_prefix(name)] = str(value)
    form.data = data


def label(form: forms.BaseForm, name: str, text: str) -> None:
    """Give the field this label; in a form that has been validated its bound field exists already, with the old one."""
    form.fields[name].label = form[name].label = text


def name_sides(form: forms.BaseForm, a: str, b: str) -> None:
    """Give the fields of the two sides, and the choices between the sides, their names."""
    for name, field in form.fields.items():
        if name.endswith(("_a", "_b")):
            label(form, name, a if name.endswith("_a") else b)
        elif isinstance(field, forms.ChoiceField):
            choices: list[Any] = list(field.choices)  # type: ignore[arg-type]
            if [value for value, _label in choices[-2:]] == SIDES:
                field.choices = [*choices[:-2], *zip(SIDES, (a, b), strict=True)]
