"""Forms that come back: which fields are wrong, and the marks for a field whose template writes its own input."""

from django import forms, template
from django.forms.boundfield import BoundField
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.pages import returning

register = template.Library()


@register.filter
def wrong_fields(form: forms.BaseForm | str) -> list[BoundField]:
    return returning.wrong_fields(form) if isinstance(form, forms.BaseForm) else []


@register.filter
def is_incomplete(form: forms.BaseForm) -> bool:
    """Whether something is wrong that nobody types, so that nobody can correct it."""
    return any(field.errors for field in form.hidden_fields())


@register.simple_tag(takes_context=True)
def returned_to(context: template.Context, kind: str, row: object) -> forms.BaseForm | str:
    """Return the form that came back to this row, or an empty text."""
    found = context.get("returned")
    return found.form if found and (found.kind, str(found.row)) == (kind, str(row)) else ""


@register.filter
def input_id(field: BoundField) -> str:
    return returning.input_id(field)


@register.filter
def error_id(field: BoundField) -> str:
    """Return the id of the sentences on what is wrong with the field."""
    return f"{field.field.widget.attrs.get('id') or field.auto_id or field.html_name}_error"


@register.filter
def marked(field: BoundField | str) -> SafeString:
    """Return the attributes of an input whose field is wrong; nothing for any other."""
    if not isinstance(field, BoundField) or not field.errors:
        return SafeString("")
    focus = SafeString(" autofocus" if returning.takes_focus(field) else "")
    return format_html(' aria-invalid="true" aria-describedby="{}"{}', error_id(field), focus)
