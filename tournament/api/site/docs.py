"""The OpenAPI document, and the page that shows it."""

from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response


class SchemaView(SpectacularAPIView):
    """The document as YAML, or as JSON for ``?format=json``: one version, and the same for everybody."""

    authentication_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return self._get_schema_response(request)

    def _get_version_parameter(self, request: Request) -> None:
        return None


class DocsView(SpectacularSwaggerSplitView):
    authentication_classes = []
    url_name = "api:schema"
    template_name = "api/docs.html"
