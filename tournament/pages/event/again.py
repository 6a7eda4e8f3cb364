"""The same as last time: tournaments and events made again, and the templates of a director."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.errors import Conflict, Refusal
from tournament.models import EventTemplate
from tournament.pages.event.occasion_forms import AgainForm, EventAgainForm, TemplateForm
from tournament.pages.event.settings import settings_page
from tournament.pages.following import event_for, tournament_for
from tournament.pages.returning import refuse
from tournament.roles.permissions import require, require_signed_in
from tournament.setup.duplicate import duplicate_event, duplicate_tournament, next_day
from tournament.setup.names import name_on, next_name
from tournament.setup.settings import make_event
from tournament.setup.templates import find_template, remove_template, save_template


@login_required
def tournament_again(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, user = tournament_for(request, tournament_slug, "change_tournament")
    day = next_day(tournament, timezone.localdate())
    form = AgainForm(request.POST or None, initial={"starts_on": day})
    form.fields["name"].widget.attrs["placeholder"] = name_on(tournament.name, tournament.starts_on, day)
    if request.method == "POST" and form.is_valid():
        try:
            new = duplicate_tournament(tournament, **form.cleaned_data, by=user, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("tournament", new.slug)
    context = {"form": form, "tournament": tournament, "events": tournament.events.order_by("id")}
    status = 400 if form.is_bound else 200
    return render(request, "tournament/event/tournament_again.html", context, status=status)


@login_required
def event_again(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, _user = event_for(request, tournament_slug, event_slug, "change_event")
    user = require(request.user, event.tournament, "create_event")
    form = EventAgainForm(request.POST or None)
    names = set(event.tournament.events.values_list("name", flat=True))
    form.fields["name"].widget.attrs["placeholder"] = next_name(event.name, names)
    if request.method == "POST" and form.is_valid():
        try:
            new = duplicate_event(event, **form.cleaned_data, by=user, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("entries", tournament_slug, new.slug)
    context = {"form": form, "event": event, "tournament": event.tournament}
    return render(request, "tournament/event/event_again.html", context, status=400 if form.is_bound else 200)


@require_safe
@login_required
def templates(request: HttpRequest) -> HttpResponse:
    """List the director's own templates."""
    user = require_signed_in(request.user)
    found = user.event_templates.select_related("event__tournament")
    return render(request, "tournament/event/templates.html", {"templates": found})


@require_POST
@login_required
def save(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, user = event_for(request, tournament_slug, event_slug, "change_event")
    form = TemplateForm(request.POST)
    if not form.is_valid():
        return settings_page(request, event, template_form=form)
    try:
        saved = save_template(event, name=form.cleaned_data["name"], by=user, at=timezone.now())
    except Conflict:
        raise
    except Refusal as refusal:
        refuse(form, refusal, field="name")
        return settings_page(request, event, template_form=form)
    messages.success(request, _("Saved as the template “%(name)s”.") % {"name": saved.name})
    return redirect("settings", tournament_slug, event_slug)


@require_POST
@login_required
def remove(request: HttpRequest, template_id: int) -> HttpResponse:
    user = require_signed_in(request.user)
    template = get_object_or_404(EventTemplate, pk=template_id, owner=user)
    remove_template(template, by=user, at=timezone.now())
    messages.success(request, _("The template “%(name)s” has been removed.") % {"name": template.name})
    return redirect("templates")


@require_POST
@login_required
def use(request: HttpRequest, tournament_slug: str, template_id: int) -> HttpResponse:
    """Create an event from one of the director's templates."""
    tournament, user = tournament_for(request, tournament_slug, "create_event")
    template = find_template(user, template_id)
    name = template.settings["terms"]["name"]
    event = make_event(tournament, template.settings, name=name, copy_of=template.name, by=user, at=timezone.now())
    return redirect("entries", tournament_slug, event.slug)
