"""The list of metrics, and the page of the documentation that is made from it."""

import io
from pathlib import Path

from django.core.management import call_command

from catalogue.metrics import METRICS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"


def printed(*options: str) -> str:
    out = io.StringIO()
    call_command("metrics", *options, stdout=out)
    return out.getvalue()


def test_every_metric_is_listed():
    names = [line.split()[0] for line in printed().splitlines()]
    assert names == [metric.name for metric in METRICS]


def test_the_page_holds_what_the_command_prints():
    assert printed("--markdown").strip() in PAGE.read_text("utf-8")


def test_every_undefined_case_is_explained_on_the_page():
    page = PAGE.read_text("utf-8")
    assert all(sentence in page for metric in METRICS for sentence in metric.undefined.values())
