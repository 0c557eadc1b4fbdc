"""Who was erased, kept beside the backups: one of before still knows them, and forgets them when it is restored.

A line names an account by its number and the instant at which it was made, and nothing personal.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from accounts.models import User
from accounts.server.clock import database_now
from leaderboard.personal_data.erasure import ERASED_ADDRESS, erase

NAME = "erasures.jsonl"

Account = tuple[int, str]


def note_erasures(folder: Path) -> int:
    """Add to the list in a folder of backups who was erased since; returns how many."""
    path = folder / NAME
    known = set(_listed(path))
    erased = User.objects.filter(email__regex=ERASED_ADDRESS).order_by("pk")
    new = [account for account in map(_account, erased) if account not in known]
    if not new and path.exists():
        return 0
    with open(path, "a", encoding="utf-8", opener=_for_me_alone) as file:
        file.writelines(json.dumps({"account": number, "made_at": at}) + "\n" for number, at in new)
        file.flush()
        os.fsync(file.fileno())
    return len(new)


def erase_again(path: Path) -> int:
    """Erase whoever is on the list and is not erased in this database; returns how many."""
    listed = set(_listed(path))
    there = User.objects.filter(pk__in=[number for number, _ in listed]).exclude(email__regex=ERASED_ADDRESS)
    people = [user for user in there if _account(user) in listed]
    for user in people:
        erase(user=user, now=database_now(), again=True)
    return len(people)


def _account(user: User) -> Account:
    return user.pk, user.date_joined.isoformat()


def _listed(path: Path) -> Iterator[Account]:
    """What a killed process has written by half is left out; it is written again."""
    if not path.is_file():
        return
    for line in path.read_text("utf-8").splitlines():
        try:
            told = json.loads(line)
            yield int(told["account"]), str(told["made_at"])
        except (ValueError, KeyError, TypeError):
            continue


def _for_me_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
