"""Addresses of the participants' pages. A submission's own page shows scores, so leaderboard/urls.py has it."""

from django.urls import path

from submissions import registration_page, views
from submissions.claims import views as claim_views
from submissions.guides import samples

app_name = "submissions"

urlpatterns = [
    path("submit/", views.submit, name="submit"),
    path("benchmarks/<slug:benchmark>/samples/<slug:phase>.zip", samples.whole, name="sample"),
    path(
        "benchmarks/<slug:benchmark>/samples/<slug:phase>/<slug:task>/",
        samples.of_task,
        name="sample_file",
    ),
    path("benchmarks/<slug:benchmark>/claims/", claim_views.claims, name="claims"),
    path("submit/repaired/<slug:token>/", views.repaired_upload, name="repaired"),
    path("register/", registration_page.register, name="register"),
    path("submissions/", views.mine, name="mine"),
    path("submissions/<uuid:submission>/withdraw/", views.withdraw, name="withdraw"),
    path("submissions/<uuid:submission>/choose/", views.choose, name="choose"),
    path("submissions/<uuid:submission>/file/", views.download, name="download"),
    path("submissions/<uuid:submission>/receipt.txt", views.receipt, name="receipt"),
    path("teams/<uuid:team>/", views.team, name="team"),
    path("join/<str:token>/", views.join, name="join"),
    path("systems/new/", views.new_system, name="new_system"),
    path("systems/<uuid:system>/edit/", views.edit_system, name="edit_system"),
    path("systems/<uuid:system>/fact-sheets/<str:benchmark>/", views.fact_sheet, name="fact_sheet"),
]
