"""Metrics of packages that are installed beside the server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ops.demos import ROOT, plain_environment

MODULE = """
from catalogue.answers import Label
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import RIGHT_ITEMS


def share_wrong(right, item_count):
    \"\"\"Share of items whose prediction is not the gold label.\"\"\"
    return 1 - int(right) / int(item_count)


WRONG = Metric(
    name="{name}", title="Wrong", kinds=(Label,), statistic=RIGHT_ITEMS, formula=share_wrong, reference="Ours",
    higher_is_better=False,
)
"""


def listed(folder: Path, *, brings: str, name: str = "share_wrong") -> subprocess.CompletedProcess[str]:
    """What `manage.py metrics` says beside a package whose entry point is that."""
    (folder / "our_metrics.py").write_text(MODULE.replace("{name}", name))
    about = folder / "our_metrics-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: our-metrics\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(f"[heldout.metrics]\nours = {brings}\n")
    given = {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(folder), "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "manage.py", "metrics", "--markdown"],
        check=False,
        cwd=ROOT,
        env=plain_environment() | given,
        capture_output=True,
        text=True,
    )


def test_a_metric_of_a_package_is_listed_with_its_package_and_version(tmp_path):
    done = listed(tmp_path, brings="our_metrics:WRONG")

    assert done.returncode == 0, done.stderr
    assert "### `share_wrong` for one label" in done.stdout
    assert "Source: Ours (our-metrics 1.2)" in done.stdout
    assert "- Library: our-metrics\n" in done.stdout  # whose version every score by it is told with


@pytest.mark.parametrize(
    ("brings", "name", "told"),
    [
        ("our_metrics:share_wrong", "share_wrong", "our-metrics 1.2: its entry point `ours`"),
        ("no_such_module:WRONG", "share_wrong", "our-metrics 1.2: its entry point `ours`"),
        ("our_metrics:WRONG", "accuracy", "our-metrics 1.2: there is a metric `accuracy`"),
    ],
)
def test_a_package_that_brings_none_or_one_that_is_there_already_is_named(tmp_path, brings, name, told):
    done = listed(tmp_path, brings=brings, name=name)

    assert done.returncode != 0
    assert told in done.stderr
