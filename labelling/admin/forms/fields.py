"""Fields of the organiser's forms in the look of the admin, and sections that they stand in."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)


def line(label: str, most: int, help_text: str = "", **more: Any) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=most, widget=UnfoldAdminTextInputWidget, help_text=help_text, **more
    )


def lines(label: str, help_text: str = "", rows: int = 4, most: int = 50_000) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": rows})
    return forms.CharField(label=label, max_length=most, required=False, widget=widget, help_text=help_text)


def whole(label: str, help_text: str = "", most: int = 10_000, **more: Any) -> forms.IntegerField:
    widget = UnfoldAdminIntegerFieldWidget
    return forms.IntegerField(
        label=label, min_value=1, max_value=most, widget=widget, help_text=help_text, **more
    )


def number(label: str, help_text: str = "", **more: Any) -> forms.FloatField:
    return forms.FloatField(label=label, widget=UnfoldAdminDecimalFieldWidget, help_text=help_text, **more)


def tick(label: str, help_text: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, widget=UnfoldBooleanWidget, help_text=help_text)


@dataclass(frozen=True, slots=True)
class FormSection:
    """Fields that stand together below a heading."""

    title: str
    fields: tuple[BoundField, ...]
