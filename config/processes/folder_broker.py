"""Celery messages as files in a folder, for servers without a broker program: kombu's transport, made whole.

kombu creates a message's file and fills it afterwards, and a worker that reads it in between dies of the empty
text. The same holds for the file that says which queue hears which exchange, where several processes start at once.
"""

import fcntl
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]  # its types lack kwargs
        """Write under a name that no reader takes, and rename it when it is complete."""
        folder = Path(self.data_folder_out)
        name = f"{round(time.monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        part = folder / f"{name}.part"
        part.write_text(dumps(payload), "utf-8")
        part.rename(folder / name)

    def get_table(self, exchange: str) -> Any:
        with self._alone():
            return super().get_table(exchange)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        with self._alone():
            super()._queue_bind(exchange, routing_key, pattern, queue)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until no other process reads or writes an exchange; the lock ends with the process that holds it."""
        folder = Path(self.control_folder)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    Channel = Channel
