"""The sites that people may sign in over, as the environment names them (docs/operations.md)."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_NEEDED = {
    "github": ("HELDOUT_GITHUB_CLIENT_ID", "HELDOUT_GITHUB_SECRET"),
    "orcid": ("HELDOUT_ORCID_CLIENT_ID", "HELDOUT_ORCID_SECRET"),
    "openid_connect": ("HELDOUT_OIDC_CLIENT_ID", "HELDOUT_OIDC_SECRET", "HELDOUT_OIDC_ISSUER"),
}
_ROLE = re.compile(r"staff|[a-z0-9-]+/(organiser|annotator|reader)")
_NAMES = {"github": "GitHub", "orcid": "ORCID"}


def sign_in_providers(value: Callable[[str], str]) -> dict[str, dict[str, Any]]:
    """What allauth is told about every provider of which all variables are set.

    Parameters
    ----------
    value
        Reads a variable; empty where it is not set.
    """
    return {
        provider: {"APPS": [_app(provider, value)]}
        for provider, needed in _NEEDED.items()
        if all(map(value, needed))
    }


def half_set_providers(value: Callable[[str], str]) -> list[list[str]]:
    """For every provider that some variables are set of, but not all: those that are missing."""
    missing = [[name for name in needed if not value(name)] for needed in _NEEDED.values()]
    return [
        names for names, needed in zip(missing, _NEEDED.values(), strict=True) if 0 < len(names) < len(needed)
    ]


def roles_of_groups(text: str) -> list[tuple[str, str]]:
    """Group and role of each part of `nlp-staff=staff, raft-people=raft/organiser`.

    Raises
    ------
    ImproperlyConfigured
    """
    pairs = [tuple(map(str.strip, part.rsplit("=", 1))) for part in text.split(",") if part.strip()]
    for pair in pairs:
        if len(pair) != 2 or not all(pair) or not _ROLE.fullmatch(pair[1]):
            raise ImproperlyConfigured(
                f"HELDOUT_OIDC_GROUPS has {'='.join(pair)!r}; expected GROUP=staff, or GROUP=BENCHMARK/ROLE "
                "with organiser, annotator or reader, several with commas between. Owners and superusers are made by "
                "people alone."
            )
    return [(group, role) for group, role in pairs]


def _app(provider: str, value: Callable[[str], str]) -> dict[str, Any]:
    client_id, secret, *_ = _NEEDED[provider]
    app = {"client_id": value(client_id), "secret": value(secret)}
    if provider in _NAMES:
        return app | {"name": _NAMES[provider]}
    issuer = value("HELDOUT_OIDC_ISSUER").rstrip("/")
    return app | {
        "name": value("HELDOUT_OIDC_NAME") or urlsplit(issuer).hostname or issuer,
        # Part of nothing that a reader sees: there is one such provider, at /accounts/oidc/login/.
        "provider_id": "oidc",
        "settings": {"server_url": issuer, "oauth_pkce_enabled": True},
    }
