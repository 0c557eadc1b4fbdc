"""What is wrong with a deployment's signing keys."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

from transparency.keys import KeyRole, signer, verifier

_HINT = "Make the key with `manage.py make_signing_key` (docs/operations.md, “By hand”)."


@register(Tags.security, deploy=True)
def signatures_can_be_made_and_checked(**_: Any) -> list[CheckMessage]:
    """Every process knows both public keys; one that scores signs the log, every other one receipts."""
    if not settings.IS_PRODUCTION:
        return []
    return [*_public_keys(), *_own_key(KeyRole.LOG if settings.GOLD_PRIVATE_KEY_FILE else KeyRole.RECEIPTS)]


def _public_keys() -> Iterator[CheckMessage]:
    for role in KeyRole:
        try:
            if verifier(role) is None:
                said = f"HELDOUT_{role.public_setting} is not set, so nobody can check what is signed here."
                yield Error(said, hint=_HINT, id="transparency.E001")
        except ImproperlyConfigured as error:
            yield Error(str(error), hint=_HINT, id="transparency.E001")


def _own_key(role: KeyRole) -> Iterator[CheckMessage]:
    name = f"HELDOUT_{role.file_setting}"
    what = "the log" if role is KeyRole.LOG else "receipts of uploads"
    try:
        own, known = signer(role), verifier(role)
    except ImproperlyConfigured as error:
        yield Error(str(error), hint=_HINT, id="transparency.E002")
        return
    if own is None:
        yield Error(
            f"{name} is not set, so {what} cannot be signed here.", hint=_HINT, id="transparency.E002"
        )
    elif known is not None and own.verifier != known:
        yield Error(
            f"The key in {name} is not the one that HELDOUT_{role.public_setting} names: {own.verifier} is.",
            hint=_HINT,
            id="transparency.E003",
        )
