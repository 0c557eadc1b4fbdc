"""The audit log: who did what to which row, when, why, and which values it changed."""

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models
from django.utils.text import Truncator

from accounts.models import AuditEntry, User
from accounts.server.clock import database_now

LONGEST_REASON = 500
_LONGEST_VALUE = 300
_LONGEST_NAME = 200
# Words in the names of fields whose values never reach the log, whatever a page shows.
SECRET = ("gold", "key", "label", "lease", "nonce", "packed", "password", "salt", "seal", "secret", "token")

Values = dict[str, str]
Change = tuple[str, str, str]


def record(
    *,
    row: models.Model,
    kind: str,
    by: str,
    what: str = "",
    actor: User | None = None,
    benchmark: str = "",
    changes: Sequence[Change] = (),
    reason: str = "",
) -> AuditEntry:
    """Add a line to the audit log. `by` is the way it was done: “admin”, or the command's name."""
    return AuditEntry.objects.create(
        at=database_now(),
        actor=actor,
        by=by,
        kind=kind,
        benchmark=benchmark,
        model=_label(row),
        object_id=str(row.pk),
        object_name=Truncator(str(row)).chars(_LONGEST_NAME),
        what=what,
        changes=[list(one) for one in changes],
        reason=tidy(reason)[:LONGEST_REASON],
    )


def record_command(
    command: str, *, row: models.Model, benchmark: str, what: str, actor: User | None = None, reason: str = ""
) -> AuditEntry:
    return record(
        row=row,
        kind=command.replace("_", " "),
        by=f"manage.py {command}",
        what=what,
        actor=actor,
        benchmark=benchmark,
        reason=reason,
    )


def tidy(text: str) -> str:
    """What somebody typed, without characters that a database or a page could choke on."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def entries_of(row: models.Model) -> models.QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(model=_label(row), object_id=str(row.pk)).select_related("actor")


def may_be_logged(field: Any) -> bool:
    """Whether the values of a field may stand in the log: no blobs, nothing sealed, nothing that opens something."""
    return not isinstance(field, models.BinaryField) and not any(word in field.name for word in SECRET)


def values(row: models.Model, names: Iterable[str]) -> Values:
    """What these fields of a row hold, as words; names that are no fields or may not be logged are left out."""
    options = row._meta  # noqa: SLF001  # documented by Django under this name
    known = {field.name: field for field in (*options.concrete_fields, *options.many_to_many)}
    return {
        str(known[name].verbose_name): _in_words(row, known[name])
        for name in names
        if name in known and may_be_logged(known[name])
    }


def differences(before: Values, after: Values) -> list[Change]:
    """The fields whose values are not what they were."""
    return [(name, old, after[name]) for name, old in before.items() if name in after and after[name] != old]


def _label(row: models.Model) -> str:
    return row._meta.label_lower  # noqa: SLF001  # documented by Django under this name


def _in_words(row: models.Model, field: Any) -> str:
    value = getattr(row, field.name)
    if field.many_to_many:
        text = ", ".join(sorted(map(str, value.all())))
    elif field.choices:
        text = str(getattr(row, f"get_{field.name}_display")())
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, dt.datetime):
        text = f"{value.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S} UTC"
    elif isinstance(value, list | dict):
        text = json.dumps(value, ensure_ascii=False, default=str)
    else:
        text = "" if value is None else str(value)
    return Truncator(tidy(text)).chars(_LONGEST_VALUE) or "nothing"
