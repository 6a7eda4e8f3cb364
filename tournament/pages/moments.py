"""Fields of forms for a moment, in the time zone of the page."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError


class MomentField(forms.DateTimeField):
    """A day and a time, picked in the browser."""

    def __init__(self, **options: Any) -> None:
        picker = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(**{"widget": picker, **options})

    def to_python(self, value: Any) -> datetime | None:
        moment = super().to_python(value)
        try:
            if moment is not None:
                moment.astimezone(UTC)  # the first and the last day that Python knows have moments that are none there
        except OverflowError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error
        return moment
