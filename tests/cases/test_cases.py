"""The made-up cases are the files of which the official scorers said what is noted."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cases import NAMES, OFFICIAL, WRITERS, renamed

HASHES = {
    "raft_public_train50": "ab29726141ac28e3",
    "raft_submission_template": "9e9e5f79e26fe298",
    "ait2018_ei_reg_en": "a8dec78c8c8ce83e",
    "ait2018_v_oc_en": "b2e011134133d561",
    "ait2018_e_c_en": "7b86c11b25eac597",
    "eec_bias": "0dc3fa5c3de442ed",
    "fnc1": "18886dcb9dccc954",
    "mdl_stance_metrics": "0a4b2135f68a05b9",
    "semeval2016t6": "c17570f4b0076920",
    "rumoureval2019": "651755bf369c6e93",
    "dynasent_v1_1": "f91c7d680c68a9aa",
    "bibi2017_sentiment": "8ab7e4cbd23acbd6",
}


@pytest.mark.parametrize("case", WRITERS)
def test_files_are_those_that_the_official_scorers_were_given(made_cases: Path, case: str) -> None:
    """Where this fails, run the scorers named in `official/` on the new files and note what they say."""
    digest = sha256()
    for path in sorted((made_cases / case).rglob("*.*")):
        if path.is_file() and path.name != "expected.json":
            digest.update(str(path.relative_to(made_cases)).encode() + path.read_bytes())
    assert digest.hexdigest()[:16] == HASHES[case]


@pytest.mark.parametrize("path", sorted(OFFICIAL.glob("*.json")), ids=lambda path: path.stem)
def test_numbers_name_their_scorer(path: Path) -> None:
    assert json.loads(path.read_text("utf-8"))["_scorer"]


@pytest.mark.parametrize(("published", "own"), NAMES, ids=lambda name: name)
def test_published_files_are_shown_under_the_names_used_here(published: str, own: str) -> None:
    assert renamed(f"predictions/{published}.csv") == f"predictions/{own}.csv"
