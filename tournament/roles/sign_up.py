"""Signing up: new users, as pages and API create them."""

from django.contrib.auth.forms import UserCreationForm

from players.models import User


class SignUpForm(UserCreationForm):
    """Django's own form, with its checks of name and password."""

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username",)
