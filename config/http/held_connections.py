"""Connections to the database that go on from request to request: opening one takes as long as ten questions to it."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config.http.gate import Application, Environ, StartResponse

# Seconds after which a connection is opened anew: a database that another took the place of is noticed by then.
LONGEST = 60


class HeldConnections:
    """Gives the thread that works on a request a connection that another has ended with; at most `most` wait unused.

    Django keeps a connection for each thread, and the web server has many more threads than work at once. A thread
    that has one open keeps to it. What an answer reads while it is sent has a connection of its own.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._unused: list[BaseDatabaseWrapper] = []
        self._lock = threading.Lock()

    def serving(self, application: Application) -> Application:
        """The application with such a connection for as long as it makes its answer."""

        def serve(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
            with self.one():
                return application(environ, start_response)

        return serve

    def asking(self, question: Callable[[Environ], bool]) -> Callable[[Environ], bool]:
        """The question about a request with such a connection."""

        def ask(environ: Environ) -> bool:
            with self.one():
                return question(environ)

        return ask

    @contextmanager
    def one(self) -> Iterator[None]:
        """A connection for this thread, unless it has one that is open."""
        own = connections[DEFAULT_DB_ALIAS]
        if own.connection is not None:
            yield
            return
        held = self._taken()
        connections[DEFAULT_DB_ALIAS] = held
        try:
            yield
        finally:
            connections[DEFAULT_DB_ALIAS] = own
            self._give_back(held)

    def _taken(self) -> BaseDatabaseWrapper:
        with self._lock:
            if self._unused:
                return self._unused.pop()
        held = connections.create_connection(DEFAULT_DB_ALIAS)
        held.inc_thread_sharing()  # by one thread after the other
        held.settings_dict = {**held.settings_dict, "CONN_MAX_AGE": LONGEST, "CONN_HEALTH_CHECKS": True}
        return held

    def _give_back(self, held: BaseDatabaseWrapper) -> None:
        """Hold it, unless something is left undone on it, it has failed or grown old, or enough are held.

        One that the database ends while nobody uses it is noticed when it is used next (CONN_HEALTH_CHECKS).
        """
        try:
            if not (held.in_atomic_block or held.errors_occurred):
                held.close_if_unusable_or_obsolete()
                with self._lock:
                    if held.connection is not None and len(self._unused) < self._most:
                        self._unused.append(held)
                        return
            held.close()
        except Error:
            return  # it broke while it was asked
