"""What holds the house together: import contracts, pure packages, migrations, definitions."""

import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.metrics.choice import metric_for
from tests.production import deployment_check

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS = sorted((ROOT / "benchmarks" / "definitions").glob("*.yaml"))
PURE_PACKAGES = (
    "catalogue",
    "benchmarks.spec",
    "submissions.intake",
    "scoring.core",
    "labelling.core",
    "leaderboard.board",
    "transparency.core",
)
APPS = (
    "accounts",
    "benchmarks",
    "breaking",
    "catalogue",
    "demo",
    "handbook",
    "labelling",
    "leaderboard",
    "operations",
    "scoring",
    "submissions",
    "transparency",
)
IMPURE = ("django", "rest_framework", "celery", "psycopg", "config")


def test_pure_packages_need_no_django():
    modules = [name for package in PURE_PACKAGES for name in modules_of(package)]
    program = (
        "import sys\n"
        f"for name in {modules!r}:\n"
        "    __import__(name)\n"
        f"    if found := [one for one in {IMPURE!r} if one in sys.modules]:\n"
        "        sys.exit(f'{name} imports {found}')\n"
    )
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def modules_of(package: str) -> list[str]:
    """The package and every module below it."""
    below = pkgutil.walk_packages(import_module(package).__path__, prefix=f"{package}.")
    return [package, *(module.name for module in below)]


@pytest.mark.parametrize("package", PURE_PACKAGES)
def test_a_pure_package_has_modules_to_speak_of(package):
    assert len(modules_of(package)) > 4


def test_there_are_definitions():
    assert DEFINITIONS


@pytest.fixture(params=DEFINITIONS, ids=lambda path: path.stem)
def spec(request: pytest.FixtureRequest) -> BenchmarkSpec:
    path: Path = request.param
    return build_spec(parse_yaml(path.read_text("utf-8"), path.name), path.name)


def test_a_definition_bears_the_name_of_its_file(spec, request):
    assert f"[{spec.id}]" in request.node.name


def test_every_metric_of_a_definition_is_known(spec):
    for task in spec.tasks:
        for metric in task.metrics:
            assert metric_for(task.output, metric.name).name == metric.name


def test_reported_values_are_within_their_metrics_range(spec):
    tasks = {task.id: task for task in spec.tasks}
    for row in spec.reported:
        for key, value in row.values.items():
            column, _, name = key.partition(":")
            task = tasks.get(column.partition("@")[0], spec.tasks[0])
            known = name if name in {use.name for use in task.metrics} else task.primary_metric.name
            metric = metric_for(task.output, known)
            assert metric.low <= value <= metric.high, (row.system, key)


def test_production_without_a_secret_key_does_not_start(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HELDOUT_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "HELDOUT_SECRET_KEY is not set" in done.stderr


def test_production_without_keys_that_sign_does_not_pass(tmp_path):
    done = deployment_check(tmp_path, without=("HELDOUT_LOG_PUBLIC_KEY", "HELDOUT_RECEIPT_KEY_FILE"))
    assert done.returncode != 0
    assert "HELDOUT_LOG_PUBLIC_KEY is not set" in done.stderr
    assert "HELDOUT_RECEIPT_KEY_FILE is not set" in done.stderr


def test_template_lines_fit_on_a_screen() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if len(line) > 160
    ]
    assert long == []


def test_classes_that_templates_name_are_there() -> None:
    named = re.compile(rf"\b(?:{'|'.join(APPS)})(?:\.[a-z_]+)+\.[A-Z]\w+")
    mentioned = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in named.findall(path.read_text("utf-8"))
    }
    assert [name for name in sorted(mentioned) if not _is_there(name)] == []


def _is_there(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    return hasattr(import_module(module), attribute)
