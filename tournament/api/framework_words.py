"""Sentences of Django REST framework that it does not say in every language of the site: our catalogues have them."""

from rules.errors import gettext_noop

SENTENCES = (
    gettext_noop("Datetime value out of range."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop('Enter a valid "slug" consisting of Unicode letters, numbers, underscores, or hyphens.'),
    gettext_noop("Expected available in {wait} second."),
    gettext_noop("Expected available in {wait} seconds."),
    gettext_noop('Invalid datetime for the timezone "{timezone}".'),
    gettext_noop("Invalid input."),
    gettext_noop("Must be a valid UUID."),
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
    gettext_noop("Surrogate characters are not allowed: U+{code_point:X}."),
    gettext_noop("This dictionary may not be empty."),
)
