"""What all views of the API have in common: how clients sign in, what they send and receive, and paged lists.

JSON comes in, JSON or a problem goes out; anybody may read, and signed-in users may try to write.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.pagination import BasePagination, LimitOffsetPagination
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from players.models import User
from players.statements import Statement
from tournament.api.fields import MAX_NUMBER
from tournament.api.parameters import check_parameters
from tournament.api.parsing import StrictJSONParser


class KeyAuthentication(TokenAuthentication):
    """``Authorization: Token <key>``. The first of the ways to sign in, so that a client not signed in gets a 401."""

    def authenticate_credentials(self, key: str) -> tuple:
        if not (key.isascii() and key.isalnum()):
            raise AuthenticationFailed(_("Invalid token."))
        for token in _TOKENS.find(Token, key):
            if token.user.is_active:
                return token.user, token
        return super().authenticate_credentials(key)


_TOKENS = Statement(lambda key: Token.objects.filter(key=key).select_related("user"))


# A docstring here would describe every operation in the schema.
class Api(APIView):
    authentication_classes: Sequence[type[BaseAuthentication]] = [KeyAuthentication, SessionAuthentication]
    parser_classes: Sequence[type[BaseParser]] = [StrictJSONParser]
    renderer_classes: Sequence[type[BaseRenderer]] = [JSONRenderer]
    pagination_class: type[BasePagination] | None = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        check_parameters(self, request)


class ApiView(Api):
    pass


def user_of(request: Request) -> User:
    """Return the user who is signed in. Raises NotAuthenticated if nobody is."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


class Pages(LimitOffsetPagination):
    """``?limit=&offset=``: 100 a page by default, at most 500."""

    default_limit = 100
    max_limit = 500

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        """Return the parameters with their limits, within which :func:`check_parameters` holds them."""
        limits = {"limit": {"minimum": 1, "maximum": self.max_limit}, "offset": {"minimum": 0, "maximum": MAX_NUMBER}}
        found = super().get_schema_operation_parameters(view)
        return [declared | {"schema": declared["schema"] | limits[declared["name"]]} for declared in found]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "All, on however many pages."},
                "next": link,
                "previous": link,
                "results": schema,
            },
        }
