"""Addresses of public downloads. Pages about a benchmark are published: leaderboard/urls.py has them."""

from django.urls import path

from benchmarks import downloads
from benchmarks.notices import question_views
from benchmarks.people import views

app_name = "benchmarks"

urlpatterns = [
    path("roles/<str:token>/", views.accept_role, name="accept_role"),
    path("benchmarks/<slug:benchmark>/ask/", question_views.ask, name="ask"),
    path("benchmarks/<slug:benchmark>/files/<str:name>", downloads.given_file, name="given_file"),
    path("benchmarks/<slug:benchmark>/texts/<slug:task>/<slug:split>.csv", downloads.texts, name="texts"),
]
