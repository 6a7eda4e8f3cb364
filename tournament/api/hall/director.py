"""The API for calls for the director: made with a private link, answered and ended by those who run the hall."""

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Match
from tournament.api.access import ApiView, user_of
from tournament.api.hall.serializers import DirectorCallSerializer
from tournament.api.results.views import match_for
from tournament.api.schema import ACT, problems
from tournament.entries.links import entry_by_link
from tournament.hall.director_calls import come_to_match, end_director_call
from tournament.mine.call_director import call_director_by_link

CONFLICTS = ("director_not_called", "match_not_in_draw")
MY_CONFLICTS = ("event_finished", "match_decided", "match_not_in_draw", "match_of_others", "entry_gone")


class DirectorView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Come to a match whose players have called the director",
        description="Its players see at once that somebody is coming.",
        request=None,
        responses={200: DirectorCallSerializer} | problems(*ACT, conflicts=("director_call_taken", *CONFLICTS)),
    )
    def post(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "call_match")
        call = come_to_match(match, by=user_of(request), at=timezone.now())
        return Response(DirectorCallSerializer(call).data)

    @extend_schema(
        summary="End a call for the director",
        request=None,
        responses={200: DirectorCallSerializer} | problems(*ACT, conflicts=CONFLICTS),
    )
    def delete(self, request: Request, match_id: int) -> Response:
        match = match_for(request, match_id, "call_match")
        call = end_director_call(match, by=user_of(request), at=timezone.now())
        return Response(DirectorCallSerializer(call).data)


class MyDirectorView(ApiView):
    authentication_classes = ()
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Call the director to a match of one's own, with the private link",
        description="While a call is open, another one is the same.",
        request=None,
        auth=[],
        responses={200: DirectorCallSerializer} | problems(409, 410, conflicts=MY_CONFLICTS),
    )
    def post(self, request: Request, token: str, match_id: int) -> Response:
        entry = entry_by_link(token)
        match = Match.objects.filter(pk=match_id).first()
        if entry is None or match is None:
            raise Http404
        call = call_director_by_link(entry, match, at=timezone.now())
        return Response(DirectorCallSerializer(call).data)
