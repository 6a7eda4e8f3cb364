"""The only writers of players and clubs."""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import ManyToOneRel
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Club, Player, Rating, User

MAX_NAME = 80
MAX_FOLDED = 120
LETTERS = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "œ": "oe"})


def fold_name(name: str) -> str:
    """The name as it is searched: lower case, without accents, with single spaces, at most 120 characters."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LETTERS)
    letters = (char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    return " ".join("".join(letters).split())[:MAX_FOLDED].strip()


def clean_name(name: str) -> str:
    """The name as it is stored: composed, with single spaces. Raises Refusal if nothing or too much is left."""
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    if not any(char.isalnum() for char in cleaned):
        raise Refusal(
            "name_empty", _("A name needs at least one letter: “%(name)s” has none.") % {"name": cleaned[:40]}
        )
    if len(cleaned) > MAX_NAME:
        raise Refusal(
            "name_too_long",
            _("The name “%(name)s…” is longer than %(limit)s characters.") % {"name": cleaned[:40], "limit": MAX_NAME},
        )
    if not cleaned.isprintable():
        raise Refusal("name_unprintable", _("The name holds characters that cannot be printed."))
    return cleaned


def ensure_clubs(names: Iterable[str]) -> None:
    """Clubs of these names exist. They are made in the order of their names, so that two who make the same ones at
    once wait for each other instead of blocking each other. Raises Refusal for a name that is none."""
    for name in sorted({clean_name(name) for name in names if name.strip()}):
        Club.objects.get_or_create(name=name)


@transaction.atomic
def create_player(*, name: str, club: str = "", country: str = "", at: datetime) -> Player:
    """A new player is stored, and his club if it is new.

    Raises Refusal for an empty, overlong or unprintable name or club, or a country that is no code of two or three
    letters.
    """
    country = country.strip().upper()
    if country and not (country.isascii() and country.isalpha() and len(country) in {2, 3}):
        raise Refusal(
            "country_unknown",
            _("“%(country)s” is no country code of two or three letters.") % {"country": country[:20]},
        )
    name = clean_name(name)
    player = Player(name=name, folded_name=fold_name(name), country=country, created_at=at)
    if club.strip():
        player.club, _created = Club.objects.get_or_create(name=clean_name(club))
    player.full_clean()
    player.save()
    return player


def find_players(text: str, *, limit: int = 10) -> Sequence[Player]:
    """Players one of whose names begins with the text, accents and case aside, by name."""
    folded = fold_name(text)
    if not folded:
        return []
    persons = Player.objects.filter(merged_into__isnull=True)
    begins = persons.filter(folded_name__startswith=folded)
    within = persons.filter(folded_name__contains=" " + folded)
    return list((begins | within).select_related("club").order_by("folded_name", "id").distinct()[:limit])


@transaction.atomic
def merge_players(kept: Player, gone: Player, *, by: User | None, at: datetime) -> Player:
    """Both rows were one person: whatever refers to ``gone`` refers to ``kept``, who keeps his name.

    Club and country come from ``gone`` where ``kept`` has none. The row of ``gone`` stays, points to ``kept``, and says
    who merged it and when; its ratings are gone until the lists are computed again. Raises Conflict if they are the
    same row, or one of them was merged before, or if a row of the database says that they are two people.
    """
    rows = {row.pk: row for row in Player.objects.select_for_update().filter(pk__in=[kept.pk, gone.pk]).order_by("pk")}
    if len(rows) < 2:
        raise Conflict("merge_of_one", _("A player is merged with another one."))
    kept, gone = rows[kept.pk], rows[gone.pk]
    for player in (kept, gone):
        if player.merged_into_id is not None:
            raise Conflict("player_merged", _("%(name)s was merged with another player before.") % {"name": player})
    Rating.objects.filter(player=gone).delete()
    try:
        with transaction.atomic():
            for relation in Player._meta.get_fields(include_hidden=True):
                if isinstance(relation, ManyToOneRel):
                    rows_of = relation.related_model._default_manager
                    rows_of.filter(**{relation.field.name: gone}).update(**{relation.field.name: kept})
    except IntegrityError as error:
        raise Conflict(
            "players_are_two",
            _("%(kept)s and %(gone)s sit in the same place, and so are two people.") % {"kept": kept, "gone": gone},
        ) from error
    kept.club_id = kept.club_id or gone.club_id
    kept.country = kept.country or gone.country
    kept.save(update_fields=["club", "country"])
    gone.merged_into, gone.merged_at, gone.merged_by = kept, at, by
    gone.save(update_fields=["merged_into", "merged_at", "merged_by"])
    return kept
