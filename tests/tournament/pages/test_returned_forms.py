"""Every form of the pages comes back as it was typed: open, below what is wrong, with the focus on the wrong field.

The pages are read as a browser reads them, so that a form that is new to one of them is tested here for nothing. A
choice between what is offered cannot be typed wrong: a form that has nothing else is only looked for.
"""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from tests.builders import AT
from tests.pages import Control, PageForm, alerts_of, forms_of
from tests.tournament.closed import PROOF
from tests.tournament.pages.walk import Walk, build_walk
from tests.tournament.roles.addresses import ELSEWHERE, OF_LISTS, OF_THE_REGISTRY, PAGES
from tournament.formats import FORMATS
from tournament.hall.site import set_site_address
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

FILES_ALONE = {"check-event-file"}
"""Asks for a file alone, and the page that answers has the same form."""

LINKS = {"choose-language"}
"""Chosen by links: no page has a form for it."""

BY_SCRIPTS = {"my-alerts-browser"}
"""Sent by a script alone, with keys that only a browser has, and answered with JSON."""

STEPS = {
    *(
        "usersessions_list",
        "account_login",
        "account_logout",
        "account_inactive",
        "account_reauthenticate",
        "account_set_password",
    ),
    *("account_confirm_email", "account_reset_password_from_key", "mfa_authenticate", "mfa_reauthenticate"),
    *("mfa_activate_totp", "mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_edit_webauthn"),
    *("mfa_add_webauthn", "mfa_remove_webauthn", "mfa_reauthenticate_webauthn"),
}
"""Pages of the door that are there only after a step before, such as a password typed again."""

KNOWN = {**dict.fromkeys(("lengths", "next-lengths"), "5"), "username": "anna", **PROOF}
"""What is typed where not any text will do."""

CONSTANT = ("way", "kind", "side", "tap", "tie", "action", "number", "base")
"""Hidden fields that tell apart the forms of one address."""


@pytest.fixture
def walk(director, settings) -> Walk:
    """The walk on a site that sends e-mails."""
    settings.EMAIL_HOST, settings.EMAIL_FROM = "127.0.0.1", "club@example.org"
    walk = build_walk(director)
    for tournament in Tournament.objects.all():
        set_site_address(tournament, address="https://club.example.org", by=None, at=AT)
    return walk


def fill(control: Control) -> list[str]:
    """Return what a user types into the control, or what it held before."""
    if control.kind == "radio":
        return []
    if control.kind == "checkbox":
        return [control.attributes.get("value", "on")]
    if control.tag == "select":
        return [control.options[-1][0]]
    if control.value:
        return [control.value]
    if control.name in KNOWN:
        return [KNOWN[control.name]]
    if control.kind == "date":
        return ["2026-03-06"]
    if control.kind == "datetime-local":
        return ["2026-03-06T12:00"]
    if control.kind == "password":
        return ["long-enough-for-tests"]
    if control.kind == "number" or control.attributes.get("inputmode") in {"numeric", "decimal"}:
        # Of a table, another number in each row, which any field can take
        row = control.name.rpartition("-")[2]
        return [str(1 + int(row) % 999) if row.isdecimal() else control.attributes.get("min", "1")]
    return [f"Typed {control.name}"[: int(control.attributes.get("maxlength", 80))]]


def wrong(control: Control) -> list[str] | None:
    """Return what is wrong in the control; None if nothing that it can send is."""
    required = "required" in control.attributes
    if control.kind in {"checkbox", "password", "file"}:
        return None
    if control.kind == "radio":
        return [] if required and not control.is_ticked else None
    if control.tag == "select":
        return [""] if required and ("", "–") in control.options else None
    if control.kind in {"date", "datetime-local"}:
        return ["never"]
    if control.kind == "number" or control.attributes.get("inputmode") in {"numeric", "decimal"}:
        return ["x"]
    if "maxlength" in control.attributes:
        return ["x" * (int(control.attributes["maxlength"]) + 1)]
    return [""] if required else None


