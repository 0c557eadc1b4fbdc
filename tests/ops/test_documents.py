"""What the documents promise is what the files do."""

import re
from pathlib import Path

import pytest

from tests.ops.demos import ROOT

OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
MARKDOWN = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
NAMED_TEST = r"`(tests/[\w/]+\.py)::(test_\w+)`"
VARIABLE = re.compile(r"HELDOUT_[A-Z_]*[A-Z]")


def variables_read() -> set[str]:
    sources = [
        path
        for folder in ("config", "demo", "leaderboard", "scoring", "transparency")
        for path in (ROOT / folder).rglob("*.py")
    ]
    return {name for path in sources for name in VARIABLE.findall(path.read_text("utf-8"))}


def variables_documented() -> set[str]:
    return set(re.findall(r"^\| `(HELDOUT_[A-Z_]+)`", OPERATIONS, flags=re.MULTILINE))


def test_every_setting_is_documented():
    assert variables_read() - variables_documented() == set()


def test_no_setting_is_documented_that_nothing_reads():
    assert variables_documented() - variables_read() == set()


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(page: Path):
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_sections_that_messages_name_exist():
    folders = [path for path in ROOT.iterdir() if (path / "__init__.py").is_file() and path.name != "tests"]
    texts = (path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    named = {pair for text in texts for pair in re.findall(r"(docs/[\w-]+\.md), “([^”]+)”", text)}

    assert named
    assert [
        (page, head) for page, head in named if f"# {head}\n" not in (ROOT / page).read_text("utf-8")
    ] == []


def test_tests_that_documents_name_exist():
    named = {name for page in MARKDOWN for name in re.findall(NAMED_TEST, page.read_text("utf-8"))}

    assert [name for name in sorted(named) if not is_there(*name)] == []


def is_there(path: str, name: str) -> bool:
    """Whether that file has a test of that name."""
    file = ROOT / path
    return file.is_file() and f"def {name}(" in file.read_text("utf-8")


def test_every_feature_of_a_protocol_names_a_test():
    lines = (ROOT / "docs" / "protocols.md").read_text("utf-8").splitlines()
    features = [line for line in lines if re.match(r"\| (?!feature|---)", line)]

    assert len(features) > 40
    assert [line for line in features if not re.search(NAMED_TEST, line)] == []


SECURITY = (ROOT / "docs" / "security.md").read_text("utf-8")
WHY_NO_TEST = ("by the framework", "by reading", "`make ", "not held", "none here")


def test_every_chapter_of_the_security_standard_is_answered():
    assert re.findall(r"^## V(\d+) ", SECURITY, flags=re.MULTILINE) == [
        str(number) for number in range(1, 18)
    ]


def test_every_line_about_security_names_a_test_or_says_why_none_holds_it():
    rows = [line for line in SECURITY.splitlines() if re.match(r"\| \d", line)]
    unheld = [row for row in rows if not row.strip("| ").split(" | ")[-1].startswith(WHY_NO_TEST)]

    assert len(rows) > 70
    assert [row for row in unheld if not re.search(NAMED_TEST, row)] == []


def test_readme_names_the_commands_that_make_knows():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    named = set(re.findall(r"^`?make ([a-z]+)", (ROOT / "README.md").read_text("utf-8"), flags=re.MULTILINE))

    assert {"demo", "test"} <= named <= targets


def test_definition_in_the_guide_can_be_loaded():
    from benchmarks.spec.document import parse_yaml
    from benchmarks.spec.loader import build_spec

    guide = (ROOT / "docs" / "adding-a-benchmark.md").read_text("utf-8")
    text = guide.split("```yaml\n")[1].split("```")[0]

    assert build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml").id == "toy"
