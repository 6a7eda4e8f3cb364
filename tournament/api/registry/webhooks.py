"""The API for the webhooks of a federation, and for what they were told."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Delivery, Webhook
from players.registry.roles import require_federation
from players.webhooks.endpoints import end_webhook, make_webhook, send_again
from players.webhooks.models import EVENTS, MAX_ADDRESS
from tournament.api.access import Api, ApiView, Pages, user_of
from tournament.api.fields import LineField, StrictSerializer
from tournament.api.registry.bodies import find_federation
from tournament.api.schema import ACT, WRITE, problems

KNOWN = f"Some of {', '.join(f'`{event}`' for event in EVENTS)}."


class WebhookSerializer(serializers.ModelSerializer):
    events = serializers.ListField(child=serializers.CharField(), help_text=KNOWN)

    class Meta:
        model = Webhook
        fields = ["id", "address", "events", "made_at", "ended_at"]


class MadeWebhookSerializer(WebhookSerializer):
    """A new webhook with its secret, which is shown only now."""

    secret = serializers.SerializerMethodField()

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]

    def get_secret(self, webhook: Webhook) -> str:
        return self.context["secret"]


class NewWebhookSerializer(StrictSerializer):
    address = LineField(max_length=MAX_ADDRESS, help_text="https, of a host of the public network.")
    events = serializers.ListField(child=LineField(max_length=20), max_length=len(EVENTS), help_text=KNOWN)


class DeliverySerializer(serializers.ModelSerializer):
    state = serializers.SerializerMethodField(help_text="`waiting`, `delivered` or `dead`.")

    class Meta:
        model = Delivery
        fields = ["id", "message", "event", "state", "at", "attempts", "next_at", "delivered_at", "fault"]

    def get_state(self, delivery: Delivery) -> str:
        if delivery.is_dead:
            return "dead"
        return "waiting" if delivery.next_at else "delivered"


class WebhooksView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = WebhookSerializer
    pagination_class = Pages
    queryset = Webhook.objects.none()

    def get_queryset(self) -> QuerySet[Webhook]:
        return find_federation(self.kwargs["code"]).webhooks.all()

    @extend_schema(
        summary="List the webhooks of a federation",
        description="For its officers. Those that have ended are among them.",
        responses={200: WebhookSerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, code: str) -> Response:
        require_federation(user_of(request), find_federation(code))
        return self.list(request)

    @extend_schema(
        summary="Add a webhook: an address that is told what happens",
        description="The answer holds its `secret`, shown only now. Each delivery has `Sixprime-Signature`: "
        "`t=` seconds since 1970, `,v1=` HMAC-SHA256 in hex of these seconds, a dot and the body, under the secret.",
        request=NewWebhookSerializer,
        responses={201: MadeWebhookSerializer}
        | problems(
            *WRITE,
            refusals=("webhook_address_unreadable", "webhook_address_private", "webhook_events_unknown"),
            conflicts=("webhook_exists", "webhooks_too_many"),
        ),
    )
    def post(self, request: Request, code: str) -> Response:
        federation, by = find_federation(code), user_of(request)
        require_federation(by, federation)
        told = NewWebhookSerializer.valid(request.data)
        webhook, secret = make_webhook(federation, **told, by=by, at=timezone.now())
        return Response(MadeWebhookSerializer(webhook, context={"secret": secret}).data, status=201)


class WebhookView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(summary="Show a webhook", responses={200: WebhookSerializer} | problems(403))
    def get(self, request: Request, webhook_id: int) -> Response:
        return Response(WebhookSerializer(_webhook(request, webhook_id)).data)

    @extend_schema(
        summary="End a webhook",
        description="Nothing more is sent to it, not even what waits.",
        responses={204: None} | problems(*ACT),
    )
    def delete(self, request: Request, webhook_id: int) -> Response:
        end_webhook(_webhook(request, webhook_id), by=user_of(request), at=timezone.now())
        return Response(status=204)


class DeliveriesView(Api, generics.ListAPIView):
    permission_classes = [IsAuthenticated]
    serializer_class = DeliverySerializer
    pagination_class = Pages
    queryset = Delivery.objects.none()

    def get_queryset(self) -> QuerySet[Delivery]:
        return Delivery.objects.filter(webhook=self.kwargs["webhook_id"]).defer("body")

    @extend_schema(
        summary="List what a webhook was told, the latest first",
        responses={200: DeliverySerializer(many=True)} | problems(403),
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        _webhook(request, webhook_id)
        return self.list(request)


class SendAgainView(ApiView):
    @extend_schema(
        summary="Send a delivery again that was given up",
        description="Under the same id, so that a program which has it already knows it.",
        request=None,
        responses={200: DeliverySerializer} | problems(*ACT, conflicts=("webhook_ended", "delivery_not_dead")),
    )
    def post(self, request: Request, delivery_id: int) -> Response:
        delivery = get_object_or_404(Delivery, pk=delivery_id)
        return Response(DeliverySerializer(send_again(delivery, by=user_of(request), at=timezone.now())).data)


def _webhook(request: Request, webhook_id: int) -> Webhook:
    webhook = get_object_or_404(Webhook.objects.select_related("federation"), pk=webhook_id)
    require_federation(user_of(request), webhook.federation)
    return webhook
