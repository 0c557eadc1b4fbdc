"""What a template is given: a dataclass per page, with a field for each variable."""

from dataclasses import fields
from http import HTTPStatus
from typing import Any, ClassVar, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString


class PageContent:
    """Extended by a dataclass per page or part of one; `template` is its own, `section` its place in the navigation."""

    template: ClassVar[str]
    section: ClassVar[str] = ""

    def context(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.variables()}

    @classmethod
    def variables(cls) -> list[str]:
        return [field.name for field in fields(cast(Any, cls))]

    def text(self, **of_the_site: str | bool) -> SafeString:
        """The same HTML for every reader; `of_the_site` is what the frame of a published page shows besides."""
        return render_to_string(self.template, {"section": self.section} | of_the_site | self.context())

    def answer(self, request: HttpRequest, status: int = HTTPStatus.OK) -> HttpResponse:
        """The page for one reader, with what the context processors know of the request."""
        return render(request, self.template, {"section": self.section} | self.context(), status=status)
