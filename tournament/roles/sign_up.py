"""A new user, as pages and API make one."""

from django.contrib.auth.forms import UserCreationForm

from players.models import User


class SignUpForm(UserCreationForm):
    """Django's own, with its checks of name and password."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)
