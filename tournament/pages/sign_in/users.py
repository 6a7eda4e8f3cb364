"""All users, for administrators: found, made, helped back in, disabled."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from players.errors import Conflict, Refusal
from players.models import User
from tournament.hall.addresses import is_local
from tournament.models import Appointment
from tournament.pages.returning import refuse
from tournament.sign_in.events import events_of
from tournament.sign_in.factors import has_second_factor
from tournament.sign_in.fresh import require_fresh
from tournament.sign_in.links import site_of
from tournament.sign_in.people import (
    delete_user,
    find_users,
    forget_factors,
    is_unused,
    make_link,
    make_user,
    rename_user,
    require_administrator,
    set_active,
    set_administrator,
)

PAGE = 50
EVENTS_SHOWN = 100


class UserNameForm(forms.Form):
    username = forms.CharField(label=gettext_lazy("User name"), max_length=150, validators=[UnicodeUsernameValidator()])


class NewUserForm(UserNameForm):
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        required=False,
        help_text=gettext_lazy("If there is one, the link is sent to it as well."),
    )


ACTS: dict[str, tuple[Callable[..., object], tuple[object, ...], Any]] = {
    "disable": (set_active, (False,), gettext_lazy("The user can no longer sign in.")),
    "enable": (set_active, (True,), gettext_lazy("The user can sign in again.")),
    "administrator": (set_administrator, (True,), gettext_lazy("The user is an administrator now.")),
    "no-administrator": (set_administrator, (False,), gettext_lazy("The user is no longer an administrator.")),
    "delete": (delete_user, (), gettext_lazy("The user has been deleted.")),
    "forget-factors": (forget_factors, (), gettext_lazy("The second factor has been removed.")),
}


@login_required
@never_cache
def users(request: HttpRequest) -> HttpResponse:
    """Show the users; make one, whose link is shown once."""
    by = require_administrator(request.user)
    context: dict[str, object] = {"form": NewUserForm()}
    if request.method == "POST":
        form = NewUserForm(request.POST)
        context["form"] = form
        if form.is_valid():
            try:
                user, path = make_user(**form.cleaned_data, by=by, at=timezone.now())
            except Refusal as refusal:
                refuse(form, refusal, field=refusal.field)
            else:
                context |= {"form": NewUserForm(), **_given(request, user, path)}
    words = request.GET.get("q", "")[:100]
    page = Paginator(find_users(words), PAGE).get_page(request.GET.get("page"))
    context |= {"page": page, "words": words, "mail_folder": _folder()}
    wrong = request.method == "POST" and "link" not in context
    return render(request, "tournament/sign_in/users.html", context, status=400 if wrong else 200)


@require_GET
@login_required
@never_cache
def user(request: HttpRequest, user_id: int) -> HttpResponse:
    require_administrator(request.user)
    return _user_page(request, get_object_or_404(User, pk=user_id), {})


@require_POST
@login_required
def act(request: HttpRequest, user_id: int, action: str) -> HttpResponse:
    """Do it to the user, after who is at the keys has been asked again."""
    by = require_administrator(request.user)
    who = get_object_or_404(User, pk=user_id)
    if action not in {"link", "rename", *ACTS}:
        raise Http404
    require_fresh(request)
    now = timezone.now()
    if action == "link":
        return _user_page(request, who, _given(request, who, make_link(who, by=by, at=now)))
    if action == "rename":
        return _renamed(request, who, by)
    service, given, said = ACTS[action]
    try:
        service(who, *given, by=by, at=now)
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, str(said))
    return redirect("user", user_id) if User.objects.filter(pk=user_id).exists() else redirect("users")


def _renamed(request: HttpRequest, who: User, by: User) -> HttpResponse:
    form = UserNameForm(request.POST)
    if form.is_valid():
        try:
            rename_user(who, form.cleaned_data["username"], by=by, at=timezone.now())
        except Refusal as refusal:
            refuse(form, refusal, field=refusal.field)
        else:
            messages.success(request, _("The user name has been changed."))
            return redirect("user", who.pk)
    return _user_page(request, who, {"form": form}, status=400)


@require_GET
@login_required
@never_cache
def sign_in_log(request: HttpRequest) -> HttpResponse:
    """Show what happened at the door, to everybody, with addresses."""
    require_administrator(request.user)
    page = Paginator(events_of(), EVENTS_SHOWN).get_page(request.GET.get("page"))
    return render(request, "tournament/sign_in/log.html", {"page": page})


def _user_page(request: HttpRequest, who: User, extra: dict[str, object], status: int = 200) -> HttpResponse:
    context = {
        "who": who,
        "form": UserNameForm(initial={"username": who.get_username()}) if is_unused(who) else None,
        "roles": Appointment.objects.filter(user=who).select_related("tournament", "event").order_by("-id")[:PAGE],
        "has_second_factor": has_second_factor(who),
        "tokens": who.access_tokens.count(),
        "events": events_of(who)[:EVENTS_SHOWN],
        "mail_folder": _folder(),
    }
    return render(request, "tournament/sign_in/user.html", {**context, **extra}, status=status)


def _given(request: HttpRequest, who: User, path: str) -> dict[str, object]:
    """Send the link to the user's e-mail address, if there is one; return what the page shows of it."""
    try:
        site = site_of(request)
    except Conflict:
        whole = request.build_absolute_uri(path)
        return {"link": whole, "who": who, "sent": False, "is_bare": whole == path, "is_local": is_local(whole)}
    adapter = get_adapter(request)
    if who.email:
        context = {"user": who, "username": who.get_username(), "password_reset_url": site + path, "request": request}
        if who.has_usable_password():
            adapter.send_password_reset_mail(who, who.email, context)
        else:
            adapter.send_first_link(who.email, {**context, "by": request.user.get_username()})
    sent = bool(who.email) and not adapter.failed
    return {"link": site + path, "who": who, "sent": sent, "is_bare": False, "is_local": is_local(site)}


def _folder() -> str:
    """Return where mails lie if there is no mail server."""
    return "" if settings.EMAIL_HOST else str(settings.EMAIL_FILE_PATH)
