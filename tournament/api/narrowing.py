"""``?fields=id,name``: a client that needs little reads little."""

from collections.abc import Mapping
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.errors import Refusal

NARROWED = "fields"
MOST_SHOWN = 40
PAGE = ("count", "next", "previous", "results")


def narrowed(view: APIView, request: Request, response: HttpResponseBase) -> HttpResponseBase:
    """Leave in an answer to a GET only the fields that its client names; of a list, in each of its rows.

    Raises Refusal for a field that there is not, and where the answer is a file.
    """
    asked = request.query_params.get(NARROWED)
    if asked is None or response.status_code != 200:
        return response
    data: Any = response.data if isinstance(response, Response) else None
    is_page = isinstance(data, Mapping) and tuple(data) == PAGE
    rows = data["results"] if is_page else data if isinstance(data, list) else [data]
    if not isinstance(response, Response) or not all(isinstance(row, Mapping) for row in rows):
        raise _refusal(_("The parameter “fields” narrows objects, and this address answers none."))
    names = dict.fromkeys(name.strip() for name in asked.split(","))
    known = _known(view, rows)
    for name in names:
        if known and name not in known:
            sentence = _("There is no field “%(name)s” here. The fields are: %(known)s.")
            raise _refusal(sentence % {"name": name[:MOST_SHOWN], "known": ", ".join(known)})
    few = [{name: row[name] for name in names if name in row} for row in rows]
    kept: Any = {**data, "results": few} if is_page else few if isinstance(data, list) else few[0]
    response.data = kept
    return response


def _known(view: APIView, rows: list[Mapping[str, Any]]) -> list[str]:
    """Return the names of the fields of the rows; of a list without rows, those that its serializer makes."""
    if rows:
        return list(dict.fromkeys(name for row in rows for name in row))
    serializer = getattr(view, "serializer_class", None)
    return list(serializer().fields) if serializer is not None else []


def _refusal(sentence: str) -> Refusal:
    return Refusal("invalid_parameter", sentence, field=NARROWED)
