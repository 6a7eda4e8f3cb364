"""The API for what is recorded of a person. Every write answers with the whole of it."""

from collections.abc import Callable
from typing import Any

from django.db.models import Prefetch
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.errors import Refusal
from players.models import Alias, Club, ExternalId, Federation, Membership, Norm, Player, User, VisibilityRequest
from players.registry.memberships import Term, add_membership, change_membership
from players.registry.people import Person, add_alias, create_person, remove_alias
from players.registry.records import add_number, give_title, note_norm, remove_number, void_norm
from players.registry.roles import appoint, forbidden, reach_of, rights_of
from players.registry.visibility import ask_visibility
from tournament.api.access import ApiView, user_of
from tournament.api.fields import StrictSerializer
from tournament.api.registry.bodies import NAME_REFUSALS
from tournament.api.registry.serializers import (
    NewAliasSerializer,
    NewMembershipSerializer,
    NewNormSerializer,
    NewNumberSerializer,
    NewTitleSerializer,
    PersonDataSerializer,
    RegisteredPersonSerializer,
    RegistryRoleSerializer,
    TermSerializer,
    UserNameSerializer,
    VisibilitySerializer,
    VoidNormSerializer,
    WishAnswerSerializer,
)
from tournament.api.registry.titles import PlayerTitlesSerializer, told
from tournament.api.schema import ACT, WRITE, problems
from tournament.registry.people import answer_request, edit_person, show_as
from tournament.registry.titles import may_read_titles, tracked_for

PERSON_REFUSALS = (*NAME_REFUSALS, "country_unknown", "gender_unknown", "birth_unreadable", "birth_in_future")
TERM_REFUSALS = ("kind_unknown", "number_unreadable", "membership_ends_early", "day_out_of_range")
ISSUED = ("issuer_unreadable", "code_unreadable", "evidence_too_long")
MERGED = ("player_merged",)


def person_for(request: Request, player_id: int) -> tuple[Player, User]:
    """Find the person for a user who may see what is recorded of them. Raises Forbidden and Http404."""
    user = user_of(request)
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id)
    if not rights_of(user, player).sees:
        raise forbidden()
    return player, user


def person_answer(player_id: int, *, status: int = 200) -> Response:
    """Answer with everything that is recorded of the person, in a fixed number of queries."""
    memberships = Membership.objects.select_related("federation", "club")
    rows = ("external_ids", "titles", "norms", "aliases", "former_values", "visibility_requests")
    found = Player.objects.select_related("club").prefetch_related(
        Prefetch("body_memberships", queryset=memberships), *rows
    )
    return Response(RegisteredPersonSerializer(found.get(pk=player_id)).data, status=status)


class PeopleView(ApiView):
    @extend_schema(
        summary="Take a person into the registry",
        description="For officers of a federation, and managers in their own club.",
        request=PersonDataSerializer,
        responses={201: RegisteredPersonSerializer} | problems(*WRITE, refusals=PERSON_REFUSALS),
    )
    def post(self, request: Request) -> Response:
        by = user_of(request)
        if not reach_of(by):
            raise forbidden()
        person = Person(**PersonDataSerializer.valid(request.data))
        return person_answer(create_person(person, by=by, at=timezone.now()).pk, status=201)


class PersonView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Show what is recorded of a person",
        description="For those who keep the registry, and for the person.",
        responses={200: RegisteredPersonSerializer} | problems(403),
    )
    def get(self, request: Request, player_id: int) -> Response:
        player, _user = person_for(request, player_id)
        return person_answer(player.pk)

    @extend_schema(
        summary="Change a person",
        description="All fields are sent. What they were stays with the day; draws keep the name, club and country "
        "under which the person was drawn.",
        request=PersonDataSerializer,
        responses={200: RegisteredPersonSerializer} | problems(*WRITE, refusals=PERSON_REFUSALS, conflicts=MERGED),
    )
    def put(self, request: Request, player_id: int) -> Response:
        player, by = person_for(request, player_id)
        person = Person(**PersonDataSerializer.valid(request.data))
        edit_person(player, person, by=by, at=timezone.now())
        return person_answer(player.pk)


