"""When workers were last seen at their regular rounds."""

import datetime as dt

from accounts.models import Sweep
from accounts.server.clock import database_now


def note_round(name: str) -> None:
    """Note that a round was done; called at its end, so that one which breaks off is not taken for one."""
    Sweep.objects.update_or_create(name=name, defaults={"seen_at": database_now()})


def last_rounds() -> dict[str, dt.datetime]:
    """When each round was last done, by name."""
    return dict(Sweep.objects.values_list("name", "seen_at"))
