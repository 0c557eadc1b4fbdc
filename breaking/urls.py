"""Addresses of breakers' pages, and of what is handed to them and argued over."""

from django.urls import URLPattern, path

from breaking import development, views
from breaking.contests import views as contest_views

app_name = "breaking"

BENCHMARK = "benchmarks/<slug:benchmark>/"

urlpatterns: list[URLPattern] = [
    path(f"{BENCHMARK}starter/<slug:task>.csv", views.starter, name="starter"),
    path(f"{BENCHMARK}blind/<slug:task>.csv", development.download, name="blind"),
    path(f"{BENCHMARK}pairs/", views.pairs, name="pairs"),
    path(f"{BENCHMARK}pairs/template/<slug:task>.<slug:ending>", views.template, name="template"),
    path(f"{BENCHMARK}pairs/<uuid:pair_file>/", views.pair_file, name="pair_file"),
    path(f"{BENCHMARK}pairs/<uuid:pair_file>/withdraw/", views.withdraw, name="withdraw_pairs"),
    path(f"{BENCHMARK}contests/", contest_views.contests, name="contests"),
    path(
        f"{BENCHMARK}contests/<uuid:contest>/retract/", contest_views.retract_contest, name="retract_contest"
    ),
    path(f"{BENCHMARK}contest/<str:task>/<slug:split>/", contest_views.contest, name="contest"),
]
