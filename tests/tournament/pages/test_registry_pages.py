"""The registry on pages: each role reads and writes what is its own, and a form that is refused comes back."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.models import Delivery, ExternalId, Player, RegistryImport, RegistryRole, Webhook
from players.registry.member_undo import undo_import
from players.registry.records import note_norm
from players.registry.visibility import ask_visibility
from players.webhooks.endpoints import make_webhook, secret_of
from tests.builders import AT
from tests.pages import text_of
from tests.players.registry.people import Registry, build_registry
from tests.players.registry.test_member_import import FILE
from tests.tournament.roles.test_permissions import undone
from tournament.models import ExportProfile

pytestmark = pytest.mark.django_db
WHO = ("visitor", "stranger", "member", "manager", "officer", "administrator")


@pytest.fixture
def registry() -> Registry:
    return build_registry()


def client_of(registry: Registry, who: str) -> Client:
    client = Client()
    if who == "administrator":
        registry.stranger.is_superuser = True
        registry.stranger.save()
        client.force_login(registry.stranger)
    elif who != "visitor":
        client.force_login(getattr(registry, who))
    return client


def pages(registry: Registry) -> dict[str, tuple[str, str]]:
    """The pages, each with the least of the roles that read it."""
    code, club, person = registry.federation.code, registry.club.pk, registry.holm.pk
    kept = RegistryImport.objects.create(
        kind="members", federation=registry.federation, file_name="a.csv", sha256="0" * 64, data=b"name", at=AT
    )
    profile = ExportProfile.objects.create(
        federation=registry.federation, name="Members", kind="members", columns=[["family", "family"]], made_at=AT
    )
    hook, _secret = make_webhook(
        registry.federation, address="https://example.org/", events=["export.made"], by=None, at=AT
    )
    found = {
        "exports": ("officer", [code]),
        "new-export": ("officer", [code, "results"]),
        "export-profile": ("officer", [profile.pk]),
        "export-file": ("officer", [profile.pk]),
        "webhooks": ("officer", [code]),
        "webhook": ("officer", [hook.pk]),
        "federations": ("visitor", []),
        "federation": ("visitor", [code]),
        "club": ("visitor", [club]),
        "person": ("member", [person]),
        "new-person": ("manager", []),
        "edit-club": ("manager", [club]),
        "members": ("officer", [code]),
        "federation-titles": ("officer", [code]),
        "title-table": ("officer", [code]),
        "import-members": ("officer", [code]),
        "new-club": ("officer", [code]),
        "edit-federation": ("officer", [code]),
        "duplicates": ("officer", []),
        "import-file": ("officer", [kept.pk]),
        "new-federation": ("administrator", []),
    }
    return {reverse(name, args=args): (least, name) for name, (least, args) in found.items()}


def test_each_page_is_read_by_its_roles(registry):
    wanted, seen = {}, {}
    for who in WHO:
        client = client_of(registry, who)
        with undone():
            for path, (least, name) in pages(registry).items():
                may = WHO.index(who) >= WHO.index(least)
                wanted[who, name] = 200 if may else 302 if who == "visitor" else 403
                seen[who, name] = client.get(path).status_code
    assert seen == wanted


def acts(registry: Registry) -> dict[str, tuple[str, dict[str, object]]]:
    """What is posted to the page of a person, each with the least of the roles that may."""
    wish = ask_visibility(registry.holm, "initials", by=registry.member, at=AT)
    norm = note_norm(registry.holm, issuer="dbgf", kind="BN", on=AT.date(), by=None)
    number = ExternalId.objects.create(player=registry.holm, issuer="dbgf", value="12")
    membership = registry.holm.body_memberships.get()
    days = {"starts": "2025-08-01", "ends": "2026-07-31", "kind": "ordinary"}
    return {
        "edit": ("manager", {"given": "Asta", "family": "Lund", "club": "Odense"}),
        "alias": ("manager", {"spelling": "Asta H"}),
        "user": ("manager", {"username": "newcomer"}),
        "number": ("officer", {"issuer": "dbgf", "value": "408"}),
        "remove-number": ("officer", {"row": number.pk}),
        "membership": ("officer", {**days, "body": f"federation-{registry.federation.pk}", "kind": "honorary"}),
        "change-membership": ("officer", {**days, "row": membership.pk, "paid_on": "2025-08-02"}),
        "title": ("officer", {"issuer": "dbgf", "code": "GM", "on": "2025-08-02"}),
        "norm": ("officer", {"issuer": "dbgf", "kind": "BN", "thirds": 1, "on": "2025-08-02"}),
        "void-norm": ("officer", {"row": norm.pk, "reason": "Cheating"}),
        "visibility": ("officer", {"visibility": "hidden"}),
        "grant": ("officer", {"row": wish.pk}),
        "deny": ("officer", {"row": wish.pk}),
    }


def test_each_form_of_a_person_is_taken_from_its_roles(registry):
    wanted, seen = {}, {}
    type(registry.member).objects.create_user("newcomer")
    for who in WHO[2:]:
        client = client_of(registry, who)
        with undone():
            for action, (least, data) in acts(registry).items():
                may = WHO.index(who) >= WHO.index(least)
                with undone():
                    answer = client.post(reverse("person-act", args=[registry.holm.pk, action]), data)
                wanted[who, action] = 302 if may else 400 if action == "membership" and who == "member" else 403
                seen[who, action] = answer.status_code
    for (who, action), status in list(wanted.items()):
        if action == "membership" and who in ("member", "manager"):  # their form offers no federation
            wanted[who, action] = 400
        assert status in (302, 400, 403)
    assert seen == wanted


def test_a_refused_form_comes_back_as_it_was_typed_and_stores_nothing(registry):
    client = client_of(registry, "officer")
    sent = {"given": "Asta", "family": "Lund", "country": "XX", "club": "Nowhere"}
    answer = client.post(reverse("person-act", args=[registry.holm.pk, "edit"]), sent)
    text = html.unescape(answer.content.decode())
    assert answer.status_code == 400
    assert "“XX” is not the code of a country." in text
    assert all(f'value="{value}"' in text for value in sent.values())
    registry.holm.refresh_from_db()
    assert registry.holm.name == "Asta Holm"


def test_a_member_asks_on_their_page_and_sees_what_is_recorded(registry):
    client = client_of(registry, "member")
    path = reverse("person", args=[registry.holm.pk])
    assert "Link user account" not in client.get(path).content.decode()
    assert (
        client.post(reverse("person-act", args=[registry.holm.pk, "ask"]), {"visibility": "hidden"}).status_code == 302
    )
    assert "Asks to be shown as: number" in client.get(path).content.decode()
    granted = client_of(registry, "officer").post(
        reverse("person-act", args=[registry.holm.pk, "grant"]), {"row": registry.holm.visibility_requests.get().pk}
    )
    registry.holm.refresh_from_db()
    assert (granted.status_code, registry.holm.name) == (302, f"Player #{registry.holm.pk}")


def hidden(text: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found is not None
    return html.unescape(found[1])


def test_a_file_of_members_is_shown_chosen_imported_and_undone(registry):
    client, path = client_of(registry, "officer"), reverse("import-members", args=["DBGF"])
    Player.objects.create(name="Carl Berg", folded_name="carl berg", created_at=AT)
    shown = client.post(path, {"file": SimpleUploadedFile("members.csv", FILE.encode())})
    assert (shown.status_code, RegistryImport.objects.count()) == (200, 0)
    text = shown.content.decode()
    assert "New: 1. Changed: 1. The same: 0. Ambiguous: 1. Refused: 2." in text
    chosen = {"carried": hidden(text, "carried"), "digest": hidden(text, "digest"), "row-4": "new"}
    stale = client.post(path, {**chosen, "digest": "x", "import": "yes"})
    assert (stale.status_code, RegistryImport.objects.count()) == (409, 0)
    again = client.post(path, chosen).content.decode()
    assert ('<option value="new" selected>' in again, hidden(again, "digest")) == (True, chosen["digest"])
    done = client.post(path, {**chosen, "import": "yes"}, follow=True)
    assert Player.objects.filter(name="Carl Berg").count() == 2
    assert "Left out: 0 ambiguous, 2 refused." in done.content.decode()
    kept = RegistryImport.objects.get()
    assert client.get(reverse("import-file", args=[kept.pk])).content == FILE.encode()
    client.post(reverse("undo-import", args=[kept.pk]))
    kept.refresh_from_db()
    assert (kept.undone_by, kept.data, Player.objects.filter(name="Carl Berg").count()) == (registry.officer, None, 1)
    with pytest.raises(Exception, match="undone already"):
        undo_import(kept, by=None, at=AT)


def test_a_preview_says_how_each_row_was_read(registry):
    client, path = client_of(registry, "officer"), reverse("import-members", args=["DBGF"])
    titles, rows = (
        "no;family;given;birth;club;kind;from",
        ("408;Lund;Bo;01-02-1960;Ribe;ungdom;01-08-2026", "9;Holm;Asta;2.5.1961;OD;;"),
    )
    data = "\n".join((titles, *rows))
    text = text_of(client.post(path, {"file": SimpleUploadedFile("members.csv", data.encode())}))
    assert (
        "given names: Bo · family name: Lund · born: 1 February 1960 · new club: Ribe · number: 408 · "
        "membership: youth, 1 August 2026–…"
    ) in text
    assert "born: 1961 → 2 May 1961 · number: 9" in text


def test_choosing_nobody_where_nothing_else_is_stored_shows_the_preview_again(registry):
    client, path = client_of(registry, "officer"), reverse("import-members", args=["DBGF"])
    Player.objects.create(name="Carl Berg", folded_name="carl berg", created_at=AT)
    text = client.post(path, {"file": SimpleUploadedFile("x.csv", b"name\nCarl Berg\n")}).content.decode()
    sent = {"carried": hidden(text, "carried"), "digest": hidden(text, "digest"), "import": "yes"}
    answer = client.post(path, {**sent, "row-2": ""})
    assert (answer.status_code, "No row of this file would change anything." in text_of(answer)) == (400, True)


def test_a_file_that_is_none_comes_back_with_the_reason(registry):
    client, path = client_of(registry, "officer"), reverse("import-members", args=["DBGF"])
    for data, status in ((b"a;b\n1;2\n", 400), (b"", 400)):
        assert client.post(path, {"file": SimpleUploadedFile("x.csv", data)}).status_code == status
    assert client.post(path, {"carried": "x"}).status_code == 400


def test_roles_are_given_and_ended_on_the_pages(registry):
    client = client_of(registry, "officer")
    client.post(reverse("appoint-officer", args=["DBGF"]), {"username": "stranger"})
    client.post(reverse("appoint-manager", args=[registry.club.pk]), {"username": "stranger"})
    given = RegistryRole.objects.filter(user=registry.stranger)
    assert [role.role for role in given.order_by("pk")] == ["officer", "manager"]
    for role in given:
        client.post(reverse("end-registry-role", args=[role.pk]))
    assert not given.all().exists()


def test_members_are_listed_in_as_many_queries_however_many_they_are(registry, django_assert_max_num_queries):
    client = client_of(registry, "officer")
    text = "family,given\n" + "".join(f"Name{number},Given\n" for number in range(60))
    client.post(reverse("import-members", args=["DBGF"]), {"file": SimpleUploadedFile("x.csv", text.encode())})
    with django_assert_max_num_queries(12):
        assert client.get(reverse("members", args=["DBGF"])).status_code == 200
    with django_assert_max_num_queries(22):
        assert client.get(reverse("person", args=[registry.holm.pk])).status_code == 200


def test_an_own_name_that_is_not_public_is_on_no_public_page(registry):
    client_of(registry, "officer").post(
        reverse("person-act", args=[registry.holm.pk, "visibility"]), {"visibility": "initials"}
    )
    paths = [
        reverse("player", args=[registry.holm.pk]),
        reverse("players") + "?q=holm",
        reverse("suggestions") + "?name=holm",
        reverse("club", args=[registry.club.pk]),
        reverse("search") + "?q=holm",
        reverse("api:players") + "?q=Asta",
        reverse("api:player", args=[registry.holm.pk]),
    ]
    shown = {path: Client().get(path).content.decode() for path in paths}
    assert {path for path, text in shown.items() if "Asta" in text.replace("q=Asta", "")} == set()
    assert "A. H." in shown[paths[0]]


def test_a_secret_is_shown_once_and_what_was_given_up_is_sent_again(registry):
    client, path = client_of(registry, "officer"), reverse("webhooks", args=["DBGF"])
    wrong = client.post(path, {"address": "https://127.0.0.1/", "events": ["export.made"]})
    assert (wrong.status_code, b"of a private network" in wrong.content) == (400, True)
    made = client.post(path, {"address": "https://example.org/hook", "events": ["export.made"]})
    hook = Webhook.objects.get()
    assert (made.status_code, secret_of(hook) in made.content.decode()) == (200, True)
    assert secret_of(hook) not in client.get(path).content.decode()
    dead = Delivery.objects.create(webhook=hook, event="export.made", body="{}", at=AT, attempts=8, fault="status 500")
    shown = client.get(reverse("webhook", args=[hook.pk])).content.decode()
    assert ("1 delivery was given up." in shown, "status 500" in shown, "Send again" in shown) == (True, True, True)
    again = reverse("send-again", args=[dead.pk])
    assert [client.post(again).status_code for _time in range(2)] == [302, 409]
    assert client_of(registry, "manager").post(reverse("end-webhook", args=[hook.pk])).status_code == 403
    assert client.post(reverse("end-webhook", args=[hook.pk])).status_code == 302
    assert "Send again" not in client.get(reverse("webhook", args=[hook.pk])).content.decode()
