import hmac
import secrets
from hashlib import sha256

from django.conf import settings
from django.db import migrations
from django.utils import timezone

LENGTH = 10_000


def anchor_of(nonce):
    """As :func:`tournament.draw.secret.anchor_of` does it, with the server's present secret."""
    key = hmac.new(settings.SECRET_KEY.encode(), b"sixprime: chains of draws", sha256).digest()
    link = hmac.new(key, nonce.encode(), sha256).hexdigest()
    for _each in range(LENGTH):
        link = sha256(link.encode()).hexdigest()
    return link


def begin_chains(apps, schema_editor):
    """Give every event a chain; what is drawn keeps its seed, and what is not yet drawn will be by lots."""
    Event, DrawChain, Stage = (apps.get_model("tournament", name) for name in ("Event", "DrawChain", "Stage"))
    at = timezone.now()
    for event in Event._base_manager.order_by("pk").values_list("pk", flat=True).iterator():
        nonce = secrets.token_hex(16)
        DrawChain.objects.create(
            event_id=event, number=1, nonce=nonce, anchor=anchor_of(nonce), length=LENGTH, made_at=at
        )
    Stage.objects.filter(drawn_at=None).update(seed="")


def give_seeds(apps, schema_editor):
    """Give every stage a seed again, without which it cannot be drawn by a program from before."""
    for stage in apps.get_model("tournament", "Stage").objects.filter(seed=""):
        stage.seed = secrets.token_hex(16)
        stage.save(update_fields=["seed"])


class Migration(migrations.Migration):
    """Every event has a chain of draws, and stages that are not drawn yet will be drawn by lots."""

    dependencies = [("tournament", "0007_draw_chains")]

    operations = [migrations.RunPython(begin_chains, give_seeds)]
