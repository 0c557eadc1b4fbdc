"""What organisers can do from a section of the home: links to the pages that ask before anything is done."""

from dataclasses import dataclass

from django.db.models import Model

from benchmarks.admin.base import address


@dataclass(frozen=True, slots=True)
class Act:
    """A link or button. `title` and `note` are the line that it ends, where it has one of its own."""

    label: str
    url: str
    title: str = ""
    note: str = ""


def button_of(row: Model, name: str) -> str:
    """The address of a button of a row's page."""
    return f"{address(row).removesuffix('change/')}{name}/"