class PersonWriteView(ApiView):
    """A write to the rows of a person, who is in the address."""

    def write(
        self,
        request: Request,
        player_id: int,
        act: Callable[[Player, Any, User], object],
        *,
        reads: type[StrictSerializer] | None = None,
        status: int = 200,
    ) -> Response:
        """Carry out what was sent, and answer with the person."""
        player, by = person_for(request, player_id)
        act(player, reads.valid(request.data) if reads else {}, by)
        return person_answer(player.pk, status=status)


class MembershipsView(PersonWriteView):
    @extend_schema(
        summary="Make a person a member of a federation or a club",
        request=NewMembershipSerializer,
        responses={201: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=(*TERM_REFUSALS, "body_unclear"), conflicts=(*MERGED, "memberships_overlap")),
    )
    def post(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            code, club, kind = data.pop("federation"), data.pop("club"), data.pop("kind")
            if bool(code) == (club is not None):
                raise Refusal("body_unclear", _("A membership is of a federation or of a club."), field="federation")
            body: Federation | Club = (
                get_object_or_404(Federation, code=code.upper()) if code else get_object_or_404(Club, pk=club)
            )
            add_membership(player, body, kind=kind, term=Term(**data), by=by)

        return self.write(request, player_id, act, reads=NewMembershipSerializer, status=201)


class MembershipView(PersonWriteView):
    @extend_schema(
        summary="Change the dates of a membership",
        request=TermSerializer,
        responses={200: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=TERM_REFUSALS, conflicts=(*MERGED, "memberships_overlap")),
    )
    def put(self, request: Request, player_id: int, membership_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            row = get_object_or_404(Membership, player=player, pk=membership_id)
            change_membership(row, term=Term(**data), by=by)

        return self.write(request, player_id, act, reads=TermSerializer)


class NumbersView(PersonWriteView):
    @extend_schema(
        summary="Record a number of a person",
        description="A number of a federation is for its officers.",
        request=NewNumberSerializer,
        responses={201: RegisteredPersonSerializer}
        | problems(
            *WRITE,
            refusals=("issuer_unreadable", "number_unreadable", "number_of_another_kind"),
            conflicts=(*MERGED, "number_taken"),
        ),
    )
    def post(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            add_number(player, **data, by=by, at=timezone.now())

        return self.write(request, player_id, act, reads=NewNumberSerializer, status=201)


class NumberView(PersonWriteView):
    @extend_schema(
        summary="Take a number from a person",
        description="It stays among what they had before.",
        responses={200: RegisteredPersonSerializer} | problems(*ACT, conflicts=MERGED),
    )
    def delete(self, request: Request, player_id: int, number_id: int) -> Response:
        def act(player: Player, _data: Any, by: User) -> None:
            number = get_object_or_404(ExternalId, player=player, pk=number_id)
            remove_number(number, by=by, at=timezone.now())

        return self.write(request, player_id, act)


class TitlesView(PersonWriteView):
    @extend_schema(
        summary="Show the titles of a player, and what is missing for the next",
        description="Of somebody whose name is not public, for them and for those who keep the registry.",
        responses={200: PlayerTitlesSerializer} | problems(403),
    )
    def get(self, request: Request, player_id: int) -> Response:
        player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, merged_into=None)
        if not may_read_titles(request.user, player):
            raise forbidden()
        tracked = [told(one) for one in tracked_for(player, timezone.localdate())]
        return Response(PlayerTitlesSerializer({"titles": player.titles.all(), "progress": tracked}).data)

    @extend_schema(
        summary="Record a title of a person",
        request=NewTitleSerializer,
        responses={201: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=ISSUED, conflicts=(*MERGED, "title_held")),
    )
    def post(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            give_title(player, **data, by=by)

        return self.write(request, player_id, act, reads=NewTitleSerializer, status=201)


class NormsView(PersonWriteView):
    @extend_schema(
        summary="Record a norm of a person",
        request=NewNormSerializer,
        responses={201: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=(*ISSUED, "norm_out_of_range"), conflicts=MERGED),
    )
    def post(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            note_norm(player, **data, by=by)

        return self.write(request, player_id, act, reads=NewNormSerializer, status=201)


class VoidNormView(PersonWriteView):
    @extend_schema(
        summary="Void a norm, with a reason",
        request=VoidNormSerializer,
        responses={200: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=("issuer_unreadable", "reason_missing"), conflicts=(*MERGED, "norm_void")),
    )
    def post(self, request: Request, player_id: int, norm_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            void_norm(get_object_or_404(Norm, player=player, pk=norm_id), **data, by=by)

        return self.write(request, player_id, act, reads=VoidNormSerializer)


class AliasesView(PersonWriteView):
    @extend_schema(
        summary="Let a person be found by another spelling",
        request=NewAliasSerializer,
        responses={201: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=NAME_REFUSALS, conflicts=(*MERGED, "alias_taken")),
    )
    def post(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            add_alias(player, **data, by=by, at=timezone.now())

        return self.write(request, player_id, act, reads=NewAliasSerializer, status=201)


class AliasView(PersonWriteView):
    @extend_schema(
        summary="Let nobody be found by this spelling any more",
        responses={200: RegisteredPersonSerializer} | problems(*ACT, conflicts=MERGED),
    )
    def delete(self, request: Request, player_id: int, alias_id: int) -> Response:
        def act(player: Player, _data: Any, by: User) -> None:
            remove_alias(get_object_or_404(Alias, player=player, pk=alias_id), by=by)

        return self.write(request, player_id, act)


class VisibilityView(PersonWriteView):
    @extend_schema(
        summary="Show a person's name to the public in another way",
        description="For officers. It is replaced wherever it is written out, but for published draws.",
        request=VisibilitySerializer,
        responses={200: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=("visibility_unknown",), conflicts=MERGED),
    )
    def put(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            show_as(player, data["visibility"], by=by, at=timezone.now())

        return self.write(request, player_id, act, reads=VisibilitySerializer)


class VisibilityRequestsView(PersonWriteView):
    @extend_schema(
        summary="Ask for one's own name to be shown in another way",
        description="For the person.",
        request=VisibilitySerializer,
        responses={201: RegisteredPersonSerializer}
        | problems(*WRITE, refusals=("visibility_unknown",), conflicts=(*MERGED, "request_waits")),
    )
    def post(self, request: Request, player_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            ask_visibility(player, data["visibility"], by=by, at=timezone.now())

        return self.write(request, player_id, act, reads=VisibilitySerializer, status=201)


class VisibilityRequestView(PersonWriteView):
    @extend_schema(
        summary="Answer a member who asks for their name to be shown in another way",
        description="For officers. What is granted is done.",
        request=WishAnswerSerializer,
        responses={200: RegisteredPersonSerializer} | problems(*WRITE, conflicts=(*MERGED, "request_answered")),
    )
    def put(self, request: Request, player_id: int, wish_id: int) -> Response:
        def act(player: Player, data: Any, by: User) -> None:
            wish = get_object_or_404(VisibilityRequest, player=player, pk=wish_id)
            answer_request(wish, **data, by=by, at=timezone.now())

        return self.write(request, player_id, act, reads=WishAnswerSerializer)


class PersonUsersView(ApiView):
    @extend_schema(
        summary="Say which user a person is",
        request=UserNameSerializer,
        responses={201: RegistryRoleSerializer}
        | problems(*WRITE, refusals=("user_unknown",), conflicts=("role_held", "user_is_another")),
    )
    def post(self, request: Request, player_id: int) -> Response:
        player, by = person_for(request, player_id)
        role = appoint(player, **UserNameSerializer.valid(request.data), by=by, at=timezone.now())
        return Response(RegistryRoleSerializer(role).data, status=201)
