"""What all views of the API have in common: how clients sign in, what they send and receive, and paged lists.

JSON comes in, JSON or a problem goes out; anybody may read, and signed-in users may try to write.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.pagination import BasePagination, LimitOffsetPagination
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from players.models import User
from tournament.api.fields import MAX_NUMBER
from tournament.api.limits import Counted, count_request, refuse_beyond
from tournament.api.narrowing import narrowed
from tournament.api.once import carry_out
from tournament.api.parameters import check_parameters
from tournament.api.parsing import StrictJSONParser
from tournament.api.versions import under_etag
from tournament.models import AccessToken, Scope
from tournament.sign_in.tokens import find_token, note_use

SCHEMES = (b"bearer", b"token")
"""How clients name their token; the second is that of clients from before."""


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer <token>``. The first of the ways to sign in, so that a stranger's answer is a 401."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() not in SCHEMES:
            return None
        now = timezone.now()
        token = find_token(words[1].decode("latin-1"), at=now) if len(words) == 2 else None
        if token is None:
            raise AuthenticationFailed(_("This token is not valid, has ended or has expired."))
        if token.scope != Scope.WRITE and not _may_read(request):
            raise PermissionDenied(_("This token may only read."), code="scope_missing")
        note_use(token, at=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _may_read(request: Request) -> bool:
    """Whether a token that may only read is enough here.

    It is where nothing is stored, or nothing but that the token ends, and where the answer holds no secret that writes
    in its turn, such as a private link.
    """
    view = request.parser_context.get("view")
    if request.method in SAFE_METHODS:
        return not getattr(view, "tells_secrets", False)
    return bool(getattr(view, "needs_read_only", False))


class KeyScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI document describes tokens."""

    target_class = KeyAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from the page of your user account, or from `POST /api/v1/token/`. One that may "
            "only read answers writes and private links with 403 `scope_missing`. `Authorization: Token …` works too.",
        }


# A docstring here would describe every operation in the schema.
class Api(APIView):
    authentication_classes: Sequence[type[BaseAuthentication]] = [KeyAuthentication, SessionAuthentication]
    parser_classes: Sequence[type[BaseParser]] = [StrictJSONParser]
    renderer_classes: Sequence[type[BaseRenderer]] = [JSONRenderer]
    pagination_class: type[BasePagination] | None = None
    takes_keys = True
    keeps_keys = False
    tells_secrets = False
    counted: Counted | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer as every APIView does, with what all operations have in common around the operation itself."""
        self.args, self.kwargs = args, kwargs
        self.request = asked = self.initialize_request(request, *args, **kwargs)
        self.headers = self.default_response_headers
        response: Any
        try:
            self.initial(asked, *args, **kwargs)
            method = str(asked.method).lower()
            known = method if method in self.http_method_names else "http_method_not_allowed"
            handler = getattr(self, known, self.http_method_not_allowed)
            response = carry_out(self, asked, partial(handler, asked, *args, **kwargs))
            if method == "get":
                response = narrowed(self, asked, response)
        except Exception as error:
            response = self.handle_exception(error)
        self.response = self.finalize_response(asked, response, *args, **kwargs)
        return self._told(under_etag(asked, self.response))

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        self.counted = count_request(request)
        refuse_beyond(self.counted)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        check_parameters(self, request)

    def _told(self, response: HttpResponseBase) -> HttpResponseBase:
        if self.counted is not None:
            if response.status_code == 304:
                self.counted.give_back()
            self.counted.tell(response)
        return response


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
