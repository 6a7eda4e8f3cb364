"""A folder as the broker of one machine: each message is a file."""

import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps, loads


class FolderChannel(filesystem.Channel):
    """Kombu's filesystem channel, but a message appears whole or not at all, and only a worker takes it out."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override] # Kombu has two
        name = f"{time.time_ns():020}-{uuid.uuid4().hex}.{queue}.msg"
        draft = Path(self.data_folder_out, f"{name}.draft")
        draft.write_text(dumps(payload))
        draft.rename(draft.with_suffix(""))

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for path in sorted(Path(self.data_folder_in).glob(f"*.{queue}.msg")):
            try:
                text = path.read_text()
                path.unlink()
            except FileNotFoundError:
                continue  # another worker took it
            return loads(text)
        raise Empty


class FolderTransport(filesystem.Transport):
    Channel = FolderChannel


TRANSPORT_ALIASES["folder"] = f"{__name__}:FolderTransport"
