"""Addresses of workers' pages."""

from django.urls import URLPattern, path

from labelling.pages import ends, entrances, work, writing

app_name = "labelling"

urlpatterns: list[URLPattern] = [
    path("label/", entrances.mine, name="mine"),
    path("label/back/<uuid:key>/", entrances.back, name="back"),
    path("label/<uuid:campaign>/", entrances.entrance, name="campaign"),
    path("label/<uuid:campaign>/join/<str:token>/", entrances.invited, name="join"),
    path("label/<uuid:campaign>/panel/<slug:platform>/<str:key>/", entrances.panel, name="panel"),
    path("label/<uuid:campaign>/answer/", work.work, name="work"),
    path("label/<uuid:campaign>/answer/last/", work.last, name="last"),
    path("label/<uuid:campaign>/write/", writing.write, name="write"),
    path("label/<uuid:campaign>/stop/", work.stopped, name="stop"),
    path("label/<uuid:campaign>/end/", ends.end, name="end"),
    path("label/<uuid:campaign>/go-on/", ends.resumed, name="go_on"),
]
