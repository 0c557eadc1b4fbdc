"""The folders `seed1/`, `seed2/` … of a zip: a system's predictions once for each seed that it was trained with."""

import re
from collections.abc import Collection, Mapping

from catalogue.problems import Finding, ProblemCode, quoted, visible

_FOLDER = re.compile(r"seed([1-9][0-9]{0,3})")
_MEANT = re.compile(r"seeds?[\W_]*0*([0-9]{1,9})", re.IGNORECASE | re.ASCII)


def folder_of(seed: int) -> str:
    return f"seed{seed}/"


def part_seed(name: str, seeds: int) -> tuple[int, str]:
    """The seed that a name inside a zip belongs to, and the name without the seed's folder.

    What stands outside of the folders of the `seeds` belongs to the first; where there is one seed, all does.
    """
    if seeds == 1:
        return 1, name
    folder, slash, rest = name.partition("/")
    match = _FOLDER.fullmatch(folder)
    return (int(match[1]), rest) if slash and match and int(match[1]) <= seeds else (1, name)


def is_meant_as_seed(folder: str) -> bool:
    """True for a folder's name that is like that of a seed, whether or not it is written rightly."""
    return _MEANT.fullmatch(folder) is not None


def is_misnamed(folder: str, seeds: int) -> bool:
    return is_meant_as_seed(folder) and part_seed(f"{folder}/", seeds)[1] != ""


def folder_fault(folder: str, seeds: int) -> Finding:
    """What is wrong with a folder that is misnamed."""
    match = _MEANT.fullmatch(folder)
    number = int(match[1]) if match else 0
    if 1 <= number <= seeds:
        expected = f"seed{number}"
        return Finding(
            ProblemCode.SEED_SPELLING,
            f"{quoted(folder)} is not how the folder of a seed is written. Name it {expected}.",
            visible(folder),
            expected,
        )
    expected = f"seed1 … seed{seeds}"
    return Finding(
        ProblemCode.UNKNOWN_SEED,
        f"The benchmark asks for {seeds} seeds, counted from 1, so there is no {quoted(folder)}. "
        f"The folders are {expected}.",
        visible(folder),
        expected,
    )


def lacking_files(answered: Mapping[int, Collection[str]]) -> list[tuple[int, str, tuple[int, ...]]]:
    """What a ragged group lacks, from the paths that each seed answers: seed, path, and the seeds that have it."""
    paths = dict.fromkeys(path for seed in sorted(answered) for path in answered[seed])
    having = {path: tuple(seed for seed in sorted(answered) if path in answered[seed]) for path in paths}
    return [
        (seed, path, having[path]) for seed in sorted(answered) for path in paths if seed not in having[path]
    ]


def lacking_fault(seed: int, path: str, having: tuple[int, ...]) -> Finding:
    """Why a group without that file is refused."""
    those = ", ".join(f"seed{other}" for other in having)
    expected = folder_of(seed) + path
    return Finding(
        ProblemCode.SEED_INCOMPLETE,
        f"seed{seed} has no {path}, but {those} {'has' if len(having) == 1 else 'have'} it. Every seed must answer "
        f"the same files: add {expected}, or leave the file out of every seed.",
        those,
        expected,
    )
