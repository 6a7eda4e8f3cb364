"""The forms for what is new: a tournament with its first event, an event, and either of them as last time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import MAX_NAME
from rules.errors import gettext_noop
from tournament.events.days import offered_zones
from tournament.events.terms import EventTerms
from tournament.formats import FORMATS, parse_options
from tournament.formats.occasions import OCCASIONS, Occasion
from tournament.formats.options import OptionField, Options, Seeding
from tournament.models import EventTemplate, Tournament
from tournament.pages.event.forms import EventForm, LengthsField, form_field, plain_option
from tournament.pages.lines import LineField
from tournament.pages.moments import MomentField
from tournament.setup.names import name_with_day

OWN = ""
"""The choice of no occasion: a format of the director's own."""
DEFAULT_LENGTHS = [7]


def zone_choices() -> list[tuple[str, str]]:
    return [("", gettext("that of the server: %(zone)s") % {"zone": settings.TIME_ZONE})] + [
        (zone, zone.replace("_", " ")) for zone in offered_zones()
    ]


class TournamentForm(forms.Form):
    """The name, days, place and time zone of a tournament."""

    name = LineField(label=_("Name"), max_length=MAX_NAME)
    starts_on = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    ends_on = forms.DateField(
        label=_("Last day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    place = LineField(label=_("Venue"), max_length=MAX_NAME, required=False)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("The pages and sheets of the tournament show their times in this zone."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = zone_choices()
        kept = self.initial.get("time_zone", "")
        known = {zone for zone, _name in choices}
        self.fields["time_zone"].choices = choices + [(kept, kept)] * (kept not in known)  # type: ignore[attr-defined]

    @staticmethod
    def values_of(tournament: Tournament) -> dict[str, object]:
        """Return what the form shows for a tournament as it stands."""
        names = ("name", "place", "starts_on", "time_zone")
        return {**{name: getattr(tournament, name) for name in names}, "ends_on": tournament.last_day}


@dataclass(frozen=True, slots=True)
class OccasionCard:
    """An occasion, or a template of the director's own, as one of the choices; ``fields`` are what it asks for."""

    value: str
    name: str
    description: str
    format: str = ""
    options: Options | None = None
    fields: Sequence[forms.BoundField] = ()


class OccasionFields(forms.Form):
    """The choice of an occasion, what that occasion asks for, and match lengths other than its own."""

    occasion = forms.ChoiceField(required=False)
    lengths = LengthsField(label=_("Match length"), required=False)

    def __init__(self, *args: Any, templates: Sequence[EventTemplate] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.templates = {f"template-{template.pk}": template for template in templates}
        self.fields["occasion"].choices = [(value, value) for value in (OWN, *OCCASIONS, *self.templates)]  # type: ignore[attr-defined]
        self.fields["lengths"].required = False
        self.fields["lengths"].help_text = gettext(
            "Leave empty for the lengths of the occasion, or type your own: 9, 7, 5."
        )
        for occasion in OCCASIONS.values():
            for option in asked_by(occasion):
                field = form_field(option)
                field.initial = occasion.options.get(option.name, option.default)
                self.fields[f"{occasion.slug}-{option.name}"] = field

    def cards(self) -> list[OccasionCard]:
        """Return the occasions in their order, and then the templates."""
        occasions = [
            OccasionCard(
                occasion.slug,
                gettext(occasion.name),
                gettext(occasion.description),
                occasion.format,
                parse_options(occasion.format, occasion.options),
                [self[f"{occasion.slug}-{option.name}"] for option in asked_by(occasion)],
            )
            for occasion in OCCASIONS.values()
        ]
        own = [
            OccasionCard(value, template.name, gettext("Your own template."))
            for value, template in self.templates.items()
        ]
        return occasions + own

    @property
    def chosen(self) -> Occasion | None:
        """The occasion that was chosen, if any; reads the form as valid."""
        return OCCASIONS.get(self.cleaned_data["occasion"])

    def occasion_terms(self, occasion: Occasion) -> dict[str, Any]:
        """Return the format of the occasion and its options, with what was asked for and typed."""
        data = self.cleaned_data
        asked = {
            option.name: plain_option(option, value)
            for option in asked_by(occasion)
            if (value := data[f"{occasion.slug}-{option.name}"]) not in (None, "")
        }
        lengths = {"lengths": data["lengths"]} if data["lengths"] else {}
        return {"format": occasion.format, "options": {**occasion.options, **asked, **lengths}}


def asked_by(occasion: Occasion) -> list[OptionField]:
    """Return the options of its format that the form asks for, when the occasion is chosen."""
    return [option for option in FORMATS[occasion.format].fields if option.name in occasion.asks]


class NewTournamentForm(OccasionFields, TournamentForm):
    """A tournament and its first event; without an occasion, the tournament alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = False

    @property
    def template(self) -> EventTemplate | None:
        """The template that was chosen, if any; reads the form as valid."""
        return self.templates.get(self.cleaned_data["occasion"])

    def days_and_place(self) -> dict[str, Any]:
        """Return the tournament's facts as the services take them, with a name and a last day for those left out."""
        data, occasion = self.cleaned_data, self.chosen
        noun = occasion.tournament if occasion else gettext_noop("Tournament")
        last_day = data["starts_on"] + timedelta(days=occasion.days - 1) if occasion else None
        return {
            "name": data["name"] or name_with_day(gettext(noun), data["starts_on"]),
            "starts_on": data["starts_on"],
            "ends_on": data["ends_on"] or last_day,
            "place": data["place"],
            "time_zone": data["time_zone"],
        }

    def first_event(self) -> EventTerms | EventTemplate | None:
        """Return what the first event is made of; None for a tournament without one."""
        occasion = self.chosen
        if occasion is None:
            return self.template
        return EventTerms(name=gettext(occasion.event), **self.occasion_terms(occasion))


class NewEventForm(OccasionFields, EventForm):
    """An event for an occasion, or in a format chosen from all of them; a name and lengths left out are filled in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "format", "seeding"):
            self.fields[name].required = False
        self.fields["name"].help_text = gettext("Leave empty for the name of the occasion or the format.")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not data.get("occasion") and not data.get("format") and "format" not in self.errors:
            self.add_error("format", gettext("Choose an occasion or a format."))
        data["lengths"] = data.get("lengths") or ([] if data.get("occasion") else DEFAULT_LENGTHS)
        data["seeding"] = data.get("seeding") or Seeding.RANDOM.value
        data["name"] = data.get("name") or self._usual_name()
        return data

    def _usual_name(self) -> str:
        occasion = OCCASIONS.get(self.cleaned_data.get("occasion", ""))
        format = FORMATS.get(self.cleaned_data.get("format", ""))
        if occasion is not None:
            return gettext(occasion.event)
        return gettext(format.name) if format else ""

    def stage_terms(self) -> dict[str, Any]:
        occasion = self.chosen
        if occasion is None:
            return super().stage_terms()
        terms = self.occasion_terms(occasion)
        return {**terms, "options": {**terms["options"], "seeding": self.cleaned_data["seeding"]}}


class AgainForm(forms.Form):
    """The name and first day of a tournament that is held again; without a name the old one has its day changed."""

    name = LineField(
        label=_("Name"),
        max_length=MAX_NAME,
        required=False,
        help_text=_("Leave empty to keep the name, with its day changed."),
    )
    starts_on = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class EventAgainForm(forms.Form):
    """The name and start of an event that is held again; without a name it is the old one with a number."""

    name = LineField(label=_("Name"), max_length=MAX_NAME, required=False)
    starts_at = MomentField(
        label=_("Starts"),
        required=False,
    )


class TemplateForm(forms.Form):
    """The name under which the settings of an event are saved."""

    name = LineField(
        label=_("Name"),
        max_length=MAX_NAME,
        error_messages={"required": _("Give the template a name of at most 80 characters.")},
    )
