"""Uploads are judged one after the other in a web process: threads that compute at once only hold each other up."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Seconds that an upload waits for those before it. One whose file is large, or whose store is slow, holds nobody up for
# longer: the next ones go beside it.
PATIENCE = 0.5

_turn = threading.Semaphore()


@contextmanager
def in_turn() -> Iterator[None]:
    """A context, or what decorates a function, that threads of this process enter one after the other.

    Whoever has waited for PATIENCE enters all the same.
    """
    is_own = _turn.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if is_own:
            _turn.release()
