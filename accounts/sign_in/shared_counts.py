"""Django's cache in the database, for counts that limit attempts."""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import Error, connections, router

from accounts.server.database_faults import has_no_room, is_away


class SharedCounts(DatabaseCache):
    """DatabaseCache that says so where the database does not take part.

    By itself it answers to `add` that the key is there already. Limits on attempts lock with that: everybody who signs
    in was told of too many attempts while the database took no writes.
    """

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Whether the key was not there.

        Raises
        ------
        django.db.Error
            What kept the database from taking it.
        """
        faults: list[Error] = []

        def noting(execute: Callable[..., Any], *asked: Any) -> Any:
            try:
                return execute(*asked)
            except Error as error:
                faults.append(error)
                raise

        database = connections[router.db_for_write(self.cache_model_class)]
        with database.execute_wrapper(noting):
            added: bool = super().add(*args, **kwargs)
        for fault in faults:
            if has_no_room(fault) or is_away(fault):
                raise fault
        return added
