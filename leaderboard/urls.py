"""Addresses of published pages, and of a submission's own page."""

from __future__ import annotations

from django.urls import path, re_path

from leaderboard import equity_views, views

app_name = "leaderboard"

urlpatterns = [
    path("", views.page, name="home"),
    re_path(r"^benchmarks/(?P<rest>.+)$", views.page),
    path("systems/<uuid:system>/", views.page, name="system"),
    path("submissions/<uuid:submission>/", views.submission, name="submission"),
    path("submissions/<uuid:submission>/equity/", equity_views.equity_page, name="equity"),
]
