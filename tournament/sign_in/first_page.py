"""The page on which somebody lands who signs in without having asked for another one."""

from django.urls import reverse

from players.models import Federation, User
from players.registry.roles import reach_of


def first_page_of(user: User) -> str:
    """Return the address of the page: an officer's federation, or the inbox of an officer of several; else the home
    page.

    An administrator, and an officer who has a role in a tournament as well, land on the home page like everybody.
    """
    reach = reach_of(user)
    if reach.everywhere or not reach.federations or user.appointments.exists():
        return reverse("home")
    if len(reach.federations) > 1:
        return reverse("inbox")
    return reverse("federation", args=[Federation.objects.get(pk__in=reach.federations).code])
