"""Addresses of the handbook."""

from django.urls import path

from handbook import views

app_name = "handbook"

urlpatterns = [
    path("handbook/", views.chapter, {"name": ""}, name="index"),
    path("handbook/api/addresses/", views.addresses, name="addresses"),
    path("handbook/<path:name>/", views.chapter, name="chapter"),
]
