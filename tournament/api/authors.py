"""Answers say who did something as readers may know it: the user for people with a role, the office for others."""

from rest_framework import serializers

from tournament.roles.authors import NAMES, author


class AuthorField(serializers.CharField):
    """The name of a user who acted at the desk; ``context[NAMES]`` says whether the reader sees names."""

    def to_representation(self, value: str) -> str:
        return author(value, bool(self.context.get(NAMES)))
