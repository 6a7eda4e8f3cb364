"""What all tables of the API have in common: each is JSON, CSV or XLSX, as the client asks."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer

from tournament.api.access import ApiView
from tournament.exports.formats import FORMATS, XLSX, Export


class ExportedTableSerializer(serializers.Serializer):
    """A table in JSON: amounts are strings, written as people write them, so that none is rounded."""

    schema = serializers.CharField(help_text="Names the meaning of the columns, and changes with it.")
    rows = serializers.ListField(child=serializers.DictField(), help_text="One object per row, by column.")


TABLE: dict[tuple[int, str], Any] = {
    (200, "application/json"): ExportedTableSerializer,
    (200, "text/csv"): OpenApiTypes.STR,
    (200, XLSX): OpenApiTypes.BINARY,
}
"""The answers of an address that is a table."""

FILES = "`Accept: text/csv`, or `?format=csv` or `xlsx`, gives the file that the page offers."


class FileRenderer(BaseRenderer):
    """A table as a file in the renderer's ``format``."""

    def render(self, data: Export, media_type: str | None = None, context: Mapping[str, object] | None = None) -> bytes:
        return FORMATS[self.format](data)


class CsvRenderer(FileRenderer):
    """A table as CSV."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"


class TableJsonRenderer(FileRenderer):
    """A table as JSON, with its schema."""

    media_type = "application/json"
    format = "json"
    charset = None


class XlsxRenderer(FileRenderer):
    """A table as a workbook."""

    media_type = XLSX
    format = "xlsx"
    charset = None
    render_style = "binary"


class ExportView(ApiView):
    """A table, as JSON, CSV or XLSX."""

    renderer_classes = [TableJsonRenderer, CsvRenderer, XlsxRenderer]
    # DRF's answer to OPTIONS is not a table.
    http_method_names = ["get", "head"]
