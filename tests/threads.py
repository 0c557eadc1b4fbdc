"""Do many things at the same moment, each over a database connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections


def at_once(actions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Start all actions together; gives what each returned or raised, in their order."""
    barrier = threading.Barrier(len(actions))

    def _act(action: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=60)
            return action()
        except Exception as error:  # noqa: BLE001  # the test judges it
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=len(actions)) as pool:
        return list(pool.map(_act, actions))
