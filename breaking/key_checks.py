"""A check before a worker goes into service: does its ring open what is sealed?"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError

from accounts.formats.numbers import grouped
from submissions.intake.sealing import VaultError, seal_file


@register(Tags.security, deploy=True)
def labels_can_be_sealed(**options: Any) -> Iterable[CheckMessage]:
    """An error where what labels and answers are sealed to is no key; without any, nothing is ever sealed here."""
    if not settings.GOLD_PUBLIC_KEY:
        return
    try:
        seal_file(b"", settings.GOLD_PUBLIC_KEY)
    except VaultError:
        yield Error(
            "HELDOUT_GOLD_PUBLIC_KEY is no public key, so nothing can be sealed to it.",
            hint="Set it to the line that `manage.py make_gold_key` printed, for all processes.",
            id="heldout.E013",
        )


@register(Tags.security, deploy=True)
def ring_opens_what_is_sealed(**options: Any) -> Iterable[CheckMessage]:
    """An error for each key that boxes are sealed to and that the ring lacks; nothing where a process has no key."""
    from breaking.sealed_columns import SEALED  # models are not there yet when checks are registered
    from scoring.gold.keys import file_problem, has_private_key, key_files, key_ring
    from scoring.gold.resealing import unopenable

    if not has_private_key():
        return
    for file in key_files():
        if problem := file_problem(file):
            yield Error(f"{file}: {problem}", id="heldout.E010")
    try:
        missing = unopenable(SEALED, key_ring())
    except DatabaseError as error:
        yield Error(f"What is sealed could not be looked at: {error}", id="heldout.E011")
        return
    for fingerprint, count in sorted(missing.items()):
        yield Error(
            f"{grouped(count)} sealed rows need the key {fingerprint}, which this worker does not have.",
            hint="Put its file into the ring, or run `manage.py reseal` where it is.",
            id="heldout.E012",
        )
