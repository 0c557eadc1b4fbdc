"""The site's addresses where every provider is set up; without any, theirs do not exist."""

from django.urls import include, path

from accounts.sign_in.provider_urls import addresses
from config.urls import handler400, handler500
from config.urls import urlpatterns as without

__all__ = ["handler400", "handler500", "urlpatterns"]

urlpatterns = [path("accounts/", include(addresses(["github", "orcid", "openid_connect"]))), *without]
