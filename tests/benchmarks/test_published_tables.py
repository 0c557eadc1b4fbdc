"""Flags and datasheets of tasks, and tables that a source printed: read strictly, and shown on the pages."""

from pathlib import Path

import pytest

from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from leaderboard.models import Page
from leaderboard.publication.services import refresh
from tests.conftest import TOY_DEFINITION, synced

TABLE = """tables:
  - {id: depth, title: Depth of the trees, source: "Nobody, 2026, Table 9", head: Depth, columns: [overall, mood], rows: {"1": [0.5, 0.25], "2": [0.75, 1]}}
reported:"""  # noqa: E501
DEFINITION = TOY_DEFINITION.replace("reported:", TABLE).replace(
    "- {id: mood,",
    '- {id: mood, flags: [Long inputs, Many classes], datasheet: {Made by: "Nobody, alone"},',
)


def page(path):
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.mark.django_db
def test_flags_datasheet_and_tables_stand_on_the_pages():
    refresh(synced(DEFINITION))
    rules = page("/benchmarks/toy/rules/")
    assert '<span class="tag">Long inputs</span>' in rules
    task = page("/benchmarks/toy/tasks/mood/")
    assert "<dt>Challenges</dt><dd>Long inputs, Many classes</dd>" in task
    assert "<dt>Made by</dt><dd>Nobody, alone</dd>" in task
    assert "Datasheet" not in page("/benchmarks/toy/tasks/colour/")
    analysis = page("/benchmarks/toy/analysis/")
    assert "<summary>Depth of the trees</summary>" in analysis
    assert "Nobody, 2026, Table 9" in analysis
    for cell in ('<th scope="col" class="number">MOO</th>', ">0.250</td>", ">1.000</td>"):
        assert cell in analysis


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[0.5, 0.25]", "[0.5]", "tables[depth].rows.1: expected a list of 2 numbers"),
        ("[0.5, 0.25]", "[0.5, high]", "tables[depth].rows.1: expected a list of 2 numbers"),
        ('{"1": [0.5, 0.25], "2": [0.75, 1]}', "{}", "tables[depth].rows: expected a mapping"),
        (
            "[overall, mood]",
            "[overall, moods]",
            "tables[depth].columns: no task or average has the id 'moods'",
        ),
        ('{Made by: "Nobody, alone"}', "{Made by: 3}", "datasheet.Made by: expected text"),
        ("[Long inputs, Many classes]", "[Long inputs, Long inputs]", "'Long inputs' is listed twice"),
    ],
)
def test_a_wrong_table_flag_or_datasheet_is_named(old, new, told):
    assert old in DEFINITION
    with pytest.raises(DefinitionError) as refused:
        load_definition(DEFINITION.replace(old, new), "toy.yaml")
    assert told in str(refused.value)


@pytest.mark.django_db
def test_a_table_with_heads_of_its_own_shows_figures_with_the_decimals_that_they_have():
    own = DEFINITION.replace("columns: [overall, mood]", "heads: [IRA, Kappa]").replace(
        "0.75, 1]", "83.4, 0.2]"
    )
    refresh(synced(own))
    analysis = page("/benchmarks/toy/analysis/")
    for cell in ('<th scope="col" class="number">IRA</th>', ">83.40</td>", ">0.25</td>"):
        assert cell in analysis


def defined(name):
    path = Path(f"benchmarks/definitions/{name}.yaml")
    return load_definition(path.read_text("utf-8"), path.name)


def raft():
    return defined("raft")


def test_affect_in_tweets_says_what_its_labels_rest_on():
    tables = {table.id: table for table in defined("ait2018").tables}
    assert {name: (len(table.rows), table.decimals) for name, table in tables.items()} == {
        "class-shares": (3, 1),
        "agreement": (7, 2),
        "split-half": (15, 2),
        "annotations": (18, 0),
    }
    # The sums that the source prints under its languages.
    answers = dict.fromkeys(("English", "Arabic", "Spanish"), 0.0)
    for name, row in tables["annotations"].rows:
        answers[name.partition(",")[0]] += row[-1]
    assert answers == {"English": 331102, "Arabic": 175454, "Spanish": 208702}


def test_raft_has_the_flags_of_table_1():
    by_flag: dict[str, list[str]] = {flag: [] for flag in ("Long inputs", "Domain expertise", "Many classes")}
    for task in raft().tasks:
        for flag in task.flags:
            by_flag[flag].append(task.code)
    assert by_flag == {
        "Long inputs": ["NIS", "OSE", "SRI", "TAI"],
        "Domain expertise": ["ADE", "Over", "TAI", "ToS"],
        "Many classes": ["B77"],
    }
    assert [task.code for task in raft().tasks if task.datasheet] == ["NIS", "SOT", "TAI"]


def test_raft_has_its_six_tables_of_leave_one_out_whose_averages_are_those_of_their_rows():
    tables = raft().tables
    assert [len(table.rows) for table in tables] == [2, 2, 4, 5, 5, 4]
    off = {}
    for table in tables:
        for name, (overall, *tasks) in table.rows:
            assert len(tasks) == len(raft().tasks)
            if abs(sum(tasks) / len(tasks) - overall) > 0.0011:
                off[table.id, name] = overall
    assert off == {}
