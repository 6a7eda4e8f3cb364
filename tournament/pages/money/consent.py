"""The question before a change of money after play has begun: what it moves, and consent with a reason."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.money.closing import MAX_REASON, NOT_ASKED, Consent, MovesUnconfirmed
from tournament.money.moves import Moves
from tournament.pages.lines import LineField
from tournament.roles.permissions import actions_of
from tournament.snapshot import take_snapshot

NOT_SENT_AGAIN = frozenset({"csrfmiddlewaretoken", "reason", "digest"})


class ConsentForm(forms.Form):
    """The reason, and the digest of the moves that the page showed; no digest if it has shown none yet."""

    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)
    digest = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if self.data.get("digest") and not reason:
            raise forms.ValidationError(_("Give a reason."))
        return reason

    @property
    def consent(self) -> Consent:
        """What has been consented to: nothing until the form is complete."""
        return Consent(**self.cleaned_data) if self.is_valid() else NOT_ASKED


def consent_values(form: ConsentForm, moves: Moves) -> dict[str, object]:
    """Return what the templates need to ask for consent; ``is_new`` says that other moves were consented to before."""
    return {"consent": form, "moves": moves, "is_new": form.data.get("digest", "") not in ("", moves.digest)}


def ask_for_consent(
    request: HttpRequest, event: Event, unconfirmed: MovesUnconfirmed, *, what: str, form: ConsentForm, back: str
) -> HttpResponse:
    """Show what the change that was sent would move, and ask for it to be sent again with a reason.

    ``what`` names the change; ``back`` is the page to return to with nothing changed.
    """
    snapshot = take_snapshot(event.pk)
    sent = ((name, value) for name, given in request.POST.lists() for value in given)
    values = {
        "event": snapshot,
        "stage": snapshot.stage,
        "may": actions_of(request.user, event),
        "sent": [(name, value) for name, value in sent if name not in NOT_SENT_AGAIN],
        "what": what,
        "back": back,
        **consent_values(form, unconfirmed.moves),
    }
    return render(request, "tournament/money/consent.html", values, status=unconfirmed.status)
