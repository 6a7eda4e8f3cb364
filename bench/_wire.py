"""A wire between the program and its database, which can be cut and joined again."""

import socket
import threading
from contextlib import suppress

from tests.processes import free_port

PIECE = 65_536


class Wire:
    """Carries connections from a port of this machine to a socket in its files.

    While it is cut, what is on its way is lost without a word, as on a network: nobody is told that it is gone.
    """

    def __init__(self, target: str) -> None:
        self.target, self.port = target, free_port()
        self.whole = threading.Event()
        self.whole.set()
        self._ends: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self.whole.clear()

    def join(self) -> None:
        """Carry new connections again; those from before the cut have ended."""
        for end in list(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.whole.set()

    def close(self) -> None:
        self._listener.close()
        self.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self._listener.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        """Join one connection to the target, as soon as the wire is whole."""
        self._ends.add(near)
        self.whole.wait()
        with socket.socket(socket.AF_UNIX) as far, suppress(OSError):
            far.connect(self.target)
            self._ends.add(far)
            back = threading.Thread(target=self._pass_on, args=(far, near), daemon=True)
            back.start()
            self._pass_on(near, far)
            back.join()
        self._ends -= {near, far}
        near.close()

    def _pass_on(self, source: socket.socket, to: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                if not self.whole.is_set():
                    continue
                to.sendall(piece)
        with suppress(OSError):
            to.shutdown(socket.SHUT_WR)
