"""What a template is given: a dataclass per page, with a field for each variable."""

from dataclasses import fields
from typing import Any, ClassVar, cast


class PageContent:
    """Extended by a dataclass per page; `template` is the page's own."""

    template: ClassVar[str]

    def context(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.variables()}

    @classmethod
    def variables(cls) -> list[str]:
        return [field.name for field in fields(cast(Any, cls))]
