"""Canonical arrays by their layout alone: what is sealed, stored and signed is read without knowing the kind.

A layout is a numpy type: whole numbers, uint64 bit masks, float64, labels with a confidence, rows of probabilities,
or texts.
"""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from secrets import token_bytes
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A canonical array of any kind, shape (n_items,).
Answers = NDArray[np.generic]
Codes = NDArray[np.int64]

LABEL_WITH_CONFIDENCE = np.dtype([("label", "u1"), ("confidence", "<f8")])
TEXT = np.dtypes.StringDType()
# Types of label positions: one byte for up to 256 labels, else two.
LABEL_CODES = (np.dtype("u1"), np.dtype("<u2"))
_WITH_CONFIDENCE = "label with confidence"
_TEXT_NAME = "text"
_PROBABILITIES = " probabilities"
_KEY_OF_CODES = token_bytes(32)


@lru_cache(maxsize=64)
def probabilities_of(count: int) -> np.dtype[Any]:
    """The type of so many probabilities per item: a field for each label, in the order of the labels."""
    return np.dtype([(f"p{place}", "<f8") for place in range(count)])


def are_probabilities(dtype: np.dtype[Any]) -> bool:
    return dtype.names is not None and dtype != LABEL_WITH_CONFIDENCE


def as_table(probabilities: NDArray[Any]) -> NDArray[np.float64]:
    """Rows of probabilities as floats, shape (n_items, n_labels)."""
    return np.ascontiguousarray(probabilities).view("<f8").reshape(len(probabilities), -1)


def as_rows(table: NDArray[np.float64]) -> Answers:
    """Rows of probabilities of floats, shape (n_items, n_labels)."""
    rows = np.ascontiguousarray(table, dtype="<f8")
    return rows.view(probabilities_of(table.shape[1])).reshape(len(table))


def dtype_name(values: Answers) -> str:
    """What `array_from_bytes` must be told to read the bytes of this array."""
    if values.dtype == LABEL_WITH_CONFIDENCE:
        return _WITH_CONFIDENCE
    if are_probabilities(values.dtype):
        return f"{len(values.dtype.names or ())}{_PROBABILITIES}"
    return _TEXT_NAME if values.dtype.kind == "T" else values.dtype.str


def array_to_bytes(values: Answers) -> bytes:
    """The answers as bytes, the same on every machine; the byte order is that of the array's own type."""
    if values.dtype.kind == "T":
        return json.dumps(values.tolist(), ensure_ascii=False, separators=(",", ":")).encode()
    return values.tobytes()


def array_from_bytes(data: bytes, name: str) -> Answers:
    """The array that `array_to_bytes` wrote. Numbers cannot be written to. ValueError for anything else."""
    if name == _TEXT_NAME:
        return np.array(json.loads(data), dtype=TEXT)
    if name.endswith(_PROBABILITIES):
        return np.frombuffer(data, dtype=probabilities_of(int(name.removesuffix(_PROBABILITIES))))
    return np.frombuffer(data, dtype=LABEL_WITH_CONFIDENCE if name == _WITH_CONFIDENCE else np.dtype(name))


def as_texts(answers: Answers, names: tuple[str, ...]) -> list[str]:
    """Answers as texts, one per item; the same answers always give the same texts.

    A subset is its labels joined by `|`, a label with a confidence both with a space between them, a number
    the shortest text that reads back as the same number, probabilities such texts with spaces between them. `names`
    are the labels, if there are any.
    """
    values = answers.tolist()
    if answers.dtype == LABEL_WITH_CONFIDENCE:
        return [f"{names[label]} {confidence!r}" for label, confidence in values]
    if answers.dtype == np.uint64:
        return ["|".join(name for bit, name in enumerate(names) if mask >> bit & 1) for mask in values]
    if are_probabilities(answers.dtype):
        return [" ".join(map(repr, row)) for row in values]
    if names and answers.dtype.kind != "T":
        return [names[code] for code in values]
    return [str(value) for value in values]


