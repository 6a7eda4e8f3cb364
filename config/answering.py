"""Few threads answer, and more take requests in: one that arrives slowly keeps none of those that answer."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.http import HttpResponse


def few_threads(threads: int) -> Callable[[WSGIApplication], WSGIApplication]:
    """Return what has applications answered by so many threads together, in the order in which requests come.

    Only these have a database connection, one each. They begin with the first request, since a process that parts into
    copies has none.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="answer")

    def in_few_threads(application: WSGIApplication) -> WSGIApplication:
        def finished(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            response = application(environ, start_response)
            if not isinstance(response, HttpResponse):
                return response  # it is sent piece by piece: no thread that answers waits for who receives it
            content = [response.content]
            response.close()  # here, for Django then looks after the connection of the thread
            return content

        def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            return pool.submit(copy_context().run, finished, environ, start_response).result()

        return answered

    return in_few_threads
