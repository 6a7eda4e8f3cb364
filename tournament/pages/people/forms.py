"""The forms for roles and invitations, and for the name typed to confirm a deletion."""

from collections.abc import Collection

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import MAX_NAME
from tournament.events.appoint import DAYS_VALID, MAX_DAYS_VALID, MAX_NOTE
from tournament.models import Appointment, Role, Tournament
from tournament.models.roles import WHOLE_TOURNAMENT
from tournament.pages.lines import LineField


class InvitationForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.SCORER)
    event: forms.ModelChoiceField = forms.ModelChoiceField(
        label=_("Event"), queryset=None, required=False, empty_label=_("the whole tournament")
    )
    note = LineField(
        label=_("Meant for"),
        max_length=MAX_NOTE,
        required=False,
        help_text=_("For your own list of open invitations, such as a name."),
    )
    days = forms.IntegerField(label=_("Valid for (days)"), min_value=1, max_value=MAX_DAYS_VALID, initial=DAYS_VALID)

    def __init__(self, *args: object, tournament: Tournament, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field: forms.ModelChoiceField = self.fields["event"]  # type: ignore[assignment]
        field.queryset = tournament.events.order_by("id")


class RoleForm(forms.Form):
    """The roles that a user may be given in place of their current one."""

    role = forms.ChoiceField(label=_("Role"))

    def __init__(self, *, appointment: Appointment, above: Collection[str]) -> None:
        super().__init__(initial={"role": appointment.role}, auto_id=f"%s-{appointment.pk}")
        of_event = appointment.event_id is not None
        fitting = [
            (role.value, role.label)
            for role in Role
            if role.value not in above and (role not in WHOLE_TOURNAMENT if of_event else role is not Role.DEPUTY)
        ]
        field: forms.ChoiceField = self.fields["role"]  # type: ignore[assignment]
        field.choices = fitting


class DeletionForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=MAX_NAME, strip=False)
