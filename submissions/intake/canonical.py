"""Canonical predictions: one small integer per item, in the order of the split's public ids."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.model import LabelSet, TaskSpec
from submissions.intake.text import MAX_CELL, first_forbidden

Codes = NDArray[np.unsignedinteger[Any]]
_SPARE_BYTES = 1024 * 1024
_FORMAT = b"heldout predictions 1"


class ItemIds:
    """The public ids of one split, in the split's order. Build once per split and keep.

    Raises ValueError for an id that is empty, repeated, over 1,000 characters, or that holds a control
    character or a line break: no prediction file could name it.
    """

    __slots__ = ("encoded", "ids", "index", "size")

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids: tuple[str, ...] = tuple(ids)
        for item in self.ids:
            if not item or len(item) > MAX_CELL or first_forbidden(item):
                raise ValueError(
                    f"{item[:80]!r} cannot be an id: ids are 1 to {MAX_CELL} printable characters."
                )
        self.encoded: list[bytes] = [item.encode() for item in self.ids]
        self.index: dict[bytes, int] = {item: position for position, item in enumerate(self.encoded)}
        self.size: int = sum(map(len, self.encoded))
        if len(self.index) < len(self.ids):
            raise ValueError("An id stands twice in this split; every id must be unique.")

    def __len__(self) -> int:
        return len(self.ids)

    def to_bytes(self) -> bytes:
        """The ids as UTF-8, one a line."""
        return b"\n".join(self.encoded)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The ids that `to_bytes` wrote."""
        return cls(data.decode().split("\n") if data else ())

    @property
    def sha256(self) -> str:
        """SHA-256 of `to_bytes()`, in hexadecimal."""
        return sha256(self.to_bytes()).hexdigest()


@dataclass(frozen=True, slots=True)
class SplitTarget:
    """What one prediction file must answer."""

    task: TaskSpec
    split: str
    ids: ItemIds

    @property
    def most_bytes(self) -> int:
        """More bytes than any sensible way to write a complete answer needs; bounds the work for a hostile file."""
        longest_label = max(len(name.encode()) for name in self.task.output.names)
        return _SPARE_BYTES + 4 * (self.ids.size + len(self.ids) * (longest_label + 2))


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalPredictions:
    """A system's labels for a split: positions in `LabelSet.names`, aligned to the split's ids."""

    task: str
    split: str
    codes: Codes

    @property
    def sha256(self) -> str:
        """SHA-256 over task, split and codes, in hexadecimal: equal answers, equal digest."""
        digest = sha256(f"{self.task}\n{self.split}\n{self.codes.dtype.str}\n".encode())
        digest.update(self.codes.tobytes())
        return digest.hexdigest()

    def to_bytes(self) -> bytes:
        """A compact form for storage."""
        head = [_FORMAT, self.task.encode(), self.split.encode(), self.codes.dtype.str.encode()]
        return b"\n".join([*head, zlib.compress(self.codes.tobytes())])

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The predictions that `to_bytes` wrote. ValueError for anything else."""
        parts = data.split(b"\n", 4)
        if len(parts) < 5 or parts[0] != _FORMAT:
            raise ValueError("These bytes are not stored predictions.")
        task, split, dtype = (part.decode() for part in parts[1:4])
        return cls(task, split, np.frombuffer(zlib.decompress(parts[4]), dtype=dtype))


def code_dtype(labels: LabelSet) -> np.dtype[np.unsignedinteger[Any]]:
    """The smallest type that numbers the labels; its byte order is fixed, so digests agree everywhere."""
    return np.dtype("u1") if len(labels.names) <= 256 else np.dtype("<u2")


def content_sha256(predictions: Iterable[CanonicalPredictions]) -> str:
    """One digest over several files' answers, whatever the order and packing they came in."""
    return sha256("\n".join(sorted(item.sha256 for item in predictions)).encode()).hexdigest()