def filled(form: PageForm) -> dict[str, list[str]]:
    """Return what a browser sends for the form with everything typed, by the button that Enter presses."""
    sent = form.data()
    for control in form.typed:
        if control.kind == "file":
            continue
        if control.kind == "radio":
            sent[control.name] = [control.attributes.get("value", "on")]
        elif control.kind == "checkbox":
            ticked = [one for one in form.typed if one.name == control.name]
            sent[control.name] = [one.attributes.get("value", "on") for one in ticked]
        else:
            sent[control.name] = fill(control)
    pressed = next((button for button in form.buttons if button.get("name")), None)
    if pressed is not None and pressed is form.buttons[0]:
        sent[pressed["name"]] = [pressed.get("value", "")]
    return sent


def same_form(answer: HttpResponse, form: PageForm, page: str) -> PageForm | None:
    """Return the form of the answer that is the one that was sent."""
    names = {control.name for control in form.typed}
    hidden = {control.name: control.value for control in form.controls if control.name in CONSTANT}
    found = [
        one
        for one in forms_of(answer)
        if (one.action or page) == (form.action or page)
        and {control.name for control in one.typed} >= names
        and all(
            control.value == hidden[control.name]
            for control in one.controls
            if control.name in hidden and control.name != "base"
        )
    ]
    return found[0] if found else None


def faults(client: Client, page: str, form: PageForm, address: str, name: str) -> Iterator[str]:
    """Send the form with one field wrong; return what is amiss with the answer."""
    control = next(one for one in form.typed if one.name == name)
    sent = filled(form)
    sent[name] = wrong(control) or []
    if format := max((slug for slug in FORMATS if f"{slug}-" in name), key=len, default=""):
        sent[name.replace(name[name.index(f"{format}-") :], "format")] = [format]
    where = f"{resolve(address).view_name} {resolve(address).kwargs.get('way', '')} {name}"
    with transaction.atomic():
        answer = client.post(address, sent)
        transaction.set_rollback(True)
    if answer.status_code != 200 and not 400 <= answer.status_code < 500:
        yield f"{where}: answered with {answer.status_code}"
        return
    back = same_form(answer, form, address if not form.action else page)
    if back is None:
        yield f"{where}: the form is not on the page that answers"
        return
    if not back.is_open:
        yield f"{where}: the form is closed"
    if not alerts_of(answer):
        yield f"{where}: nothing above the form says what is wrong"
    returned = back.data()
    for one in form.typed:
        is_lost = one.kind not in {"password", "file"} and returned.get(one.name, []) != sent.get(one.name, [])
        if is_lost and not (one.name == name and sent[name] == []):
            yield f"{where}: {one.name} came back as {returned.get(one.name)}, not {sent.get(one.name)}"
    marked = [one.name for one in back.controls if "aria-invalid" in one.attributes]
    if name not in marked:
        yield f"{where}: it is not marked, but {marked}"
    focused = [one.name for one in back.controls if "autofocus" in one.attributes]
    if focused != [name]:
        yield f"{where}: the focus is on {focused}"


def test_every_form_with_a_wrong_field_comes_back_as_it_was_typed(walk):
    found, seen = [], set()
    for client, page, form, address in walk.forms():
        view = resolve(address)
        controls = tuple(sorted({control.name for control in form.typed}))
        kind = (view.view_name, view.kwargs.get("way"), view.kwargs.get("action"), controls)
        if kind in seen:
            continue
        seen.add(kind)
        for name in dict.fromkeys(control.name for control in form.typed):
            if all(wrong(control) is not None for control in form.typed if control.name == name):
                found += faults(client, page, form, address, name)
    assert found == [], "\n".join(found)


def test_every_address_that_takes_a_form_has_one_on_a_page(walk):
    """Those of all addresses of the site: that they are all named is held by the tests of the roles.

    The registry, official lists, acceptances, deadlines and exports have tests of their own for theirs.
    """
    sent = {resolve(address).view_name for _client, _page, _form, address in walk.forms()}
    named = {address.name for address in PAGES if address.method == "post"}
    named |= {name for name in ELSEWHERE if not name.startswith("api:")}
    named -= {"accept-record", "detach-record", "take-back-record", "my-extension", "my-offer", "my-new-export"}
    assert named - FILES_ALONE - LINKS - BY_SCRIPTS - STEPS - OF_LISTS - OF_THE_REGISTRY - sent == set()
