"""Addresses of the admin's pages, and links to them."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

_DIGEST_PART = 16


def address(row: Model) -> str:
    """The address of a row's page in the admin."""
    return _url(type(row), "change", quote(row.pk))


def link(row: Model, text: object = "") -> SafeString:
    """A link to a row's page in the admin."""
    return page_link(address(row), text or row)


def list_address(model: type[Model], **filters: Any) -> str:
    """The address of a list in the admin, filtered."""
    return f"{_url(model, 'changelist')}?{urlencode(filters)}" if filters else _url(model, "changelist")


def add_address(model: type[Model]) -> str:
    """The address of the form that adds a row in the admin."""
    return _url(model, "add")


def list_link(model: type[Model], text: object, **filters: Any) -> SafeString:
    """A link to a list in the admin, filtered."""
    return page_link(list_address(model, **filters), text)


def page_link(url: str, text: object = None) -> SafeString:
    """A link to a page of the site, which shows the address where no text is given."""
    return format_html('<a href="{}" class="text-link">{}</a>', url, url if text is None else text)


def digest(value: str) -> SafeString:
    """A digest that a narrow screen may break; copied, it is one word."""
    parts = [(value[start : start + _DIGEST_PART],) for start in range(0, len(value), _DIGEST_PART)]
    return format_html_join(mark_safe("<wbr>"), "{}", parts)


def _url(model: type[Model], page: str, *arguments: str) -> str:
    options = model._meta  # noqa: SLF001  # documented by Django under this name
    return reverse(f"admin:{options.app_label}_{options.model_name}_{page}", args=arguments)
