"""Canonical predictions: one value per item, in the order of the split's public ids."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.answers import AnswerKind, Answers
from catalogue.answers.arrays import array_from_bytes, array_to_bytes, dtype_name
from catalogue.answers.reading import AnswerReader
from catalogue.item_lines import Tokens, id_and_tokens, item_line
from catalogue.layouts.text_lines import MAX_CELL, first_forbidden
from submissions.intake import bit_planes
from submissions.intake.id_places import MOST_BYTES, IdPlaces

_SPARE_BYTES = 1024 * 1024
_FORMAT = b"heldout predictions 1"
_BY_BITS = b"heldout predictions 2"  # of whole numbers that are never negative
_SEED = " seed "  # no split's id has a space


def _as_id(text: str) -> bytes:
    if not text or len(text) > MAX_CELL or first_forbidden(text):
        raise ValueError(f"{text[:80]!r} cannot be an id: ids are 1 to {MAX_CELL} printable characters.")
    return text.encode()


class ItemIds:
    """The public ids of one split, in the split's order. Build once per split and keep.

    `tokens` are those of each item where answers label tokens; they are as public as the ids.

    Raises ValueError for an id that is empty, repeated, over 1,000 characters, or that holds a control
    character or a line break: no prediction file could name it.
    """

    __slots__ = (
        "_ids",
        "_index",
        "_longest",
        "_places",
        "_tokens_of",
        "encoded",
        "size",
        "token_count",
        "tokens",
    )

    def __init__(self, ids: Iterable[str], tokens: Sequence[Tokens] = ()) -> None:
        self.encoded: list[bytes] = list(map(_as_id, ids))
        lengths = list(map(len, self.encoded))
        self.size: int = sum(lengths)
        self._longest = max(lengths, default=0)
        self._ids: tuple[str, ...] | None = None
        self._index: dict[bytes, int] | None = None
        self._places: IdPlaces | None = None
        self.tokens = tuple(tokens)
        self.token_count = sum(map(len, self.tokens))
        self._tokens_of: dict[str, Tokens] | None = None
        if self.tokens:
            self.size += sum(len(token.encode()) for token in chain.from_iterable(self.tokens))
        if len(set(self.encoded)) < len(self.encoded):
            raise ValueError("An id stands twice in this split; every id must be unique.")

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids as texts, which a file without faults is read without: of a million they are a large part of all."""
        if self._ids is None:
            self._ids = tuple(item.decode() for item in self.encoded)
        return self._ids

    @property
    def index(self) -> dict[bytes, int]:
        """Where each id stands; made when first asked for, since most files without faults are read without it."""
        if self._index is None:
            self._index = {item: position for position, item in enumerate(self.encoded)}
        return self._index

    def places_of(self, found: Sequence[bytes]) -> NDArray[np.intp] | None:
        """Where each of these ids stands, shape (len(found),); None unless all were found."""
        if self._longest > MOST_BYTES:
            places = list(map(self.index.get, found))
            return None if None in places else np.array(places, dtype=np.intp)
        if self._places is None:
            self._places = IdPlaces(self.encoded)
        return self._places.find(found)

    def __len__(self) -> int:
        return len(self.encoded)

    @property
    def tokens_of(self) -> Mapping[str, Tokens]:
        """The tokens by id; empty where items have none."""
        if self._tokens_of is None:
            self._tokens_of = dict(zip(self.ids, self.tokens, strict=True)) if self.tokens else {}
        return self._tokens_of

    def to_bytes(self) -> bytes:
        """The ids as UTF-8, one a line, each with its tokens if there are any."""
        if self.tokens:
            return "\n".join(map(item_line, self.ids, self.tokens)).encode()
        return b"\n".join(self.encoded)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The ids that `to_bytes` wrote."""
        items = list(map(id_and_tokens, data.decode().split("\n"))) if data else []
        tokens = [of_item for _, of_item in items]
        return cls([item for item, _ in items], tokens if any(tokens) else ())

    @property
    def sha256(self) -> str:
        return sha256(self.to_bytes()).hexdigest()


@lru_cache(maxsize=256)
def joined(*parts: ItemIds) -> ItemIds:
    """The ids of several splits that share a file, one split after the other. Kept, as the parts are."""
    if len(parts) == 1:
        return parts[0]
    return ItemIds(
        [item for part in parts for item in part.ids], [one for part in parts for one in part.tokens]
    )


@lru_cache(maxsize=512)
def answer_reader(output: AnswerKind, file: FileFormat) -> AnswerReader:
    """What reads answers of that kind in files of that format, the same for all of them."""
    return explaining_reader(output, file)


def explaining_reader(output: AnswerKind, file: FileFormat) -> AnswerReader:
    """What reads one file and explains it; with how many labels it compares unknown ones is counted by file."""
    return output.reader(file.label_column, file.also_written)


@dataclass(frozen=True, slots=True)
class SplitTarget:
    """What a system must answer: one split of one task."""

    task: TaskSpec
    split: str
    ids: ItemIds

    @property
    def path(self) -> str:
        """Where the file that answers it stands in a zip."""
        return self.task.path_of(self.split)


@dataclass(frozen=True, slots=True)
class FileTarget:
    """What one task's file must answer: a split, or several that share the file."""

    task: TaskSpec
    splits: tuple[SplitTarget, ...]

    @property
    def ids(self) -> ItemIds:
        """The ids of all the splits, in their order."""
        return joined(*(split.ids for split in self.splits))

    @property
    def most_bytes(self) -> int:
        """More bytes than any sensible way to write a complete answer needs; bounds the work for a hostile file."""
        file = self.task.file
        answers = answer_reader(self.task.output, file)
        answer = answers.longest + 8 * len(answers.columns)  # who sends numbers for 0 and 1 is told so
        unread = MAX_CELL * max(0, len(file.columns) - len(file.id_columns) - len(answers.columns))
        unread += file.layout.unread_bytes
        count = max(len(self.ids), self.ids.token_count)
        return _SPARE_BYTES + 4 * (self.ids.size + count * answer) + count * unread


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalPredictions:
    """A system's answers for a split, aligned to the split's ids: the canonical array of the task's output.

    `codes` holds label positions where the answer is one label; `catalogue.answers` says what it is otherwise.
    `seed` counts the seeds that the system was trained with, from 1.
    """

    task: str
    split: str
    codes: Answers
    seed: int = 1

    @property
    def sha256(self) -> str:
        digest = sha256(f"{self.task}\n{self._place}\n{dtype_name(self.codes)}\n".encode())
        digest.update(array_to_bytes(self.codes))
        return digest.hexdigest()

    def to_bytes(self) -> bytes:
        """A compact form for storage."""
        about = [self.task.encode(), self._place.encode(), dtype_name(self.codes).encode()]
        if self.codes.dtype.kind == "u":
            return b"\n".join([_BY_BITS, *about, b"%d" % len(self.codes), bit_planes.packed(self.codes)])
        return b"\n".join([_FORMAT, *about, zlib.compress(array_to_bytes(self.codes))])

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The predictions that `to_bytes` wrote. ValueError for anything else."""
        layout, *parts = data.split(b"\n", 4)
        if len(parts) < 4 or layout not in (_FORMAT, _BY_BITS):
            raise ValueError("These bytes are not stored predictions.")
        task, place, dtype = (part.decode() for part in parts[:3])
        split, _, seed = place.partition(_SEED)
        if layout == _BY_BITS:
            count, _, planes = parts[3].partition(b"\n")
            codes: Answers = bit_planes.unpacked(planes, int(count), np.dtype(dtype))
        else:
            codes = array_from_bytes(zlib.decompress(parts[3]), dtype)
        return cls(task, split, codes, int(seed or 1))

    @property
    def _place(self) -> str:
        """The split, with the seed only where it is not the first: what has one seed keeps its digest."""
        return self.split if self.seed == 1 else f"{self.split}{_SEED}{self.seed}"


def content_sha256(predictions: Iterable[CanonicalPredictions]) -> str:
    """One digest over several files' answers, whatever the order and packing they came in."""
    return sha256("\n".join(sorted(item.sha256 for item in predictions)).encode()).hexdigest()


_FIRST_LINE = 4096


def layout_of(data: bytes, own: FileFormat, others: Sequence[FileFormat]) -> FileFormat:
    """The layout that has most of the column names in the file's first line; `own` where none has more."""
    first = data[:_FIRST_LINE].partition(b"\n")[0].decode("utf-8-sig", errors="replace").casefold()

    def names_found(file: FileFormat) -> int:
        cells = {cell.strip().strip('"') for cell in first.split(file.delimiter)}
        return len(cells & {name.casefold() for name in file.header})

    return max((own, *others), key=names_found)


def as_written(target: FileTarget, data: bytes) -> FileTarget:
    """The target with the layout that the file has."""
    task, others = target.task, target.task.also_files
    return replace(target, task=replace(task, file=layout_of(data, task.file, others))) if others else target


def gold_as_written(task: TaskSpec, data: bytes) -> TaskSpec:
    """The task with the layout that its gold file has."""
    others = task.also_files
    return replace(task, gold_file=layout_of(data, task.gold, others)) if others else task
