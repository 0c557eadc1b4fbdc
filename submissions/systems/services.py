"""What changes systems: entering one, and describing it anew."""

import datetime as dt
import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import Team
from benchmarks.services import mark_stale
from submissions.exceptions import SubmissionError
from submissions.models import System

MAX_TAGS = 8
_TAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,29}")
# What a team may say about its system. What kind of row it is, organisers decide.
DESCRIPTION_FIELDS = ("name", "description", "paper_url", "code_url", "tags", "facts")


class SystemNameTaken(SubmissionError):
    """The team has a system of that name already."""

    code = "name_taken"
    status = HTTPStatus.CONFLICT


def clean_tags(tags: Iterable[str]) -> list[str]:
    """The tags as they are written, without repetition, in their order; two that differ in case alone are one.

    Raises
    ------
    ValueError
        With a sentence, if one is no plain word or there are more than eight.
    """
    by_case: dict[str, str] = {}
    for tag in tags:
        by_case.setdefault(tag.casefold(), tag)
    cleaned = list(by_case.values())
    for tag in cleaned:
        if not _TAG.fullmatch(tag):
            raise ValueError(f"{tag[:40]!r} cannot be a tag: expected up to 30 letters, digits and hyphens.")
    if len(cleaned) > MAX_TAGS:
        raise ValueError(f"A system has at most {MAX_TAGS} tags; found {len(cleaned)}.")
    return cleaned


def create_system(*, team: Team, now: dt.datetime, **description: Any) -> System:
    """Enter a system of a team, described by DESCRIPTION_FIELDS.

    Raises
    ------
    SystemNameTaken
    """
    _refuse_other_fields(description)
    system = System(team=team, created_at=now, **description)
    _save(system, force_insert=True)
    return system


def change_system(*, system: System, **changes: Any) -> System:
    """Describe a system anew; pages that show it are rendered again at the next sweep.

    Raises
    ------
    SystemNameTaken
    """
    _refuse_other_fields(changes)
    for field, value in changes.items():
        setattr(system, field, value)
    _save(system, update_fields=list(changes))
    for benchmark in set(system.submissions.values_list("phase__benchmark_id", flat=True)):
        mark_stale(benchmark)
    return system


def _refuse_other_fields(values: Iterable[str]) -> None:
    others = set(values) - set(DESCRIPTION_FIELDS)
    if others:
        raise TypeError(f"a system is not described by {', '.join(sorted(others))}")


def _save(system: System, **how: Any) -> None:
    try:
        with transaction.atomic():
            system.save(**how)
    except IntegrityError:
        raise SystemNameTaken(
            f"Your team has a system named {system.name!r} already. Please choose another name."
        ) from None
