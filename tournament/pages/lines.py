"""Fields of forms for text on one line."""

import unicodedata
from typing import Any

from django import forms


class LineField(forms.CharField):
    """Text that is measured as it is stored: in normal form C, with single spaces."""

    def to_python(self, value: Any) -> str:
        return " ".join(unicodedata.normalize("NFC", super().to_python(value) or "").split())
