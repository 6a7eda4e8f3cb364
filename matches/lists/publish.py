"""Publishing a list: the document that was previewed is signed and stored, and stays."""

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from matches.lists.counting import Source
from matches.lists.draft import Cut, Draft, draft_next
from players.errors import Conflict
from players.lists.document import criteria_as_json
from players.lists.models import OfficialList, Publication, PublishedLine
from players.lists.officers import require_keeper
from players.lists.signing import sign
from players.models import User
from players.registry.public_names import hold_names, version_of_names
from players.webhooks.outbox import tell

CHUNK = 500
TRIES = 3
"""How often a list is computed while names are being taken back."""


def publish(
    official_list: OfficialList,
    cut: Cut,
    *,
    digest: str | None,
    source: Source,
    by: User | None,
    at: datetime,
) -> Publication:
    """Store the next publication of the list, signed, with its lines; it never changes again.

    ``digest`` is that of the draft that was looked at, None if nobody has to. The list is locked only while it is
    stored. If a name is taken back meanwhile, the list is computed again. Raises Conflict if anything of the draft is
    otherwise by now, Forbidden as :func:`players.lists.officers.require_keeper` does, and what
    :func:`matches.lists.draft.draft_next` raises.
    """
    for _try in range(TRIES):
        version = version_of_names()
        draft = draft_next(official_list, cut, at=at, source=source, keep=True)
        if digest is not None and draft.made.sha256 != digest:
            break
        publication = _publish(official_list, draft, version, by=by, at=at)
        if publication is not None:
            return publication
    raise preview_changed()


def _publish(
    official_list: OfficialList, draft: Draft, version: int, *, by: User | None, at: datetime
) -> Publication | None:
    """Store the draft; None if names have been taken back since those of this version."""
    with transaction.atomic():
        if hold_names() != version:
            return None
        locked = OfficialList.objects.select_for_update(of=("self",)).select_related("federation")
        current = locked.get(pk=official_list.pk)
        if by is not None:
            require_keeper(by, current)
        last = Publication.objects.filter(official_list=current).order_by("-number").first()
        expected = draft.previous.pk if draft.previous else None
        if (last.pk if last else None) != expected or _differs(current, official_list):
            raise preview_changed()
        return _store(current, draft, last, by=by, at=at)


def preview_changed() -> Conflict:
    """Return the refusal of a publication that would not be the one that was looked at."""
    return Conflict(
        "preview_changed",
        _("Something has changed since this preview was made. Look at the new one and confirm it."),
    )


def _differs(one: OfficialList, other: OfficialList) -> bool:
    names = ("slug", "name", "federation_id", "kind", "parameters", "places", "counts_from", "criteria")
    return any(getattr(one, name) != getattr(other, name) for name in names)


def _store(
    official_list: OfficialList, draft: Draft, last: Publication | None, *, by: User | None, at: datetime
) -> Publication:
    signature, key = sign(draft.made.sha256)
    publication = Publication.objects.create(
        official_list=official_list,
        number=draft.head.number,
        previous=last,
        base=draft.head.base.number,
        as_of=draft.cut.as_of,
        matches_until=draft.cut.matches_until,
        memberships_until=draft.cut.memberships_until,
        criteria=criteria_as_json(draft.head.criteria),
        matches=draft.made.matches,
        inputs_sha256=draft.made.inputs_sha256,
        corrections=len(draft.corrections),
        document=draft.packed,
        sha256=draft.made.sha256,
        signature=signature,
        key=key,
        published_at=at,
        by=by,
    )
    PublishedLine.objects.bulk_create(_rows(publication, draft), batch_size=CHUNK)
    told = {"list": official_list.slug, "number": publication.number, "as_of": publication.as_of.isoformat()}
    tell(official_list.federation, "list.published", {**told, "sha256": publication.sha256}, at=at)
    return publication


def _rows(publication: Publication, draft: Draft) -> Iterator[PublishedLine]:
    for place, line in enumerate(draft.made.lines, start=1):
        known = draft.known[line.player]
        yield PublishedLine(
            publication=publication,
            place=place,
            person=line.player,
            player_id=line.player,
            rank=line.rank or None,
            rank_to=line.rank_to or None,
            value=Decimal(line.value),
            delta=None if line.delta is None else Decimal(line.delta),
            experience=line.experience,
            matches=line.matches,
            wins=line.wins,
            last_played=date.fromisoformat(line.last_played) if line.last_played else None,
            class_name=line.class_name,
            number=known.number,
            title=known.title,
            name=known.name,
            folded_name=known.folded_name,
            nation=known.nation,
            club=known.club,
            salt=known.salt,
        )
