"""Addresses of published pages, and of a submission's own page."""

from django.urls import path, re_path

from leaderboard import data_kit, views
from leaderboard.personal_data import views as personal_data
from leaderboard.serving import card_views, compare_views, equity_views, search_views, styleguide

app_name = "leaderboard"

urlpatterns = [
    path("", views.page, name="home"),
    path("benchmarks/", views.page, name="benchmarks"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("privacy/", personal_data.privacy, name="privacy"),
    path("account/data/", personal_data.your_data, name="your_data"),
    path("account/data/my-data.zip", personal_data.take_along, name="take_along"),
    path("search/", search_views.search, name="search"),
    path("benchmarks/<slug:benchmark>/compare/", compare_views.comparison, name="compare"),
    path("benchmarks/<slug:benchmark>/card.png", card_views.board_card, name="card"),
    path("benchmarks/<slug:benchmark>/<path:rest>/card.png", card_views.board_card),
    path("systems/<uuid:system>/card.png", card_views.system_card, name="system_card"),
    path("benchmarks/<slug:benchmark>/data-kit/<str:name>", data_kit.described_kit, name="data_kit"),
    re_path(r"^benchmarks/(?P<rest>.+)$", views.page),
    path("systems/<uuid:system>/", views.page, name="system"),
    path("systems/<uuid:system>/badges/<slug:benchmark>.svg", views.page),
    path("systems/<uuid:system>/model-index.yaml", views.page),
    path("submissions/<uuid:submission>/", views.submission, name="submission"),
    path("submissions/<uuid:submission>/equity/", equity_views.equity_page, name="equity"),
]
