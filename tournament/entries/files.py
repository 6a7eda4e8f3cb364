"""A file with a list of entries: the columns that it may have, and which of them the first rows name. Pure."""

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.tables import Columns, Rows

TITLES = {
    "name": {
        *("name", "player", "full name", "player 1", "name 1", "team"),
        *("navn", "spiller", "fulde navn", "fullt navn", "spiller 1", "navn 1", "hold", "lag"),
        *("namn", "spelare", "fullständigt namn", "spelare 1", "namn 1"),
        *("spieler", "vollständiger name", "spieler 1", "mannschaft"),
    },
    "first": {"first name", "firstname", "given name", "forename", "fornavn", "förnamn", "vorname"},
    "last": {
        *("last name", "lastname", "surname", "family name", "efternavn", "etternavn", "efternamn"),
        *("nachname", "familienname"),
    },
    "partner": {
        *("partner", "makker", "medspiller", "medspelare", "mitspieler", "partnerin"),
        *("player 2", "name 2", "spiller 2", "navn 2", "spelare 2", "namn 2", "spieler 2"),
    },
    "members": {"members", "medlemmer", "medlemmar", "mitglieder"},
    "club": {"club", "klub", "klubb", "verein"},
    "country": {"country", "country code", "land", "landekode", "landskod", "ländercode", "nation", "federation"},
    "seed": {"seed", "rank", "seedning", "setzplatz", "seeding"},
}
"""The titles of the columns that a list may have, in the languages of the site."""

ENTRIES = Columns(TITLES, telling=("name", "first", "last"))


def find_header(rows: Rows) -> tuple[int, dict[str, int]]:
    """Return the index of the row that names the columns, and the index of each column that is known.

    A surname may stand in a column called only “Name”, beside one of given names. Raises Refusal without a name column.
    """
    at = ENTRIES.header_of(rows)
    if at is None:
        raise Refusal("csv_without_name", _("The first line of the file must name its columns, one of them “name”."))
    columns = ENTRIES.columns_of(rows[at][1])
    if "first" in columns and "last" not in columns and "name" in columns:
        columns["last"] = columns.pop("name")
    return at, columns
