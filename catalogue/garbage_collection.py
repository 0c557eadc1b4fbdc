"""A context in which Python looks for no garbage, for work of which nearly all that it builds lives to its end."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """A context, or what decorates a function, without garbage collection. What nobody holds is freed all the same.

    Only objects that hold each other in a circle stay until later, so it is for work that makes few of them. Threads of
    one process share the pause, which ends with the first that began it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
