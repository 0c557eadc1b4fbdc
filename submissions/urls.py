"""Addresses of the participants' pages."""

from __future__ import annotations

from typing import Any

app_name = "submissions"

urlpatterns: list[Any] = []
