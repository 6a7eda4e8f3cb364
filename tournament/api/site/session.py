"""The API for signing in as a program: a token in exchange for a name and password."""

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed, NotFound
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.access import ApiView, KeyAuthentication, user_of
from tournament.api.players.serializers import SignInSerializer, TokenSerializer
from tournament.api.schema import problems
from tournament.past.moments import shows_the_past
from tournament.roles.devices import address_of, remember_address
from tournament.roles.throttling import SignInThrottle


class TokenView(ApiView):
    authentication_classes = [KeyAuthentication]

    def get_permissions(self) -> list:
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_throttles(self) -> list:
        return [SignInThrottle()] if self.request.method == "POST" else []

    @extend_schema(
        summary="Sign in: get a token for name and password",
        request=SignInSerializer,
        responses={200: TokenSerializer} | problems(409, 413, 415, 429, strangers=("credentials_wrong",)),
        auth=[],
        tags=["token"],
    )
    def post(self, request: Request) -> Response:
        data = SignInSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        user = authenticate(request._request, **data.validated_data)
        if user is None:
            raise AuthenticationFailed(_("Name and password do not match."), code="credentials_wrong")
        remember_address(user.get_username(), address_of(request))
        token, _created = Token.objects.get_or_create(user=user)
        return Response({"token": token.key})

    @extend_schema(summary="Sign out: make the token invalid", responses={204: None} | problems(409), tags=["token"])
    def delete(self, request: Request) -> Response:
        Token.objects.filter(user=user_of(request)).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


@shows_the_past
class NothingView(ApiView):
    """Every other address below /api/v1/; there is nothing there now, and there was nothing at any earlier moment."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise NotFound(_("There is nothing at this address. All addresses of this API end with a slash."))
