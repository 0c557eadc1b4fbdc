"""What systems rank first is graded by people, and becomes another version of the judgements, beside the older ones."""

import pytest

from accounts.services import create_team
from catalogue.answers.open_ended.ranked_list import grades_in
from labelling.core.judged.pools import pooled
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.exceptions import CannotChangeCampaign
from scoring.file_refusal import FileRefused
from scoring.gold.box_opening import open_version
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, person, synced
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, run_batch
from tests.written import DEFINITION, begun, drawn, judged, the_told

SEARCH = (
    DEFINITION.replace("{kind: text}", "{kind: ranked_list}")
    .replace("path: words.csv, id_column: id, label_column: english", "path: run.txt, dialect: trec")
    .replace(
        "metrics: [{name: chrf, title: chrF}]",
        "gold_file: {path: qrels.txt, dialect: trec}\n    metrics: [{name: P_2, title: P@2}]",
    )
)
GRADES = CampaignQuestion(
    "ordered_class", "Does it answer?", (Option("0", "No"), Option("1", "In part"), Option("2", "Well"))
)
LISTS = {"Alder": {"q1": "a b c", "q2": "d e f"}, "Birch": {"q1": "b x a", "q2": "f g d"}}
JUDGED_BEFORE = b"q1 0 a 1\nq1 0 z 2\nq2 0 d 1\n"
GRADE = {"a": 0, "b": 2, "x": 1, "d": 2, "e": 0, "f": 1, "g": 0}
"""What people say of the first two documents of each list."""
TEXTS = "id,text\n" + "".join(f"{name},Document called {name}.\n" for name in "abcdefgxz")


def run(lists: dict[str, str]) -> bytes:
    return "".join(
        f"{query} Q0 {name} 0 {-place} r\n"
        for query, names in lists.items()
        for place, name in enumerate(names.split())
    ).encode()


@pytest.fixture(scope="module")
def _searched(stage):
    benchmark = synced(SEARCH)
    load_gold(task=benchmark.tasks.get(), data=JUDGED_BEFORE, file_name="qrels.txt", now=NOW)
    for name, lists in LISTS.items():
        team = create_team(name=f"Team {name}", founder=person(name.lower()), now=NOW)
        system = System.objects.create(team=team, name=name, created_at=NOW)
        upload = PredictionUpload(
            system=system,
            phase=benchmark.phases.get(),
            user=team.members.get(),
            data=zip_of({"run.txt": run(lists)}),
            file_name="r.zip",
            received_at=NOW,
        )
        submit_predictions(upload)
    run_batch(CUT_OFF)


@pytest.fixture
def search(_searched, gold_keys):
    return the_told()


def graded(text: str) -> dict[str, str]:
    name = text.rpartition("called ")[2].removesuffix(".")
    return {"label": str(GRADE[name])}


def test_grades_of_the_pool_stand_beside_older_judgements(search):
    campaign = begun(
        search,
        "pooled_grades",
        GRADES,
        depth=2,
        documents=(TEXTS.encode(), "texts.csv"),
        is_sealed=True,
        answers_wanted=1,
    )
    keys = set(campaign.units.values_list("key", flat=True))
    assert keys == {"q1/a", "q1/b", "q1/x", "q2/d", "q2/e", "q2/f", "q2/g"}
    judged(campaign, graded)
    outcome = campaign.outcomes.get()
    assert outcome.gold_version == GoldVersion.objects.current().get()
    assert outcome.gold_version is not None
    labels = open_version(outcome.gold_version)[1]
    found = {query: grades_in(text) for query, text in zip(labels.ids, labels.codes.tolist(), strict=True)}
    assert found == {"q1": {"a": 0, "b": 2, "x": 1, "z": 2}, "q2": {"d": 2, "e": 0, "f": 1, "g": 0}}
    assert (outcome.report["graded"], outcome.report["graded_again"], outcome.values) == (7, 2, None)


def test_without_texts_workers_see_ids_and_nobody_learns_whose_list_it_was(search):
    campaign = drawn(search, "pooled_grades", GRADES, depth=1, documents=None, is_sealed=True)
    shown = {unit.key: unit.shown for unit in campaign.units.all()}
    assert shown == {
        f"{query}/{name}": [[["query", query], ["document", name]]]
        for query, name in (("q1", "a"), ("q1", "b"), ("q2", "d"), ("q2", "f"))
    }


def test_a_document_without_a_text_and_a_broken_file_are_refused(search):
    short = TEXTS.replace("x,Document called x.\n", "")
    with pytest.raises(CannotChangeCampaign, match=r"texts\.csv has no text of x\. Add a row"):
        drawn(search, "pooled_grades", GRADES, depth=2, documents=(short.encode(), "texts.csv"))
    with pytest.raises(FileRefused, match="line 1"):
        drawn(search, "pooled_grades", GRADES, depth=2, documents=(b"name,text\na,A\n", "texts.csv"))


def test_lists_that_leave_a_query_out_add_nothing_to_its_pool():
    assert pooled([["a b", ""], ["c", "d"]], 1) == [["a", "c"], ["d"]]
