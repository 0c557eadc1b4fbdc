"""Boards and pages made on all cores: in copies of this process, of what was read from the database before.

Making them is mostly pure Python, so threads would wait for each other, and the workers of Celery may have no children
of multiprocessing; `os.fork` works in both. A child has all that the parent had read, as it was at that moment. It
takes pieces of work from the same queue as the parent, sends what it has made, and ends without a trace: it answers no
signal, may ask the database for nothing, and leaves by `os._exit`. Whatever no child has sent is made by the parent.
"""

import gc
import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Generic, NoReturn, TypeVar, cast

from django.db import connections

logger = logging.getLogger(__name__)

ROWS_OF_CHILD = 1000  # fewer are made before a further process has begun
PATIENCE = 60  # seconds that a child may take for the last piece in its hands, and to send what it has made
INDEX_BYTES = 2  # of a piece's number in the queue; so few bytes are never read apart

Made = TypeVar("Made")


class Late(Generic[Made]):
    """A piece of work that is made when it is asked for, or before by `made_in_parallel`, and then kept.

    `make` reads nothing from the database and gives something, not None. `rows` says about how much work it is, in rows
    of boards.
    """

    def __init__(self, make: Callable[[], Made], *, rows: int) -> None:
        self._make, self.rows = make, rows
        self._made: Made | None = None

    @property
    def is_made(self) -> bool:
        return self._made is not None

    def made(self) -> Made:
        if self._made is None:
            self._made = self._make()
        return self._made

    def take(self, made: Made) -> None:
        """Keep this, which was made elsewhere."""
        self._made = made


@contextmanager
def made_in_parallel(pieces: Iterable[Late[Any]]) -> Iterator[None]:
    """A context at whose end these pieces are made: by children while it lasts, then by this process too.

    There is no child for little work, nor in a thread beside others: what those hold at this moment, as a lock, a child
    would wait for in vain. Whatever ends the context, no child is left behind.
    """
    missing = [piece for piece in pieces if not piece.is_made]
    with ExitStack() as at_the_end:
        queue = _queue(len(missing))
        at_the_end.callback(os.close, queue)
        children = []
        try:
            for _ in range(_children(missing)):
                children.append(at_the_end.enter_context(_child(missing, queue)))
        except OSError:
            logger.exception("no further process could be started to make boards or pages")
        yield
        for index in _taken(queue):
            missing[index].made()
        for receiving in children:
            for index, made in _received(receiving).items():
                missing[index].take(made)
    for piece in missing:
        piece.made()


def _children(pieces: Iterable[Late[Any]]) -> int:
    if threading.current_thread() is not threading.main_thread():
        return 0
    return min(cores() - 1, sum(piece.rows for piece in pieces) // ROWS_OF_CHILD)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _queue(length: int) -> int:
    """The end of a pipe from which the numbers below `length` are taken, each by whoever comes first."""
    queue, end = os.pipe()
    os.set_blocking(
        end, False
    )  # an error is better than waiting for a reader; there is room for 2,000 and more
    os.write(end, b"".join(index.to_bytes(INDEX_BYTES) for index in range(length)))
    os.close(end)
    return queue


def _taken(queue: int) -> Iterator[int]:
    while index := os.read(queue, INDEX_BYTES):
        yield int.from_bytes(index)


@contextmanager
def _child(pieces: Sequence[Late[Any]], queue: int) -> Iterator[Connection]:
    """A child that works, and the end of the pipe on which it sends; after the context it is there no more."""
    receiving, sending = Pipe(duplex=False)
    child = 0
    try:
        with sending, _signals_wait():
            child = os.fork()
            if not child:
                _work_and_leave(pieces, queue, sending)
        yield receiving
    finally:
        receiving.close()
        if child:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


@contextmanager
def _signals_wait() -> Iterator[None]:
    """No handler of a signal runs; in a child none ever does, or it would go on as if it were the parent."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_and_leave(pieces: Sequence[Late[Any]], queue: int, sending: Connection) -> None:
    """What a child does. Nothing that it has inherited is closed or flushed: that is for the parent to do."""
    made: dict[int, Any] = {}
    try:
        gc.disable()  # whatever it looked at would be copied
        for connection in connections.all(initialized_only=True):
            connection.execute_wrappers.append(_refuse)
        try:
            for index in _taken(queue):
                made[index] = pieces[index].made()
        finally:
            error = sys.exc_info()[1]
            sending.send((made, "".join(traceback.format_exception(error)) if error else ""))
    finally:
        os._exit(0)


def _refuse(*_: object) -> NoReturn:
    raise RuntimeError("A child may not use the database: its connection is the parent's.")


def _received(receiving: Connection) -> dict[int, Any]:
    """What a child has made; nothing of one that was killed or takes too long."""
    try:
        if not receiving.poll(PATIENCE):
            raise TimeoutError(f"nothing came in {PATIENCE} s")
        made, error = receiving.recv()
    except (EOFError, OSError):
        logger.exception("a process that made boards or pages is lost; they are made again")
        return {}
    if error:
        logger.error("a process that made boards or pages has failed; what it lacks is made again\n%s", error)
    return cast("dict[int, Any]", made)
