"""The anchor of a page: Granian in the same processes, which sends the bytes of a file and does nothing else."""

import os
import sys
from pathlib import Path

from granian.constants import Interfaces

from config.server import serve


def main(file: str, port: int, processes: int) -> None:
    content = Path(file).read_bytes()
    headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "gzip"), ("ETag", '"bare"')]
    headers.append(("Content-Length", str(len(content))))

    def application(_environ, start_response):
        start_response("200 OK", headers)
        return [content]

    for _number in range(1, processes):
        if not os.fork():
            break
    serve(application, address="127.0.0.1", port=port, interface=Interfaces.WSGI, blocking_threads=4)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
