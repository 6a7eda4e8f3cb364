"""Fields for the parameters of a system, of ratings or of points."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.parameters import Parameter, ParameterKind
from tournament.pages.lines import LineField
from tournament.pages.returning import refuse

PREFIX = "p_"
"""What the names of fields for the parameters of a system begin with."""


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
    return LineField(max_length=1000, **told)


def shown_parameter(value: object) -> object:
    """Return the value as a form shows it."""
    return " ".join(f"{number:g}" for number in value) if isinstance(value, list | tuple) else value


def _told(one: Parameter, value: Any) -> object:
    """Return what a valid form says of the parameter, as JSON has it."""
    if one.kind is ParameterKind.DECIMALS:
        return str(value).split() or None
    if value is None:
        return None if one.optional else one.default
    return float(value) if one.kind is ParameterKind.DECIMAL else value
