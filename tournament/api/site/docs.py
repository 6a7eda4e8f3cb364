"""The OpenAPI document, and the page that shows it."""

from functools import cache
from threading import Lock
from typing import Any

from django.http import HttpResponse
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

_lock = Lock()


def document() -> dict[str, Any]:
    """Return the OpenAPI document, which takes seconds and is made once. It is not to be changed."""
    with _lock:  # of those who ask for it at the same moment, one makes it
        return _made()


@cache
def _made() -> dict[str, Any]:
    with override("en"):
        made: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return made


@cache
def _written(media_type: str) -> str | bytes:
    found = {kind.media_type: kind for kind in SpectacularAPIView.renderer_classes}
    return found[media_type]().render(document(), renderer_context={})


class SchemaView(SpectacularAPIView):
    """The document as YAML, or as JSON for ``?format=json``: one version, and the same for everybody."""

    authentication_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        media_type = request.accepted_renderer.media_type
        name = f'inline; filename="{self._get_filename(request, None)}"'
        headers = {"Content-Disposition": name, "Cache-Control": "public, no-cache"}
        return HttpResponse(_written(media_type), content_type=media_type, headers=headers)


class DocsView(SpectacularSwaggerSplitView):
    authentication_classes = []
    url_name = "api:schema"
    template_name = "api/docs.html"