def from_texts(texts: Sequence[str], names: tuple[str, ...], dtype: np.dtype[Any]) -> Answers:
    """The answers that `as_texts` wrote, as an array of that type. ValueError where a text is none of them."""
    code_of = {name: code for code, name in enumerate(names)}
    try:
        if dtype == LABEL_WITH_CONFIDENCE:
            parts = [text.rpartition(" ") for text in texts]
            return np.array([(code_of[label], float(number)) for label, _, number in parts], dtype=dtype)
        if dtype == np.uint64:
            return np.array(
                [sum(1 << code_of[label] for label in text.split("|") if label) for text in texts],
                dtype=dtype,
            )
        if are_probabilities(dtype):
            return np.array([tuple(map(float, text.split(" "))) for text in texts], dtype=dtype)
        if names and dtype != TEXT:
            return np.array([code_of[text] for text in texts], dtype=dtype)
        return (
            np.array(texts, dtype=TEXT)
            if dtype == TEXT
            else np.array([float(text) for text in texts]).astype(dtype)
        )
    except KeyError as error:
        raise ValueError(f"{error} is no label.") from None


def as_codes(answers: NDArray[Any]) -> Codes:
    """Answers as whole numbers, the same for the same answer and no other: int64 of shape (n_items,).

    What is written as numbers is told apart by its bits, what is written as text by its text. Texts and rows of numbers
    have other codes in each process: whoever could foresee them would find two answers of one code, and the ledger of
    published bits would take the second for the first.
    """
    if answers.dtype.kind == "T":
        return _keyed(text.encode() for text in answers.tolist())
    if answers.dtype.names is not None:
        data, size = np.ascontiguousarray(answers).tobytes(), answers.dtype.itemsize
        return _keyed(data[start : start + size] for start in range(0, len(data), size))
    if is_continuous(answers):
        return answers.astype(np.float64).view(np.int64)
    return answers.astype(np.int64)


def _keyed(parts: Iterable[bytes]) -> Codes:
    digests = b"".join(blake2b(part, digest_size=8, key=_KEY_OF_CODES).digest() for part in parts)
    return np.frombuffer(digests, dtype=np.int64)


def is_continuous(answers: NDArray[Any]) -> bool:
    return answers.dtype.kind == "f"


def has_bit(masks: NDArray[Any], bit: int) -> NDArray[np.bool_]:
    """Which subsets hold the label of that bit."""
    return np.asarray((masks >> np.uint64(bit) & np.uint64(1)).astype(np.bool_))


def as_masks(members: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Bit masks, shape (n_items,), of a table of which item has which label, shape (n_items, n_labels)."""
    powers = np.uint64(1) << np.arange(members.shape[1], dtype=np.uint64)
    return np.asarray((members * powers).sum(axis=1, dtype=np.uint64))


def check_codes(argument: str, codes: object, label_count: int) -> int:
    """The number of codes; ValueError unless each is a whole number from 0 to `label_count` - 1."""
    array = check_shape(argument, codes, LABEL_CODES, "uint8 or uint16 label codes")
    if array.max() >= label_count:
        raise ValueError(
            f"`{argument}` must hold codes from 0 to {label_count - 1} "
            f"for {label_count} declared labels; it holds a larger one."
        )
    return len(array)


def check_shape(
    argument: str, answers: object, dtypes: tuple[np.dtype[Any], ...], expected: str
) -> NDArray[Any]:
    """The answers; ValueError unless they are an array of one dimension that is not empty and has such a type."""
    if not isinstance(answers, np.ndarray) or answers.dtype not in dtypes:
        found = answers.dtype if isinstance(answers, np.ndarray) else type(answers).__name__
        raise ValueError(f"`{argument}` must be a numpy array of {expected}; it is {found}.")
    if answers.ndim != 1:
        raise ValueError(f"`{argument}` must have one dimension; its shape is {answers.shape}.")
    if not answers.size:
        raise ValueError(f"`{argument}` must hold at least one item; it is empty.")
    return answers


def check_range(argument: str, answers: NDArray[Any], low: float, high: float, expected: str) -> None:
    """ValueError unless all lie in `low`..`high`. NaN fails too: it is neither at least `low` nor at most `high`."""
    if not (answers.min() >= low and answers.max() <= high):
        raise ValueError(f"`{argument}` must hold {expected}; it holds another value.")
