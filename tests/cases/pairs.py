"""Build It Break It: four breakers' minimal pairs, some of them repeated, and the answers of seven builders."""

from collections.abc import Sequence
from pathlib import Path

from tests.cases.draws import Draws, write_lines

SIZES = {1: 99, 2: 42, 3: 49, 4: 97}  # pairs by breaker
# What a set gives twice: at which pair its first and its second line stand, and whether the second line of the pair
# says something else.
REPEATED = {3: {645: (17, 48, True)}, 4: {766: (2, 3, False), 587: (90, 91, True), 52: (77, 98, False)}}
ENDINGS = {4: "test.opinion", 5: "test.preds", 6: "test.twitter_nnet", 7: "test.non_neural"}
HEADERS = {1: "sentence_id\tsentence\tlabel"} | dict.fromkeys(
    (2, 3), "<sentence_id>\t<sentence>\t<sentiment_label>"
)
Row = tuple[str, int]
"""An item and its sentiment."""


def write_pairs(folder: Path) -> None:
    """Every builder answers every set, in the various forms of 2017: some without a header, some without tabs."""
    draws = Draws(600)
    for breaker, size in SIZES.items():
        rows = breaker_rows(draws, breaker, size)
        lines = [f"{item}\t-\t{sentiment}" for item, sentiment in rows]
        write_lines(
            folder / "gold" / f"Team{breaker}_breaker_test.tsv",
            ["sentence_id\tsentence\tsentiment_label", *lines],
        )
        for builder in range(1, 8):
            name = f"Team{breaker}_breaker_{ENDINGS.get(builder, 'blind_test.pred.tsv')}"
            path = folder / "predictions" / f"Builder_Team_{builder}" / name
            write_lines(path, builder_lines(draws, builder, rows))


def breaker_rows(draws: Draws, breaker: int, size: int) -> list[Row]:
    """Two rows per pair; the stems are counted from the breaker's number of hundreds."""
    stems = {first: stem for stem, (first, _, _) in REPEATED.get(breaker, {}).items()}
    again = {second: stem for stem, (_, second, _) in REPEATED.get(breaker, {}).items()}
    said: dict[int, tuple[int, int]] = {}
    rows: list[Row] = []
    for at in range(size + len(again)):
        stem = stems.get(at) or again.get(at) or breaker * 1000 + at
        original, changed = said.setdefault(stem, (draws.pick((-1, 1)), draws.pick((-1, 1))))
        if at in again and REPEATED[breaker][stem][2]:
            changed = -changed
        rows += [(f"{stem}_a", original), (f"{stem}_b", changed)]
    return rows


def builder_lines(draws: Draws, builder: int, rows: Sequence[Row]) -> list[str]:
    """The first three have a header, the second and third write +1, and the fourth answers 0 now and then."""
    options = (-1, 0, 0, 1) if builder == 4 else (-1, 1)
    answers = [draws.mostly([value], options, 0.05 * builder)[0] for _, value in rows]
    words = [f"{value:+d}" if builder in (2, 3, 5, 6) else str(value) for value in answers]
    mark = "\t" if builder in (1, 2, 3, 7) else " "
    lines = [mark.join((item, "-", word)) for (item, _), word in zip(rows, words, strict=True)]
    return [HEADERS[builder], *lines] if builder in HEADERS else lines
