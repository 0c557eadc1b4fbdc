"""Canonical arrays of every kind as bytes: equal answers, equal bytes, on every machine."""

from __future__ import annotations

import json

import numpy as np

from catalogue.answers import LABEL_WITH_CONFIDENCE, Answers

_WITH_CONFIDENCE = "label with confidence"
_TEXT = "text"


def dtype_name(values: Answers) -> str:
    """What `array_from_bytes` must be told to read the bytes of this array."""
    if values.dtype == LABEL_WITH_CONFIDENCE:
        return _WITH_CONFIDENCE
    return _TEXT if values.dtype.kind == "T" else values.dtype.str


def array_to_bytes(values: Answers) -> bytes:
    """The answers as bytes; the byte order is that of the array's own type."""
    if values.dtype.kind == "T":
        return json.dumps(values.tolist(), ensure_ascii=False, separators=(",", ":")).encode()
    return values.tobytes()


def array_from_bytes(data: bytes, name: str) -> Answers:
    """The array that `array_to_bytes` wrote. Numbers cannot be written to. ValueError for anything else."""
    if name == _TEXT:
        return np.array(json.loads(data), dtype=np.dtypes.StringDType())
    dtype = LABEL_WITH_CONFIDENCE if name == _WITH_CONFIDENCE else np.dtype(name)
    return np.frombuffer(data, dtype=dtype)
