"""The API for signing in as a program: a token in exchange for a name and password; and who is signed in."""

from django.contrib.auth import authenticate
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import AuthenticationFailed, NotFound
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import Refused
from players.models import User
from tournament.api.access import ApiView, KeyAuthentication, user_of
from tournament.api.schema import problems
from tournament.api.site.session_serializers import MeSerializer, SignInSerializer, TokenSerializer
from tournament.models import AccessToken
from tournament.past.moments import shows_the_past
from tournament.roles.devices import address_of, remember_address
from tournament.roles.throttling import SignInThrottle
from tournament.sign_in.factors import has_second_factor, take_code
from tournament.sign_in.tokens import end_token, make_token


class TokenView(ApiView):
    takes_keys = False  # an attempt that fails is not undone
    authentication_classes = [KeyAuthentication]
    needs_read_only = True

    def get_permissions(self) -> list:
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_throttles(self) -> list:
        return [SignInThrottle()] if self.request.method == "POST" else []

    @extend_schema(
        summary="Sign in: get a token for name and password",
        description="Each answer holds a new token, shown only now. A user has at most 50: a new one takes the place "
        "of that which was not used for longest. A new password ends them all.",
        request=SignInSerializer,
        responses={200: TokenSerializer}
        | problems(
            409,
            413,
            415,
            429,
            refusals=("token_name_invalid",),
            strangers=("credentials_wrong", "second_factor_needed", "second_factor_wrong"),
        ),
        auth=[],
        tags=["token"],
    )
    def post(self, request: Request) -> Response:
        data = SignInSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        given = data.validated_data
        user = authenticate(request._request, username=given["username"], password=given["password"])
        if not isinstance(user, User):
            raise AuthenticationFailed(_("User name and password do not match."), code="credentials_wrong")
        if has_second_factor(user):
            _require_code(user, given["code"], request)
        remember_address(user.get_username(), address_of(request))
        token, key = make_token(
            user, name=given["name"], scope=given["scope"], days=given["days"], at=timezone.now(), push_out=True
        )
        return Response(TokenSerializer(token, context={"key": key}).data)

    @extend_schema(
        summary="Sign out: end the token that is sent", responses={204: None} | problems(409), tags=["token"]
    )
    def delete(self, request: Request) -> Response:
        user_of(request)
        if isinstance(request.auth, AccessToken):
            end_token(request.auth, at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


def _require_code(user: User, code: str, request: Request) -> None:
    if not code:
        raise AuthenticationFailed(
            _("This user has a second factor: send a code of the authenticator app too."), code="second_factor_needed"
        )
    try:
        take_code(user, code, request._request)
    except Refused as refused:
        raise AuthenticationFailed(str(refused), code="second_factor_wrong") from refused


class MeView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Show who is signed in, with which roles and which token",
        responses={200: MeSerializer} | problems(),
        tags=["me"],
    )
    def get(self, request: Request) -> Response:
        user = user_of(request)
        held = user.appointments.filter(tournament__deleted_at=None).select_related("tournament")
        me = {
            "user": user.get_username(),
            "administrator": user.is_superuser,
            "roles": held.order_by("id"),
            "token": request.auth if isinstance(request.auth, AccessToken) else None,
        }
        return Response(MeSerializer(me).data)


@shows_the_past
class NothingView(ApiView):
    """Every other address below /api/v1/; there is nothing there now, and there was nothing at any earlier moment."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise NotFound(_("There is nothing at this address. All addresses of this API end with a slash."))
