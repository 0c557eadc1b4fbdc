"""Affect in Tweets: intensities of four emotions, valence classes, and sets of eleven emotions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cases.draws import Draws, write_lines

Column = Mapping[str, str]
"""The last cell by item."""

TESTED = {"anger": 1002, "fear": 330, "joy": 350, "sadness": 310}
MYSTERIES = 300  # items of the Equity Evaluation Corpus, in the same file; 30 but of anger
CLASSES = {
    -3: "very negative", -2: "moderately negative", -1: "slightly negative", 0: "neutral or mixed",
    1: "slightly positive", 2: "moderately positive", 3: "very positive",
}  # fmt: skip
VALENCE_ITEMS = 400
ELEVEN = (
    "anger", "anticipation", "disgust", "fear", "joy", "love", "optimism", "pessimism", "sadness", "surprise", "trust",
)  # fmt: skip
EMOTION_ITEMS = 450


def clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def column_lines(column: Column, dimension: str, name: str) -> list[str]:
    header = f"ID\tTweet\tAffect Dimension\t{name}"
    return [header, *(f"{item}\t-\t{dimension}\t{cell}" for item, cell in column.items())]


def write_intensities(folder: Path) -> None:
    """Scores from 0 to 1 of four emotions, six systems, and faulty files for anger."""
    for number, (emotion, tested) in enumerate(TESTED.items()):
        draws = Draws(200 + number)
        ids = draws.shuffled([f"2018-En-{at:05}" for at in range(1, tested + 1)])
        ids += [f"2018-En-mystery-{at:05}" for at in range(1, (MYSTERIES if emotion == "anger" else 30) + 1)]
        gold = {item: f"{draws.share():.3f}" for item in ids}
        model = {
            item: f"{clamped(float(score) * 0.6 + draws.share() * 0.4):.6f}" for item, score in gold.items()
        }
        systems: dict[str, Column] = {
            "model": model,
            "model_shuffled": {item: model[item] for item in draws.shuffled(ids)},
            "random": {item: f"{draws.share():.6f}" for item in ids},
            **{f"constant_{score}": dict.fromkeys(ids, score) for score in ("0.100", "0.5", "0.700")},
        }
        write_intensity(folder / "gold" / f"2018-EI-reg-En-{emotion}-gold.txt", emotion, gold)
        for system, column in systems.items():
            write_intensity(prediction(folder, system, emotion), emotion, column)
        if emotion == "anger":
            write_faulty_intensities(folder, ids, gold, model)


def write_intensity(path: Path, emotion: str, column: Column) -> None:
    write_lines(path, column_lines(column, emotion, "Intensity Score"))


def prediction(folder: Path, system: str, emotion: str) -> Path:
    return folder / "predictions" / system / f"EI-reg_en_{emotion}_pred.txt"


def write_faulty_intensities(folder: Path, ids: Sequence[str], gold: Column, model: Column) -> None:
    """One file per fault, and two that the official scorer takes."""
    high = {item: "0.700000" if float(gold[item]) >= 0.5 else model[item] for item in ids}
    tested = [item for item in ids if "mystery" not in item]
    unknown = {f"2018-En-mystery-{at:05}": "0.5" for at in range(90001, 90001 + MYSTERIES)}
    columns: dict[str, Column] = {
        "edge_constant_only_on_gold_ge_0.5": high,
        "edge_extra_row_unknown_id": {**model, "2018-En-99999": "0.5"},
        "edge_inf_string": {**model, ids[7]: "inf"},
        "edge_nan_strings": {**model, ids[7]: "nan"},
        "edge_mystery_unknown_id_ignored": {item: model[item] for item in tested} | unknown,
        "edge_one_row_missing": {item: model[item] for item in ids[:-1]},
        "edge_out_of_range": {**model, ids[24]: "1.2"},
        "edge_unparsable_NONE_becomes_0.5": {**model, ids[0]: "NONE"},
    }
    for system, column in columns.items():
        write_intensity(prediction(folder, system, "anger"), "anger", column)
    lines = column_lines(model, "anger", "Intensity Score")
    write_lines(prediction(folder, "edge_missing_header", "anger"), lines[1:])
    lines[6] = lines[1]
    write_lines(prediction(folder, "edge_duplicate_id_replaces_other", "anger"), lines)


def write_valence(folder: Path) -> None:
    """Classes from -3 to 3."""
    draws = Draws(210)
    ids = draws.shuffled([f"2018-En-{at:05}" for at in range(1, VALENCE_ITEMS + 1)])
    gold = {item: draws.pick(tuple(CLASSES)) for item in ids}
    near = {item: min(3, max(-3, value + draws.pick((-2, -1, 0, 0, 1)))) for item, value in gold.items()}
    without_top = [item for item in ids if gold[item] != 3]
    write_classes(folder / "gold", "2018-Valence-oc-En-gold.txt", worded(gold))
    lower = worded({item: gold[item] for item in without_top})
    write_classes(folder / "gold_missing_top_class", "2018-Valence-oc-En-gold.txt", lower)
    systems: dict[str, Column] = {
        "model": worded(near),
        "model_shuffled": worded({item: near[item] for item in draws.shuffled(ids)}),
        "majority": worded(dict.fromkeys(ids, 0)),
        "random": worded({item: draws.pick(tuple(CLASSES)) for item in ids}),
        "edge_bare_integers": {item: str(value) for item, value in near.items()},
        "edge_never_predicts_top_class": worded({item: min(2, value) for item, value in near.items()}),
        "edge_two_labels_only": worded({item: 1 if value > 0 else 0 for item, value in near.items()}),
        "edge_gold_missing_top_class": worded({item: near[item] for item in without_top}),
        "edge_empty_label": {**worded(near), ids[3]: ""},
        "edge_float_label": {**worded(near), ids[3]: "1.0"},
        "edge_label_not_in_gold_9": {**worded(near), ids[0]: "9: no such class"},
        "edge_one_row_missing": worded({item: near[item] for item in ids[:-1]}),
    }
    for system, column in systems.items():
        write_classes(folder / "predictions" / system, "V-oc_en_pred.txt", column)
    lines = column_lines(worded(near), "valence", "Intensity Class")
    lines[6] = lines[1]
    place = folder / "predictions" / "edge_duplicate_id_replaces_other"
    write_lines(place / "V-oc_en_pred.txt", lines)


def worded(column: Mapping[str, int]) -> Column:
    return {
        item: f"{value}: {CLASSES[value]} emotional state can be inferred" for item, value in column.items()
    }


def write_classes(folder: Path, name: str, column: Column) -> None:
    write_lines(folder / name, column_lines(column, "valence", "Intensity Class"))


def write_emotions(folder: Path) -> None:
    """Sets of eleven emotions; some are empty in the gold labels and in predictions."""
    draws = Draws(220)
    ids = draws.shuffled([f"2018-En-{at:05}" for at in range(1, EMOTION_ITEMS + 1)])
    gold = {item: [int(draws.share() < 0.2) for _ in ELEVEN] for item in ids}
    model = {item: [cell ^ (draws.share() < 0.15) for cell in cells] for item, cells in gold.items()}
    systems = {
        "model": model,
        "model_shuffled": {item: model[item] for item in draws.shuffled(ids)},
        "all_one": {item: [1] * 11 for item in ids},
        "all_zero": {item: [0] * 11 for item in ids},
        "random": {item: [draws.below(2) for _ in ELEVEN] for item in ids},
        "edge_trust_never_predicted": {item: [*cells[:10], 0] for item, cells in model.items()},
    }
    write_lines(folder / "gold" / "2018-E-c-En-gold.txt", set_lines(gold))
    for system, sets in systems.items():
        write_lines(folder / "predictions" / system / "E-C_en_pred.txt", set_lines(sets))
    write_faulty_sets(folder, set_lines(model))


def set_lines(sets: Mapping[str, Sequence[int]]) -> list[str]:
    header = "\t".join(("ID", "Tweet", *ELEVEN))
    return [header, *("\t".join((item, "-", *map(str, cells))) for item, cells in sets.items())]


def write_faulty_sets(folder: Path, lines: Sequence[str]) -> None:
    """One file per fault: the line at fault in place of that which stands there."""
    cut = lines[1][:-1]
    faults = {
        "edge_12_columns": (5, lines[5][:-2]),
        "edge_duplicate_id_replaces_other": (6, lines[1]),
        "edge_float_cell_1.0": (1, f"{cut}1.0"),
        "edge_one_bad_cell_zeroes_row": (1, f"{cut}x"),
        "edge_unparsable_row_becomes_all_zero": (1, "\t".join([*lines[1].split("\t")[:2], *["NONE"] * 11])),
        "edge_value_2": (5, f"{lines[5][:-1]}2"),
    }
    for system, (at, line) in faults.items():
        place = folder / "predictions" / system / "E-C_en_pred.txt"
        write_lines(place, [*lines[:at], line, *lines[at + 1 :]])
