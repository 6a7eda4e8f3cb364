"""What a page carries in a form from one step to the next, signed so that it comes back as it was sent."""

from typing import Any

from django.core import signing
from django.utils.translation import gettext as _

from players.errors import Refusal

SALT = "tournament.pages.carried"


def carry(value: object) -> str:
    """Return a text for a hidden field from which :func:`carried` reads the value, which JSON can hold."""
    return signing.dumps(value, salt=SALT, compress=True)


def carried(text: str) -> Any:
    """Return the value that :func:`carry` was given. Raises Refusal for any other text."""
    try:
        return signing.loads(text, salt=SALT)
    except signing.BadSignature as error:
        raise Refusal("form_incomplete", _("This form did not arrive complete. Open the page again.")) from error
