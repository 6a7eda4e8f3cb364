"""Fields for the parameters of a system, of ratings or of points."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.parameters import Parameter, ParameterKind
from rules.errors import gettext_noop
from tournament.pages.lines import LineField
from tournament.pages.returning import refuse

PREFIX = "p_"
"""What the names of fields for the parameters of a system begin with."""


NUMBERS_HELP = gettext_noop(
    "Separate the numbers by spaces, semicolons or commas. Where spaces or semicolons separate them, a comma inside a "
    "number is a decimal comma: 2,5 1,5."
)


class NumbersField(LineField):
    """Decimal numbers in their order, as a list of texts; which of them are numbers is for the parameter to judge."""

    def clean(self, value: Any) -> list[str]:
        text: str = super().clean(value)
        numbers = split_numbers(text)
        if numbers is None:
            raise forms.ValidationError(
                _("A comma here can be read in two ways. Separate the numbers by spaces: 10 6, or 10.6 for one number.")
            )
        return numbers


def split_numbers(text: str) -> list[str] | None:
    """Return the numbers that are written in the text, or None if a comma may as well separate as be a decimal comma.

    Spaces, semicolons and commas beside a space separate. A comma without one is a decimal comma if spaces or
    semicolons alone separate, and separates if nothing else does and there are more of them.
    """
    spaced = re.sub(r",(?=\s|$)|(?<=\s),|^,", " ", text)
    tokens = [one for one in re.split(r"[;\s]+", spaced) if one]
    if not any("," in one for one in tokens):
        return tokens
    has_point = "." in text
    if len(tokens) > 1:
        is_decimal = spaced == text and not has_point and all(one.count(",") <= 1 for one in tokens)
        return [one.replace(",", ".") for one in tokens] if is_decimal else None
    parts = tokens[0].split(",")
    groups_thousands = any(re.search(r"^0\d|\.\d{3}$", one) for one in parts)
    return None if groups_thousands or (len(parts) == 2 and not has_point) else parts


class ParametersForm(forms.Form):
    """A form with a field for each of these parameters, after its own."""

    def __init__(self, *args: Any, declared: Sequence[Parameter], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.declared = declared
        self.parameter_names = [PREFIX + one.name for one in declared]
        for one in declared:
            self.fields[PREFIX + one.name] = _field_of(one)

    def parameters(self) -> dict[str, object]:
        """Return the parameters of the valid form as JSON has them; their values are for the system to judge."""
        return {one.name: _told(one, self.cleaned_data[PREFIX + one.name]) for one in self.declared}


def refuse_system(form: forms.Form, refusal: Refusal) -> None:
    """Put the refusal beside the field that it is about, which may be that of a parameter, or above the form."""
    field = refusal.field.replace("parameters.", PREFIX)
    refuse(form, refusal, field=field if field in form.fields else None)


def _field_of(one: Parameter) -> forms.Field:
    """Return a field for the parameter, with its label in the reader's language."""
    told: dict[str, Any] = {
        "label": _(one.label),
        "help_text": _(one.help) if one.help else "",
        "initial": shown_parameter(one.default),
        "required": False,
    }
    match one.kind:
        case ParameterKind.BOOL:
            return forms.BooleanField(**told)
        case ParameterKind.CHOICE:
            return forms.ChoiceField(choices=[(slug, _(name)) for slug, name in one.choices], **told)
        case ParameterKind.INT:
            return forms.IntegerField(**told)
        case ParameterKind.DECIMAL:
            return forms.DecimalField(**told)
    told["help_text"] = " ".join(filter(None, (told["help_text"], _(NUMBERS_HELP))))
    return NumbersField(max_length=1000, **told)


def shown_parameter(value: object) -> object:
    """Return the value as a form shows it."""
    return " ".join(f"{number:g}" for number in value) if isinstance(value, list | tuple) else value


def _told(one: Parameter, value: Any) -> object:
    """Return what a valid form says of the parameter, as JSON has it."""
    if one.kind is ParameterKind.DECIMALS:
        return value or None
    if value is None:
        return None if one.optional else one.default
    return float(value) if one.kind is ParameterKind.DECIMAL else value
