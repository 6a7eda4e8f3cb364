"""The forms for an event and its stages."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.errors import Refusal
from players.models import MAX_NAME
from rules.profiles import DEFAULT_PROFILE, PROFILES
from tournament.events.stages import MAX_QUALIFIERS
from tournament.events.terms import DECLARED, MOST_CLOCK_DELAY, MOST_CLOCK_MINUTES, EventTerms, check_options
from tournament.formats import FORMATS, parse_options
from tournament.formats.options import MAX_LENGTH, MAX_LENGTHS, OptionField, OptionKind, Options, Seeding
from tournament.models import Carry, PublicSource, default_tiebreaks
from tournament.models.event import BOARDS
from tournament.pages.event.declared_fields import DeclaredFields
from tournament.pages.event.report_fields import REPORTS, ReportFields
from tournament.pages.lines import LineField
from tournament.pages.moments import MomentField
from tournament.ranking.tiebreaks import MAX_TIEBREAKS, TIEBREAKS


class LengthsField(forms.CharField):
    """Match lengths as "9, 7, 5": the final comes first, and the last length holds for all earlier rounds."""

    def to_python(self, value: object) -> list[int]:  # type: ignore[override]
        text = super().to_python(value) or ""
        parts = text.replace(",", " ").replace("/", " ").split()
        if not parts and not self.required:
            return []
        if not 1 <= len(parts) <= MAX_LENGTHS or not all(part.isascii() and part.isdecimal() for part in parts):
            raise forms.ValidationError(
                _("Enter one length, or several from the final backwards, such as 9, 7, 5."), code="lengths_invalid"
            )
        lengths = [int(part[:6]) for part in parts]
        if not all(1 <= length <= MAX_LENGTH for length in lengths):
            raise forms.ValidationError(
                _("A match length must be from 1 to %(limit)s points."),
                code="length_invalid",
                params={"limit": MAX_LENGTH},
            )
        return lengths

    def prepare_value(self, value: object) -> object:
        return ", ".join(str(length) for length in value) if isinstance(value, list | tuple) else value


def form_field(option: OptionField) -> forms.Field:
    """Return the form field for the option. Nothing is required: anything left out takes its default."""
    label, help_text = gettext(option.label), gettext(option.help) if option.help else ""
    match option.kind:
        case OptionKind.LENGTHS:
            return LengthsField(label=label, help_text=help_text, required=False)
        case OptionKind.NUMBER:
            limits = {"option": label, "least": option.least, "most": option.most}
            out = gettext("“%(option)s” must be from %(least)s to %(most)s.") % limits
            return forms.IntegerField(
                label=label,
                help_text=help_text,
                required=False,
                min_value=option.least,
                max_value=option.most,
                error_messages={"min_value": out, "max_value": out},
            )
        case OptionKind.FLAG:
            return forms.BooleanField(label=label, help_text=help_text, required=False)
        case OptionKind.DATE:
            widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            return forms.DateField(label=label, help_text=help_text, required=False, widget=widget)
        case OptionKind.CHOICE:
            choices = [(slug, gettext(name)) for slug, name in option.choices]
            return forms.ChoiceField(label=label, help_text=help_text, required=False, choices=choices)


def plain_option(option: OptionField, value: object) -> object:
    """Return what the form read for the option as the format takes it; its default if nothing was given."""
    if value in (None, ""):
        return option.default
    return value.isoformat() if isinstance(value, date) else value


class StageForm(forms.Form):
    """A format with its options: the common ones and those of every format; only the chosen format's count."""

    format = forms.ChoiceField(label=_("Format"))
    lengths = LengthsField(
        label=_("Match length"),
        help_text=_("Points needed to win. List several lengths from the final backwards: 9, 7, 5."),
    )
    seeding = forms.ChoiceField(
        label=_("Draw"),
        choices=[(Seeding.RANDOM.value, _("at random")), (Seeding.SEEDED.value, _("by seed"))],
        help_text=_(
            "At random, chance decides who meets whom. By seed, the top seeds of a knockout meet as late as possible."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = [(slug, gettext(fmt.name)) for slug, fmt in FORMATS.items()]  # type: ignore[attr-defined]
        for slug, fmt in FORMATS.items():
            for option in fmt.fields:
                self.fields[f"{slug}-{option.name}"] = form_field(option)

    def clean(self) -> dict[str, Any]:
        """Forgive what is wrong with the options of other formats, which nobody sees.

        Options of the chosen one that exclude each other are refused at the one that has to give.
        """
        data = super().clean() or self.cleaned_data
        for slug, fmt in FORMATS.items():
            if slug != data.get("format"):
                for option in fmt.fields:
                    self.errors.pop(f"{slug}-{option.name}", None)
        if not self.errors and data.get("format") in FORMATS and data.get("lengths"):
            self._refuse_contradictions()
        return data

    def _refuse_contradictions(self) -> None:
        terms = StageForm.stage_terms(self)
        try:
            check_options(terms["format"], terms["options"])
        except Refusal as refusal:
            name = f"{terms['format']}-{refusal.field.removeprefix('options.')}"
            self.add_error(name if name in self.fields else None, str(refusal))

    @staticmethod
    def defaults() -> dict[str, object]:
        own = {f"{slug}-{option.name}": option.default for slug, fmt in FORMATS.items() for option in fmt.fields}
        return {"format": next(iter(FORMATS)), "lengths": [7], "seeding": Seeding.RANDOM.value, **own}

    @classmethod
    def options_of(cls, format: str, options: Options) -> dict[str, object]:
        """Return what the form shows for a stage as it stands."""
        return {
            **cls.defaults(),
            "format": format,
            "lengths": list(options.lengths),
            "seeding": options.seeding.value,
            **{f"{format}-{name}": value for name, value in options.own.items()},
        }

    @property
    def format_line(self) -> str:
        """The name of the chosen format."""
        return _chosen_name(self["format"])

    @property
    def format_is_open(self) -> bool:
        """Whether something is wrong with the format or its options."""
        return any(name == "format" or name.partition("-")[0] in FORMATS for name in self.errors)

    def formats(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Return the slug, name and own fields of every format."""
        return [
            (slug, gettext(fmt.name), [self[f"{slug}-{option.name}"] for option in fmt.fields])
            for slug, fmt in FORMATS.items()
        ]

    def stage_terms(self) -> dict[str, Any]:
        """Return the format and its options in the form the services take."""
        data = self.cleaned_data
        slug = data["format"]
        own = {option.name: plain_option(option, data[f"{slug}-{option.name}"]) for option in FORMATS[slug].fields}
        return {"format": slug, "options": {"lengths": data["lengths"], "seeding": data["seeding"], **own}}


class NextStageForm(StageForm):
    """A stage that follows the last one."""

    qualifiers = forms.IntegerField(
        label=_("Number of qualifiers"),
        min_value=0,
        max_value=MAX_QUALIFIERS,
        help_text=_(
            "How many qualify from the previous stage, or from each of its groups; 0 for all who have a life left."
        ),
    )
    carry = forms.ChoiceField(
        label=_("Matches carried over"),
        choices=Carry.choices,
        help_text=_("The results of earlier stages that also count in the standings of this one."),
    )

    def stage_terms(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {**super().stage_terms(), "qualifiers": data["qualifiers"], "carry": data["carry"]}


def board_choices() -> list[tuple[int, str]]:
    """Return the numbers of boards a team may have, in words; 1 means an event without teams."""
    return [
        (boards, gettext("teams of %(boards)s") % {"boards": boards} if boards > 1 else gettext("no teams"))
        for boards in BOARDS
    ]


def _chosen_name(field: forms.BoundField) -> str:
    """Return the name of the choice that the field shows as chosen; empty if there is none."""
    names = {str(value): str(name) for value, name in field.field.choices}  # type: ignore[attr-defined]
    return names.get(str(field.value()), "")


RULES = ("starts_at", "profile", "crawford", "doubles", "boards", "clock_minutes", "clock_delay", "public_source")


class EventForm(DeclaredFields, ReportFields, StageForm):
    """The name, format, rules, reports, declared lists and tie-break order of an event."""

    field_order = ["name"]
    name = LineField(label=_("Name"), max_length=MAX_NAME)
    profile = forms.ChoiceField(
        label=_("Rules"), help_text=_("Every result that is entered is checked against these rules.")
    )
    crawford = forms.BooleanField(
        label=_("Crawford game"),
        required=False,
        help_text=_(
            "Nobody may double in the first game in which a side needs only one point. Rules that speak of money play "
            "alone leave this to the event."
        ),
    )
    doubles = forms.BooleanField(
        label=_("Consultation doubles"),
        required=False,
        help_text=_("Two players per side; each entry is a pair."),
    )
    starts_at = MomentField(
        label=_("Starts"),
        required=False,
        help_text=_("For the day plan."),
    )
    clock_minutes = forms.IntegerField(
        label=_("Clock: minutes per point"),
        required=False,
        min_value=1,
        max_value=MOST_CLOCK_MINUTES,
        help_text=_("Leave empty if matches are played without clocks."),
    )
    clock_delay = forms.IntegerField(
        label=_("Clock: delay in seconds"),
        required=False,
        min_value=0,
        max_value=MOST_CLOCK_DELAY,
        help_text=_("How long each play may take before the player's own time runs."),
    )
    boards = forms.TypedChoiceField(
        label=_("Teams"),
        coerce=int,
        empty_value="1",
        required=False,
        help_text=_(
            "Each entry is a team with one player per board; the team that wins more boards wins. An even number of "
            "boards can be shared: the match is drawn, half a win for each. Only formats that rank by wins take that."
        ),
    )

    public_source = forms.ChoiceField(
        label=_("Public value of the draw"),
        choices=PublicSource.choices,
        required=False,
        help_text=_(
            "Mixed into the draw, so that nobody alone can choose it. It becomes known only after entries are closed: "
            "dice that two people type in, a word from each player, or a round of drand, the public randomness beacon."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["profile"].choices = [(slug, gettext(profile.name)) for slug, profile in PROFILES.items()]  # type: ignore[attr-defined]
        self.fields["boards"].choices = board_choices()  # type: ignore[attr-defined]
        for number in range(1, MAX_TIEBREAKS + 1):
            self.fields[f"tiebreak_{number}"] = forms.ChoiceField(
                label=_("Tie-break %(number)s") % {"number": number},
                choices=[("", "–"), *self.tiebreak_names],
                required=False,
            )

    @classmethod
    def event_defaults(cls) -> dict[str, object]:
        return {
            **cls.defaults(),
            "profile": DEFAULT_PROFILE.slug,
            "crawford": DEFAULT_PROFILE.crawford,
            "boards": 1,
            "public_source": PublicSource.NONE.value,
            **cls.report_defaults(),
            **cls._tiebreak_values(default_tiebreaks()),
        }

    @classmethod
    def values_of(cls, terms: EventTerms) -> dict[str, object]:
        """Return what the form shows for an event as it stands."""
        same = ("name", *RULES, *REPORTS, *DECLARED)
        return {
            **cls.options_of(terms.format, parse_options(terms.format, terms.options)),
            **{name: getattr(terms, name) for name in same},
            **cls._tiebreak_values(terms.tiebreaks),
        }

    @staticmethod
    def _tiebreak_values(slugs: Sequence[str]) -> dict[str, object]:
        return {f"tiebreak_{number}": slug for number, slug in enumerate(slugs, start=1)}

    def tiebreak_fields(self) -> list[forms.BoundField]:
        return [self[f"tiebreak_{number}"] for number in range(1, MAX_TIEBREAKS + 1)]

    @property
    def rules_line(self) -> str:
        """The chosen rules, sides and clock, in one line."""
        chosen = [
            _chosen_name(self["profile"]),
            gettext("with the Crawford game") if self["crawford"].value() else gettext("without the Crawford game"),
            gettext("consultation doubles") if self["doubles"].value() else "",
            _chosen_name(self["boards"]),
            self.clock_line,
            self.value_line,
        ]
        return ", ".join(filter(None, chosen))

    @property
    def clock_line(self) -> str:
        """The chosen clock, in a few words."""
        minutes = self["clock_minutes"].value()
        return gettext("clock: %(minutes)s min per point") % {"minutes": minutes} if minutes else gettext("no clock")

    @property
    def value_line(self) -> str:
        """Where the public value of the draw comes from, in a few words; empty if there is none."""
        source = self["public_source"]
        if source.value() in (None, "", PublicSource.NONE.value):
            return ""
        return gettext("public value: %(source)s") % {"source": _chosen_name(source)}

    @property
    def rules_are_open(self) -> bool:
        """Whether something is wrong with the start, the rules or the clock."""
        return not self.errors.keys().isdisjoint(RULES)

    @property
    def tiebreak_names(self) -> list[tuple[str, str]]:
        """The slug and name of every tie-break."""
        return [(slug, gettext(tiebreak.name)) for slug, tiebreak in TIEBREAKS.items()]

    @property
    def tiebreaks_line(self) -> str:
        """The chosen tie-breaks in their order, in one line."""
        return ", ".join(_chosen_name(field) for field in self.tiebreak_fields() if field.value()) or gettext("none")

    @property
    def tiebreaks_are_open(self) -> bool:
        """Whether something is wrong with the tie-breaks."""
        return any(name.startswith("tiebreak_") for name in self.errors)

    def drawn_terms(self) -> list[forms.BoundField]:
        """Return the fields for everything that the draw has fixed."""
        free = ("name", "starts_at", "tiebreak_", "clock_", *REPORTS)
        fixed = [self[name] for name in self.fields if not name.startswith(free)]
        return [field for field in fixed if field.value() not in (None, False, "")]

    def terms(self) -> EventTerms:
        data = self.cleaned_data
        slugs = [data[f"tiebreak_{number}"] for number in range(1, MAX_TIEBREAKS + 1)]
        return EventTerms(
            **self.stage_terms(),
            name=data["name"],
            profile=data["profile"],
            crawford=data["crawford"],
            doubles=data["doubles"],
            starts_at=data["starts_at"],
            clock_minutes=data["clock_minutes"],
            clock_delay=data["clock_delay"],
            boards=int(data["boards"]),
            public_source=data["public_source"] or PublicSource.NONE.value,
            **{name: data[name] for name in REPORTS},
            **self.declared_terms(),
            tiebreaks=[slug for slug in slugs if slug],
        )
