"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from leaderboard.admin.home.page import first_page

urlpatterns = [
    path("admin/", first_page),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/second-factor/", include("allauth.mfa.urls")),
    path("accounts/", include("accounts.sign_in.provider_urls")),
    path("api/", include("config.api.urls")),
    path("", include("accounts.urls")),
    path("", include("handbook.urls")),
    path("", include("transparency.urls")),
    path("", include("submissions.urls")),
    path("", include("benchmarks.urls")),
    path("", include("labelling.urls")),
    path("", include("breaking.urls")),
    path("", include("leaderboard.urls")),
]

handler400 = "config.api.errors.bad_request"
handler500 = "config.api.errors.server_error"
