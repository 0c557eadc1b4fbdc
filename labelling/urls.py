"""Addresses of workers' pages."""

from django.urls import URLPattern

app_name = "labelling"

urlpatterns: list[URLPattern] = []
