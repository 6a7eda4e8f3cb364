"""What a player adds to the public value of the draw, on the private page: a word, or the dice once more."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from players.errors import Refusal
from tournament.entries.public_value import give_word_by_link, repeat_dice_by_link
from tournament.pages.entries.closing_forms import DiceForm, WordForm
from tournament.pages.match.mine import entry_of, render_mine, until_it_ends
from tournament.pages.returning import refuse


@require_POST
@csrf_protect
@until_it_ends
def word(request: HttpRequest, token: str) -> HttpResponse:
    return _send(request, token, "word", WordForm(request.POST), give_word_by_link, _("Thank you for your word."))


@require_POST
@csrf_protect
@until_it_ends
def dice(request: HttpRequest, token: str) -> HttpResponse:
    thanks = _("Thank you. These are the dice of the draw.")
    repeat = partial(repeat_dice_by_link, signed_in=request.user if request.user.is_authenticated else None)
    return _send(request, token, "dice", DiceForm(request.POST), repeat, thanks)


def _send(
    request: HttpRequest,
    token: str,
    name: str,
    form: DiceForm | WordForm,
    service: Callable[..., object],
    thanks: str,
) -> HttpResponse:
    """Send what the form's one field holds to the service; a form that is refused comes back as typed."""
    entry = entry_of(token)
    if not form.is_valid():
        return render_mine(request, entry, token, status=Refusal.status, typed={f"{name}_form": form})
    try:
        service(entry, **form.cleaned_data, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal, field=name)
        return render_mine(request, entry, token, status=refusal.status, typed={f"{name}_form": form})
    messages.success(request, thanks)
    return redirect("my-entry", token=token)
