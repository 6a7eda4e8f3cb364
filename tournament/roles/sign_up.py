"""Sign-up: the creation of new users by pages and API."""

from django.contrib.auth.forms import UserCreationForm
from django.utils.translation import gettext_lazy as _

from players.models import User


class SignUpForm(UserCreationForm):
    """Django's own form, with its checks on name and password."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)
        labels = {"username": _("User name")}
        error_messages = {"username": {"unique": _("Somebody has this user name already.")}}
