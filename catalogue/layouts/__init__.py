"""The layouts of files: ways to write rows of ids and answers, one class each.

Each must say what `form.Layout` asks: read rows, tell faults, write. To add one, write its module and name it in
`LAYOUTS`; `tests/contracts/test_layouts.py` holds it to the rest.
"""

from catalogue.layouts.delimited import CSV, TSV
from catalogue.layouts.form import FileFormat, Layout
from catalogue.layouts.json_lines import JsonLines
from catalogue.layouts.json_object import JsonObject
from catalogue.registry import Registry

JSON = JsonObject()
JSON_LINES = JsonLines()

LAYOUTS = Registry[Layout]("layout", CSV, TSV, JSON, JSON_LINES)

__all__ = ["CSV", "JSON", "JSON_LINES", "LAYOUTS", "TSV", "FileFormat", "Layout"]
