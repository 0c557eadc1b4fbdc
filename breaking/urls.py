"""Addresses of breakers' pages, and of what is handed to them and argued over."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "breaking"

urlpatterns: list[URLPattern] = []
