"""Few threads answer, and more take requests in: one that arrives slowly keeps none of those that answer."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def in_few_threads(application: WSGIApplication, *, threads: int) -> WSGIApplication:
    """Have requests answered by so many threads, in the order in which they come. Each has its own database connection.

    They begin with the first request, since a process that parts into copies has none.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="answer")

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return pool.submit(copy_context().run, application, environ, start_response).result()

    return answered
