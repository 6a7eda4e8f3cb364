"""The log filter: the rows requested by a reader."""

from collections.abc import Collection, Iterable

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from players.services import fold_name
from tournament.log.public import NOTED, OBJECTION
from tournament.log.words import verb_name
from tournament.models import Event, LogEntry, Tournament
from tournament.roles.authors import SEES_NOTES
from tournament.roles.claims import sees_claims


class LogFilter(forms.Form):
    """Rows in a tournament's or an event's log by user, event, verb, day in the hall's time zone, and words."""

    by = forms.ChoiceField(label=_("User"), required=False)
    event = forms.ChoiceField(label=_("Event"), required=False)
    verb = forms.ChoiceField(label=_("Action"), required=False)
    day = forms.DateField(label=_("Day"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    q = forms.CharField(label=_("Search for"), required=False, max_length=80)

    def __init__(self, data: QueryDict, *, tournament: Tournament, event: Event | None = None) -> None:
        super().__init__(data)
        self.log = LogEntry.objects.filter(tournament=tournament)
        if event is not None:
            self.log = self.log.filter(event=event)
            del self.fields["event"]
        else:
            events = Event.everything.filter(tournament=tournament).order_by("id")
            self._choose("event", events.values_list("slug", "name"))
        names = self.log.exclude(actor=None).order_by("actor__username").values_list("actor__username", flat=True)
        self._choose("by", ((name, name) for name in names.distinct()))
        verbs = self.log.order_by("verb").values_list("verb", flat=True).distinct()
        self._choose("verb", sorted(((verb, verb_name(verb)) for verb in verbs), key=lambda choice: choice[1]))

    def _choose(self, name: str, choices: Iterable[tuple[str, str]]) -> None:
        field: forms.ChoiceField = self.fields[name]  # type: ignore[assignment]
        field.choices = [("", _("all")), *choices]

    def rows(self, allowed: Collection[str]) -> QuerySet[LogEntry]:
        """Return the requested rows, newest first; none if the request cannot be read.

        Words find no row by what a reader with the actions ``allowed`` is not told.
        """
        if not self.is_valid():
            return self.log.none()
        wanted = self.cleaned_data
        rows = self.log
        if wanted["by"]:
            rows = rows.filter(actor__username=wanted["by"])
        if wanted.get("event"):
            rows = rows.filter(event__slug=wanted["event"])
        if wanted["verb"]:
            rows = rows.filter(verb=wanted["verb"])
        if wanted["day"]:
            rows = rows.filter(at__date=wanted["day"])
        words = fold_name(wanted["q"]).split()
        if words and SEES_NOTES not in allowed:
            rows = rows.exclude(verb__in=NOTED)
        if words and not sees_claims(allowed):
            rows = rows.exclude(verb=OBJECTION)
        for word in words:
            rows = rows.filter(words__contains=word)
        return rows.select_related("actor", "event").order_by("-id")
