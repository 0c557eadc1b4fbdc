"""What organisers can do from a section of the home: links to the pages that ask before anything is done."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Model

from benchmarks.admin.organised.links import add_address, address, list_address
from benchmarks.models import Benchmark


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


@dataclass(frozen=True, slots=True)
class HomeLinks:
    """Where the home of a benchmark leads: lists of its own rows, and the buttons of its page that can be pressed now.

    `buttons` are their names: those that make sense as the benchmark is, and that the role of whoever looks may press.
    """

    benchmark: Benchmark
    buttons: frozenset[str] = frozenset()

    def button(self, name: str, label: str, title: str = "", note: str = "") -> tuple[Act, ...]:
        """One button, or nothing where it cannot be pressed."""
        if name not in self.buttons:
            return ()
        return (Act(label, button_of(self.benchmark, name), title, note),)

    def rows(self, model: type[Model], **filters: Any) -> str:
        """The address of the list of the benchmark's own rows of a model."""
        return list_address(model, **{f"{_path(model)}__slug__exact": self.benchmark.pk}, **filters)

    def add(self, model: type[Model]) -> str:
        """The address of the form that adds one to the benchmark."""
        return f"{add_address(model)}?benchmark={self.benchmark.pk}"

    def has(self, model: type[Model], label: str) -> tuple[Act, ...]:
        """A link to its rows of a model with their number behind it; nothing where there is none."""
        rows = model._default_manager.filter(**{_path(model): self.benchmark.pk})  # noqa: SLF001  # Django's own name
        count = rows.count()
        return (Act(f"{label} ({count})", self.rows(model)),) if count else ()


def _path(model: type[Model]) -> str:
    """The lookup from a row to its benchmark, as the model's page states it."""
    page: Any = admin.site._registry[model]  # noqa: SLF001  # the only way to ask which page a model has
    return str(page.benchmark_path)
