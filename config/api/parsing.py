"""How bodies of requests to the API are read."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser as StandardParser


class JSONParser(StandardParser):
    """JSON; one that is nested deeper than Python reads is malformed like any other."""

    def parse(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().parse(*arguments, **options)
        except RecursionError:
            raise ParseError("JSON parse error - it is nested too deep.") from None
