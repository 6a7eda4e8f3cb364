"""A table as a file to download."""

from django.http import HttpResponse

from tournament.exports.formats import FORMATS, MEDIA_TYPES, Export


def answer_file(table: Export, *, name: str, format: str) -> HttpResponse:
    """Answer with the table as a file of this name and format."""
    answer = HttpResponse(FORMATS[format](table), content_type=MEDIA_TYPES[format])
    answer["Content-Disposition"] = f'attachment; filename="{name}.{format}"'
    return answer
