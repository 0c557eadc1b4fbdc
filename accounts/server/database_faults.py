"""Whether it is the database that failed, and not what was asked of it."""

from django.db import Error, InterfaceError, InternalError, OperationalError

_DISK_FULL, _READ_ONLY, _IDLE_TOO_LONG = "53100", "25006", "25P03"  # PostgreSQL's codes


def has_no_room(error: BaseException) -> bool:
    """True where the disk of the database is full."""
    return isinstance(error, Error) and (_state(error) == _DISK_FULL or "disk is full" in str(error))


def is_away(error: BaseException) -> bool:
    """True where the database does not take part: gone, busy beyond its limits, read-only, or tired of waiting.

    Whether what was being committed is there is not known then.
    """
    is_refusing = isinstance(error, InternalError) and _state(error) in (_READ_ONLY, _IDLE_TOO_LONG)
    return is_refusing or isinstance(error, OperationalError | InterfaceError)


def _state(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)
