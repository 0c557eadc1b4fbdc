"""The Equity Evaluation Corpus as an organiser and nine teams would use it: from its table to the published counts."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from benchmarks.models import Phase
from leaderboard.models import Release
from tests.api.conftest import client_of
from tests.conftest import person
from tests.feelings import team_of

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]

TASK = "EI-reg-en-anger"
FILE = "EI-reg_en_anger_pred.txt"
HEADER = "ID\tTweet\tAffect Dimension\tIntensity Score\n"
STRATA = ["--stratum", "Emotion", "--no-stratum", "no emotion word"]
CELLS = ["--id", "ID", "--cell", "Template", "--cell", "Emotion word", *STRATA]
COUNTERPARTS = [
    "she=he", "her=him", "this woman=this man", "this girl=this boy", "my sister=my brother", "my daughter=my son",
    "my wife=my husband", "my girlfriend=my boyfriend", "my mother=my father", "my aunt=my uncle", "my mom=my dad",
]  # fmt: skip
GENDER = ["--by", "Gender", "--first", "female", "--second", "male", "--cell-unless", "Person", "Race"]
RACE = ["--by", "Race", "--first", "African-American", "--second", "European"]
RECIPES = {
    "gender": [*CELLS, *GENDER, "--same", *COUNTERPARTS],
    "race": [*CELLS, *RACE],
    "race-by-gender": [*CELLS, *RACE, "--cell", "Gender"],
}
# The name of each expected case: its comparison and stratum.
CASES = {
    "gender_female_minus_male": ("gender", ""),
    "race_african_american_minus_european_144": ("race", ""),
    "race_AA_minus_EA": ("race-by-gender", ""),
    **{
        f"{prefix}_{stratum.replace(' ', '_')}": (comparison, stratum)
        for prefix, comparison in (("gender", "gender"), ("race", "race-by-gender"))
        for stratum in ("anger", "fear", "joy", "sadness", "no emotion word")
    },
}
NAMES = {
    "pairs": "n_pairs", "mean_first": "mean_a", "mean_second": "mean_b", "mean_difference": "mean_diff",
    "mean_absolute_difference": "mean_abs_diff", "largest_absolute_difference": "max_abs_diff",
    "first_higher_count": "n_diff_pos", "equal_count": "n_diff_zero", "p": "p",
}  # fmt: skip


def manage(*arguments: str) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output, stderr=output)
    return output.getvalue()


def predictions(scores: list[tuple[str, str]]) -> bytes:
    tested = [(f"2018-En-{number:05}", f"0.{number}") for number in range(1, 10)]
    rows = "".join(f"{item}\t-\tanger\t{score}\n" for item, score in [*tested, *scores])
    return (HEADER + rows).encode()


def scores(path: Path) -> list[tuple[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return [(row["ID"], row["score"]) for row in csv.DictReader(file)]


def group(official: dict[str, Any], assessments: int) -> str:
    p, t = official["p"], official["t"]
    if p is None or p >= 0.05 / assessments:
        return "equal"
    return "first_higher" if float(t) > 0 else "second_higher"


def test_reports_and_counts_agree_with_the_independent_computation(gold_keys, cases, tmp_path):
    folder = cases / "eec_bias"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    systems = [name for name in expected if not name.startswith("_")]
    manage("sync_benchmarks")
    gold = tmp_path / "gold.txt"
    gold.write_bytes(predictions(scores(folder / "predictions" / "constant_0.5.csv")))
    manage("load_gold", "ait2018", TASK, str(gold))
    phase = Phase.objects.filter(benchmark="ait2018").first()

    corpus = str(folder / "gold" / "Equity-Evaluation-Corpus.csv")
    for comparison, recipe in RECIPES.items():
        pairs = str(tmp_path / f"{comparison}.csv")
        manage("derive_pairs", corpus, *recipe, "--output", pairs)
        manage("load_pairs", "ait2018", TASK, "equity", comparison, pairs)

    clients, submissions = {}, {}
    for number, name in enumerate(systems):
        user = person(f"person-{number}")
        _, system = team_of(user, f"Team {number}")
        clients[name] = client_of(user)
        data = predictions(scores(folder / "predictions" / f"{name}.csv"))
        form = {"phase": str(phase), "system": str(system.pk), "file": SimpleUploadedFile(FILE, data)}
        answer = clients[name].post("/api/v1/submissions/", form)
        assert answer.status_code == 201, answer.content
        submissions[name] = answer.json()["id"]
    manage("run_due", "--close", str(phase))

    for name in systems:
        report = clients[name].get(f"/api/v1/submissions/{submissions[name]}/equity/").json()
        assert report["assessments"] == len(systems) * len(RECIPES)
        found = {
            (one["comparison"], row["stratum"]): row
            for one in report["comparisons"]
            for row in one["results"]
        }
        assert set(expected[name]) == set(CASES)
        for case, place in CASES.items():
            assert_agrees(found[place], expected[name][case], f"{name} {case}")

    published = Release.objects.get().reports["equity"]
    assert published["assessments"] == 27
    for case, comparison in (("gender_female_minus_male", "gender"), ("race_AA_minus_EA", "race-by-gender")):
        groups = [group(expected[name][case], 27) for name in systems]
        (counted,) = next(one for one in published["comparisons"] if one["id"] == comparison)["tasks"]
        for each in ("equal", "first_higher", "second_higher"):
            assert counted[each] == groups.count(each), (comparison, each)


def assert_agrees(found: dict[str, Any], official: dict[str, Any], case: str) -> None:
    for name, key in NAMES.items():
        if key in official:
            assert found[name] == pytest.approx(official[key], abs=1e-9), f"{case} {name}"
    if official["t"] == "inf":
        assert found["is_t_infinite"], case
    elif official["t"] is None:
        assert found["t"] is None, case
    else:
        assert found["t"] == pytest.approx(official["t"], abs=1e-9), case
