"""What happened in a tournament or an event as an Atom feed (RFC 4287): the steps that everybody may read."""

from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.log.words import PUBLIC_VERBS, tell
from tournament.models import Event, LogEntry, Tournament

MEDIA_TYPE = Atom1Feed.content_type
ENTRIES = 50
"""How many of the newest steps a feed has."""


def write_feed(subject: Tournament | Event, *, site: str) -> bytes:
    """Return the feed of the tournament or of one of its events; ``site`` is the start of its addresses.

    The ids of its entries stay the same whatever the address of the site. It takes one query.
    """
    is_event = isinstance(subject, Event)
    if isinstance(subject, Event):
        rows, tournament = LogEntry.objects.filter(event=subject), subject.tournament
    else:
        rows, tournament = LogEntry.objects.filter(tournament=subject), subject
    newest = rows.filter(verb__in=PUBLIC_VERBS).select_related("event__tournament").order_by("-pk")[:ENTRIES]
    name = f"{subject.name} · {tournament.name}" if is_event else tournament.name
    kind = "event" if is_event else "tournament"
    address = f"{site}{subject.get_absolute_url()}"
    feed = Atom1Feed(
        title=_plain(name),
        link=address,
        description=_plain(_("Results, draws and announcements")),
        language=get_language(),
        feed_url=f"{address}feed.atom",
        feed_guid=f"tag:sixprime,2026:{kind}/{subject.pk}",
        author_name="Sixprime",
    )
    for row in newest:
        event = row.event if row.event is not None and row.event.deleted_at is None else None
        sentence = tell(row)
        feed.add_item(
            title=_plain(sentence if is_event or event is None else f"{event.name}: {sentence}"),
            link=f"{site}{event.get_absolute_url() if event is not None else tournament.get_absolute_url()}",
            description=_plain(sentence),
            unique_id=f"tag:sixprime,2026:log/{row.pk}",
            pubdate=row.at,
            updateddate=row.at,
        )
    return feed.writeString("utf-8").encode()


def _plain(text: str) -> str:
    """Return the text without the control characters that XML has no place for."""
    return "".join(character if character >= " " else " " for character in text)
