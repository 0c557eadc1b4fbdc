"""Made-up gold labels and predictions in every benchmark's own format, with the numbers of the official scorers.

`write_cases` writes the same bytes in every run: all is drawn from fixed seeds, and nothing is anybody else's data.
`official/` holds, per case, what the official scorer said of exactly these files, and under `_scorer` which scorer
and version that was and how it was run. Whoever changes what is written must run those scorers again:
`tests/cases/test_cases.py` knows the files by their hash.

`../shared/cases`, where it is there, has the published files in the same places; `renamed_view` shows them under the
names used here.
"""

import shutil
from pathlib import Path

from tests.cases import affect, dynasent, equity, pairs, raft, rumours, stance

OFFICIAL = Path(__file__).parent / "official"
WRITERS = {
    "raft_public_train50": raft.write_public_rows,
    "raft_submission_template": raft.write_template,
    "ait2018_ei_reg_en": affect.write_intensities,
    "ait2018_v_oc_en": affect.write_valence,
    "ait2018_e_c_en": affect.write_emotions,
    "eec_bias": equity.write_corpus,
    "fnc1": stance.write_headlines,
    "mdl_stance_metrics": stance.write_perspectives,
    "semeval2016t6": stance.write_tweets,
    "rumoureval2019": rumours.write_answers,
    "dynasent_v1_1": dynasent.write_rounds,
    "bibi2017_sentiment": pairs.write_pairs,
}
# Files of the published cases bear the names of those who made them; here they are called by what they are.
NAMES = (
    ("athene_official", "model_b"),
    ("talos_official", "model_a"),
    ("edge2000_athene", "edge2000_model_b"),
    ("tfidf_logreg_trained_on_dev", "model"),
    ("tfidf_logreg", "model"),
    ("cv_logreg", "model"),
    ("ovr_logreg", "model"),
    ("logreg", "model"),
    ("ridge", "model"),
    ("random_seed13", "random"),
    ("B_mavrin", "B_model_a"),
    ("B_usfd_out_trump", "B_model_b"),
    ("B_usfd_trump_final", "B_model_c"),
    ("fajcik_BUTFIT_single_0.55846", "model_a"),
    ("fajcik_BUTFIT_single_0.58924", "model_b"),
    ("kochkina_branchLSTM_A_NileTMRG_B", "model_c"),
    ("kochkina_branchLSTM_answer", "model_d"),
)


def write_cases(folder: Path) -> Path:
    """Write all cases, each into a folder of its own with its `expected.json`."""
    for name, write in WRITERS.items():
        case = folder / name
        case.mkdir(parents=True)
        write(case)
        if (OFFICIAL / f"{name}.json").is_file():
            shutil.copy(OFFICIAL / f"{name}.json", case / "expected.json")
    return folder


def renamed_view(source: Path, folder: Path) -> Path:
    """Links to the published cases of `source` under the names used here; `expected.json` says the same names."""
    for name in WRITERS:
        for path in sorted((source / name).rglob("*.*")):
            if path.is_file():
                place = folder / renamed(str(path.relative_to(source)))
                place.parent.mkdir(parents=True, exist_ok=True)
                if path.name == "expected.json":
                    place.write_text(renamed(path.read_text("utf-8")), "utf-8")
                else:
                    place.symlink_to(path)
    return folder


def renamed(text: str) -> str:
    """The text with the names used here."""
    for published, own in NAMES:
        text = text.replace(published, own)
    return text
