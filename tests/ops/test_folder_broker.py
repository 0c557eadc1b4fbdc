"""The broker of servers without a broker program: a worker never meets half of a message."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

MESSAGES = 300
LONG = "x" * 200_000  # takes long enough to write for a reader to come in between


@pytest.fixture
def connection(tmp_path: Path):
    folders = {key: str(tmp_path / "queue") for key in ("data_folder_in", "data_folder_out")}
    (tmp_path / "queue").mkdir()
    options = folders | {"control_folder": str(tmp_path / "control")}
    with Connection(
        "filesystem://", transport="config.processes.folder_broker:Transport", transport_options=options
    ) as it:
        yield it


def _take_all(connection: Connection) -> list[Any]:
    channel: Any = connection.channel()
    taken: list[Any] = []
    while len(taken) < MESSAGES:
        try:
            taken.append(channel._get("celery"))
        except Empty:
            continue
    return taken


def test_messages_read_while_others_are_written_are_whole(connection):
    writer = connection.channel()
    with ThreadPoolExecutor(1) as pool:
        taken = pool.submit(_take_all, connection)
        for number in range(MESSAGES):
            writer._put("celery", {"number": number, "text": LONG})
        numbers = sorted(message["number"] for message in taken.result(timeout=120))

    assert numbers == list(range(MESSAGES))


def test_processes_that_start_at_once_agree_on_who_hears_an_exchange(connection):
    def _bind(number: int) -> None:
        connection.channel()._queue_bind("celery", "celery", "", f"queue-{number}")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(_bind, range(48)))

    heard = {row.queue for row in connection.channel().get_table("celery")}
    assert heard == {f"queue-{number}" for number in range(48)}
