"""The layouts of files: ways to write rows of ids and answers, one class each.

Each must say what `form.Layout` asks: read rows, tell faults, write. To add one, write its module and name it in
`LAYOUTS`; `tests/contracts/test_layouts.py` holds it to the rest.
"""

from catalogue.layouts.columns_of_tokens.conll import Conll
from catalogue.layouts.columns_of_tokens.conllu import Conllu
from catalogue.layouts.delimited import CSV, TSV
from catalogue.layouts.form import FileFormat, Layout
from catalogue.layouts.json_forms.json_by_id import JsonById
from catalogue.layouts.json_forms.json_list import JsonList
from catalogue.layouts.json_lines import JsonLines
from catalogue.layouts.json_object import JsonObject
from catalogue.layouts.makes.harness import HarnessSamples
from catalogue.layouts.makes.inspect_log import InspectLog
from catalogue.layouts.makes.json_files import JsonFiles
from catalogue.layouts.makes.one_a_line import OneALine
from catalogue.layouts.many_lines.long_table import LONG_CSV, LONG_TSV
from catalogue.layouts.many_lines.trec import Trec
from catalogue.registry import Registry

JSON = JsonObject()
JSON_LINES = JsonLines()
JSON_LIST = JsonList()
ONE_A_LINE = OneALine()
CONLL = Conll()
TREC = Trec()

LAYOUTS = Registry[Layout](
    "layout",
    CSV,
    TSV,
    JSON,
    ONE_A_LINE,
    JSON_LINES,
    JSON_LIST,
    JsonById(),
    JsonFiles(),
    CONLL,
    Conllu(),
    TREC,
    LONG_CSV,
    LONG_TSV,
    HarnessSamples(),
    InspectLog(),
)

__all__ = [
    "CONLL",
    "CSV",
    "JSON",
    "JSON_LINES",
    "JSON_LIST",
    "LAYOUTS",
    "ONE_A_LINE",
    "TREC",
    "TSV",
    "FileFormat",
    "Layout",
]
