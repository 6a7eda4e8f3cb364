"""Everything that may tell of a person has a fate: a new reference or field of text fails here until it has one."""

from django.apps import apps
from django.db import models

from players.models import Player
from tournament.career.fates import OF_ENTRY, OF_PLAYER, OF_THE_PERSON, RENAMED, STAYS
from tournament.models import Entry

TEXT = (models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField, models.BinaryField)
TEXT += (models.FileField,)


def columns_to(model: type[models.Model]) -> set[str]:
    found = (one for one in model._meta.get_fields(include_hidden=True) if isinstance(one, models.ManyToOneRel))
    return {f"{one.related_model._meta.label_lower}.{one.field.name}" for one in found}


def test_every_row_that_points_at_a_player_or_an_entry_has_a_fate():
    assert (columns_to(Player), columns_to(Entry)) == (set(OF_PLAYER), set(OF_ENTRY))


def test_every_field_that_holds_text_has_one_fate():
    fields = [
        f"{model._meta.label_lower}.{field.name}"
        for app in ("players", "matches", "tournament")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, TEXT) and not field.choices
    ]
    decided = [
        *(f"{model}.{name}" for model, (_path, names) in RENAMED.items() for name in names),
        *(f"{model}.{name}" for model, names in OF_THE_PERSON.items() for name in names),
        *(f"{model}.{name}" for model, names in STAYS.items() for name in names.split()),
    ]
    assert sorted(decided) == sorted(fields)
