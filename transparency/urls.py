"""Addresses of the log."""

from django.urls import path

from transparency import views

app_name = "transparency"

urlpatterns = [
    path("log/checkpoint", views.checkpoint, name="checkpoint"),
    path("log/entries", views.entries, name="entries"),
    path("log/proof", views.proof, name="proof"),
    path("log/keys", views.keys, name="keys"),
]
