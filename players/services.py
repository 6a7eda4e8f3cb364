"""The only writers of players and clubs."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import ManyToOneRel, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.collation import DANISH, PLAIN, SINGLE, SWEDISH, alphabet_of, fold, sort_key
from players.errors import Conflict, Refusal
from players.models import MAX_NAME, Club, Membership, Merge, Player, Rating, User
from players.registry.countries import one_code
from players.rows import insert_rows

MAX_FOLDED = 120
LETTERS = SINGLE
"""The script of the pages folds by them too."""
NAME_ORDERS = {PLAIN: "folded_name", DANISH: "danish_order", SWEDISH: "swedish_order"}
"""The column that holds the keys of each alphabet."""
EMPTY: Mapping[str, object] = {"club_id": None, "country": "", "town": "", "gender": ""}
"""The fields that a kept player takes over from the other where they are empty, with their empty values."""


def fold_name(name: str) -> str:
    """Fold the name for searching: lower case, without accents, with single spaces, at most 120 characters."""
    return fold(name)[:MAX_FOLDED].strip()


def clean_name(name: str) -> str:
    """Return the name as it is stored: composed, with single spaces. Raises Refusal if nothing or too much is left."""
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    if not any(char.isalnum() for char in cleaned):
        raise Refusal("name_empty", without_letters(cleaned))
    if len(cleaned) > MAX_NAME:
        raise Refusal(
            "name_too_long",
            _("The name “%(name)s…” is longer than %(limit)s characters.") % {"name": cleaned[:40], "limit": MAX_NAME},
        )
    if not cleaned.isprintable():
        raise Refusal("name_unprintable", _("The name contains characters that cannot be printed."))
    return cleaned


def without_letters(name: str) -> str:
    """Return why the name is refused, of a person who would be new."""
    return _("A name needs at least one letter: “%(name)s” has none.") % {"name": name.strip()[:40]}


def is_name(text: str) -> bool:
    """Whether the text can be stored as a name."""
    try:
        clean_name(text)
    except Refusal:
        return False
    return True


def ensure_clubs(names: Iterable[str]) -> None:
    """Make sure that clubs of these names exist.

    They are created in name order, so that two transactions that create the same ones at once wait for each other
    instead of deadlocking. Raises Refusal for a name that is not valid.
    """
    for name in sorted({clean_name(name) for name in names if name.strip()}):
        Club.objects.get_or_create(name=name)


@transaction.atomic
def create_player(*, name: str, club: str = "", country: str = "", at: datetime) -> Player:
    """Create a player, with the one code of the country where it is known, and the player's club if it is new.

    Raises Refusal for an empty, overlong or unprintable name or club, or a country that is not a code of two or three
    letters.
    """
    country = country.strip().upper()
    if country and not (country.isascii() and country.isalpha() and len(country) in {2, 3}):
        raise Refusal(
            "country_unknown",
            _("“%(country)s” is not a country code of two or three letters.") % {"country": country[:20]},
        )
    name = clean_name(name)
    player = Player(name=name, folded_name=fold_name(name), country=one_code(country), created_at=at)
    if club.strip():
        player.club, _created = Club.objects.get_or_create(name=clean_name(club))
    # The database checks the constraints: asking it beforehand is most of the work for a list of a thousand.
    player.clean_fields(exclude={"club"})
    player.save()
    return player


def create_players(names: Iterable[str], *, at: datetime) -> list[Player]:
    """Create a player of each name, in one statement. Raises Refusal as :func:`create_player` does."""
    cleaned = [clean_name(name) for name in names]
    players = [Player.new(name=name, folded_name=fold_name(name), public_id=uuid4(), created_at=at) for name in cleaned]
    insert_rows(players)
    return players


def name_order() -> str:
    """Return the column by which names are sorted for the reader: each has an index."""
    return NAME_ORDERS[alphabet_of(get_language())]


def name_key(name: str) -> str:
    """Return the key by which names sort for the reader, as :func:`name_order` sorts them in the database."""
    return sort_key(name, alphabet_of(get_language()))


@transaction.atomic
def merge_players(kept: Player, gone: Player, *, by: User | None, at: datetime, **detail: object) -> Merge:
    """Merge two rows of one person: everything that refers to ``gone`` then refers to ``kept``, whose name stays.

    Club, country, town and gender come from ``gone`` where ``kept`` has none. The row of ``gone`` stays and points to
    ``kept``; its ratings are deleted until the lists are computed again. The merge keeps what it moved, and the
    ``detail``. Raises Conflict if they are the same row, if one of them has already been merged, if the public reads
    their names in different ways, if memberships of theirs overlap, or if a database constraint shows that they are
    two people.
    """
    kept, gone = _lock_two(kept, gone)
    for player in (kept, gone):
        if player.merged_into_id is not None:
            raise Conflict(
                "player_merged", _("%(name)s has already been merged with another player.") % {"name": player}
            )
    _require_alike(kept, gone)
    Rating.objects.filter(player=gone).delete()
    moved = {}
    try:
        with transaction.atomic():
            for column, rows, name in _references():
                theirs = rows.filter(**{name: gone})
                if ids := list(theirs.order_by("pk").values_list("pk", flat=True)):
                    moved[column] = ids
                    theirs.update(**{name: kept})
    except IntegrityError as error:
        raise Conflict(
            "players_are_two",
            _(
                "%(kept)s and %(gone)s appear together, for example in the same event or match, so they must be two "
                "people."
            )
            % {"kept": kept, "gone": gone},
        ) from error
    filled = {name: getattr(gone, name) for name in EMPTY if getattr(gone, name) and not getattr(kept, name)}
    _fill(kept, filled)
    gone.merged_into = kept
    gone.save(update_fields=["merged_into"])
    detail |= {"moved": moved, "filled": filled}
    return Merge.objects.create(kept=kept, gone=gone, by=by, at=at, detail=detail)


@transaction.atomic
def undo_merge(gone: Player, *, by: User | None, at: datetime) -> Merge:
    """Undo a merge: the rows that it moved and that still belong to ``kept`` go back to ``gone``.

    ``kept`` loses the club and country taken over. Raises Conflict if ``gone`` is not merged, if what the merge moved
    was not kept, or if ``kept`` has since been merged with another player.
    """
    merge = find_merge(gone)
    kept, gone = _lock_two(merge.kept, gone)
    if find_merge(gone) != merge:
        raise _not_merged(gone)
    if kept.merged_into is not None:
        raise Conflict(
            "merged_since",
            _("%(kept)s and %(other)s have since been merged. Undo that merge first.")
            % {"kept": kept, "other": kept.merged_into},
        )
    moved, filled = merge.detail["moved"], merge.detail["filled"]
    for column, rows, name in _references():
        rows.filter(pk__in=moved.get(column, ()), **{name: kept}).update(**{name: gone})
    _fill(kept, {name: EMPTY[name] for name, value in filled.items() if getattr(kept, name) == value})
    gone.merged_into = None
    gone.save(update_fields=["merged_into"])
    merge.undone_at, merge.undone_by = at, by
    merge.save(update_fields=["undone_at", "undone_by"])
    return merge


def find_merge(gone: Player) -> Merge:
    """Return the merge through which another player stands for this one.

    Raises Conflict if there is none, or if it cannot be undone because it is from before merges kept what they moved.
    """
    merge = Merge.objects.select_related("kept", "gone").filter(gone=gone, undone_at__isnull=True).first()
    if merge is None:
        raise _not_merged(gone)
    if not merge.detail:
        raise Conflict(
            "merge_not_kept",
            _("%(name)s was merged before merges could be undone.") % {"name": gone},
        )
    return merge


def _not_merged(player: Player) -> Conflict:
    return Conflict("not_merged", _("%(name)s is not merged with another player.") % {"name": player})


def _lock_two(kept: Player, gone: Player) -> tuple[Player, Player]:
    """Return the two rows as they stand, locked. Raises Conflict if they are the same."""
    rows = {row.pk: row for row in Player.objects.select_for_update().filter(pk__in=[kept.pk, gone.pk]).order_by("pk")}
    if len(rows) < 2:
        raise Conflict("merge_of_one", _("A player can only be merged with another player."))
    return rows[kept.pk], rows[gone.pk]


def _require_alike(kept: Player, gone: Player) -> None:
    """Raise Conflict where nobody has decided yet how the one person is shown, or when they were a member."""
    if kept.visibility != gone.visibility:
        raise Conflict(
            "visibility_differs",
            _("The names of %(kept)s and %(gone)s are shown in different ways: change one of them first.")
            % {"kept": kept, "gone": gone},
        )
    rows = list(Membership.objects.filter(player__in=[kept, gone]).select_related("federation", "club"))
    for row in rows:
        if (other := row.overlapping(rows)) is not None:
            raise Conflict(
                "memberships_overlap",
                _("%(kept)s and %(gone)s are members of %(body)s at one time: change one of the memberships first.")
                % {"kept": kept, "gone": gone, "body": other.federation or other.club},
            )


def _references() -> Iterator[tuple[str, QuerySet, str]]:
    """Yield every column that refers to a player: its name in a merge, all rows that have it, and the field.

    Ratings are left out as they are computed, and merges as they are about the rows themselves.
    """
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.related_model not in (Rating, Merge):
            model, name = relation.related_model, relation.field.name
            yield f"{model._meta.label_lower}.{name}", model._default_manager.all(), name


def _fill(player: Player, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        setattr(player, name, value)
    player.save(update_fields=list(EMPTY))
