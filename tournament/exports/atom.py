"""What happened in a tournament or an event as an Atom feed (RFC 4287): the steps that everybody may read."""

import re
from datetime import UTC, datetime

from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.log.public import as_public
from tournament.log.words import PUBLIC_VERBS, tell
from tournament.models import Event, LogEntry, Tournament

MEDIA_TYPE = Atom1Feed.content_type
ENTRIES = 50
"""How many of the newest steps a feed has."""
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 forbids or advises against, and the ends of lines."""


def write_feed(subject: Tournament | Event, *, site: str) -> bytes:
    """Return the feed of the tournament or of one of its events; ``site`` is the start of its addresses.

    The ids stay the same whatever the address of the site, and no other site has them: they say when the tournament was
    created, to the microsecond. It takes two queries.
    """
    is_event = isinstance(subject, Event)
    if isinstance(subject, Event):
        log, tournament = LogEntry.objects.filter(event=subject), subject.tournament
    else:
        log, tournament = LogEntry.objects.filter(tournament=subject), subject
    newest = log.filter(verb__in=PUBLIC_VERBS).select_related("event__tournament").order_by("-pk")[:ENTRIES]
    name = f"{subject.name} · {tournament.name}" if is_event else tournament.name
    kind = "event" if is_event else "tournament"
    address = f"{site}{subject.get_absolute_url()}"
    tag = f"tag:sixprime,2026:{tournament.created_at.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}"
    feed = _Feed(
        title=_plain(name),
        link=address,
        description=_plain(_("Results, draws and announcements")),
        language=get_language(),
        feed_url=f"{address}feed.atom",
        feed_guid=f"{tag}/{kind}/{subject.pk}",
        created_at=subject.created_at,
        author_name="Sixprime",
    )
    for row in as_public(newest):
        event = row.event if row.event is not None and row.event.deleted_at is None else None
        sentence = tell(row)
        feed.add_item(
            title=_plain(sentence if is_event or event is None else f"{event.name}: {sentence}"),
            link=f"{site}{event.get_absolute_url() if event is not None else tournament.get_absolute_url()}",
            description=_plain(sentence),
            unique_id=f"{tag}/log/{row.pk}",
            pubdate=row.at,
            updateddate=row.at,
        )
    return feed.writeString("utf-8").encode()


class _Feed(Atom1Feed):
    """An Atom feed that was last updated when its newest entry was, and without entries when its subject was made."""

    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=self.feed["created_at"])


def _plain(text: str) -> str:
    """Return the text without the characters that XML has no place for."""
    return UNFIT.sub(" ", text)
