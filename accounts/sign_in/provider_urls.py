"""Addresses for signing in over other sites. They exist for the providers that are set up, and for no others."""

from collections.abc import Collection

from allauth.socialaccount.providers.github import views as github
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from allauth.socialaccount.providers.orcid import views as orcid
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from accounts.sign_in.providers import returning, setting_out

_OIDC = {"provider_id": "oidc"}
_ADDRESSES = {
    "github": [
        path("github/login/", setting_out(github.oauth2_login), name="github_login"),
        path("github/login/callback/", returning(github.oauth2_callback), name="github_callback"),
    ],
    "orcid": [
        path("orcid/login/", setting_out(orcid.oauth2_login), name="orcid_login"),
        path("orcid/login/callback/", returning(orcid.oauth2_callback), name="orcid_callback"),
    ],
    "openid_connect": [
        path("oidc/login/", setting_out(openid_connect.login), _OIDC, name="openid_connect_login"),
        path("oidc/callback/", returning(openid_connect.callback), _OIDC, name="openid_connect_callback"),
    ],
}


def addresses(providers: Collection[str]) -> list[URLPattern | URLResolver]:
    """The addresses of these providers, with what all of them share; none without any."""
    if not providers:
        return []
    return [
        path("3rdparty/", include("allauth.socialaccount.urls")),
        *[one for provider in providers for one in _ADDRESSES[provider]],
    ]


urlpatterns = addresses(settings.SOCIALACCOUNT_PROVIDERS)
