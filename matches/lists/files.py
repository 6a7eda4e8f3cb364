"""A publication as the file that anybody can check."""

from collections.abc import Iterator

from matches.lists.history import document_of
from players.lists.document import canonical
from players.lists.models import Publication, PublishedLine
from players.lists.read import FILE_VERSION


def list_file(publication: Publication) -> Iterator[bytes]:
    """Yield the file: the document as it was signed, its digest, signature and key, and the names that are left."""
    lines = PublishedLine.objects.filter(publication=publication).exclude(salt="").order_by("place")
    names = [list(row) for row in lines.values_list("person", "salt", "number", "title", "name", "club")]
    yield b'{"document":'
    yield document_of(publication.pk)
    yield b',"key":' + canonical(publication.key) + b',"names":' + canonical(names)
    yield b',"sha256":' + canonical(publication.sha256) + b',"signature":' + canonical(publication.signature)
    yield b',"sixprime_list_file":%d}\n' % FILE_VERSION
