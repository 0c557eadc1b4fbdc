"""What a template is given: a dataclass per page, with a field for each variable."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
else:
    DataclassInstance = object


class PageContent(DataclassInstance):
    """Extended by a dataclass per page; `template` is the page's own."""

    template: ClassVar[str]

    def context(self) -> dict[str, Any]:
        """The variables of the template by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
