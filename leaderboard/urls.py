"""Addresses of published pages, and of a submission's own page."""

from django.urls import path, re_path

from leaderboard import views
from leaderboard.serving import compare_views, equity_views, search_views, styleguide

app_name = "leaderboard"

urlpatterns = [
    path("", views.page, name="home"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("search/", search_views.search, name="search"),
    path("benchmarks/<slug:benchmark>/compare/", compare_views.comparison, name="compare"),
    re_path(r"^benchmarks/(?P<rest>.+)$", views.page),
    path("systems/<uuid:system>/", views.page, name="system"),
    path("systems/<uuid:system>/badges/<slug:benchmark>.svg", views.page),
    path("systems/<uuid:system>/model-index.yaml", views.page),
    path("submissions/<uuid:submission>/", views.submission, name="submission"),
    path("submissions/<uuid:submission>/equity/", equity_views.equity_page, name="equity"),
]
