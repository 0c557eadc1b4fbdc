"""What is wrong with a deployment's settings about people."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security, deploy=True)
def counts_are_shared(**_: Any) -> list[CheckMessage]:
    """Where each process counts for itself, a limit holds as often as there are processes, and no longer than they."""
    if settings.CACHES["default"]["BACKEND"].rpartition(".")[2] not in ("LocMemCache", "DummyCache"):
        return []
    return [
        Error(
            "Limits on sign-in attempts are counted in the memory of each process.",
            hint="Leave HELDOUT_CACHE_URL unset to count in the database, or name a cache that all processes share.",
            id="accounts.E002",
        )
    ]


@register(Tags.security, deploy=True)
def providers_are_set_whole(**_: Any) -> list[CheckMessage]:
    """A provider of which a variable is missing has no button, and nobody would know why."""
    return [
        Error(
            f"A sign-in provider is left out, because {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not set.",
            hint="Set all of its variables (docs/operations.md, “Signing in over other sites”), or none.",
            id="accounts.E001",
        )
        for missing in settings.HALF_SET_PROVIDERS
    ]
