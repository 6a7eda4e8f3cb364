"""Matches of a history copied by the database itself: later, and between other players."""

from django.core.management.color import no_style
from django.db import connection, models, transaction

from matches.models import GameLine, Match, Scoresheet, SheetChange
from players.models import Player

TABLES: dict[type[models.Model], dict[str, type[models.Model]]] = {
    Match: {},
    Scoresheet: {"match": Match},
    SheetChange: {"sheet": Scoresheet},
    GameLine: {"sheet": Scoresheet},
}
"""What is copied, in this order, with the copies that each row belongs to."""
SIDES = ("side_a", "side_b")


def copy_matches(upto: int, *, days: int, shift: int) -> None:
    """Copy all matches with an id of up to this one, with their sheets, as many days later.

    A player's place is taken by the one who comes ``shift`` places after them.
    """
    first = Player.objects.order_by("pk").values_list("pk", flat=True)[0]
    players = Player.objects.count()
    last = {model: model.objects.order_by("-pk").values_list("pk", flat=True)[0] for model in TABLES}
    with transaction.atomic(), connection.cursor() as cursor:
        for model, owners in TABLES.items():
            taken, written = [], []
            for field in model._meta.local_concrete_fields:
                column = connection.ops.quote_name(field.column)
                taken.append(column)
                if field.primary_key:
                    column += f" + {last[model]}"
                elif field.name in owners:
                    column += f" + {last[owners[field.name]]}"
                elif model is Match and field.name in SIDES:
                    column = f"({column} - {first} + {shift}) % {players} + {first}"
                elif isinstance(field, models.DateTimeField):
                    column = _later(column, days)
                written.append(column)
            table, owner = connection.ops.quote_name(model._meta.db_table), next(iter(owners), None)
            bound = _bound(model, owner, upto)
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(taken)}) SELECT {', '.join(written)} FROM {table} WHERE {bound}"  # noqa: S608
            )
        for statement in connection.ops.sequence_reset_sql(no_style(), list(TABLES)):
            cursor.execute(statement)


def _later(column: str, days: int) -> str:
    if connection.vendor == "postgresql":
        return f"{column} + interval '{days} days'"
    return f"datetime({column}, '+{days} days')"


def _bound(model: type[models.Model], owner: str | None, upto: int) -> str:
    """What the rows have that belong to the matches: as they were made in one order, an id is enough."""
    path = {None: "pk", "match": "match", "sheet": "sheet__match"}[owner]
    most = model.objects.filter(**{f"{path}__lte": upto}).order_by("-pk").values_list("pk", flat=True)[0]
    return f"id <= {most}"
