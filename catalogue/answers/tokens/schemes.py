"""How labels of tokens mark entities: what prefixes there are, and which runs of labels are an entity.

Rules are told in signs: `B>I=` means an I behind a B of the same type, `B>I!` of another type, `B>I` of any; `*` is any
prefix. O is the prefix of a token outside. Letters that mean the same are one: L is an E, U is an S.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

OUTSIDE = "O"
_PREFIXES = "OBIES"
_SAME_AS = {"L": "E", "U": "S"}
_MARKS = tuple(f"{prefix}-" for prefix in "BIESLU")

# Prefixes and types of tokens, item after item with an O behind each: whole numbers of shape (n_tokens + n_items,).
Codes = NDArray[np.intp]
Flags = NDArray[np.bool_]


class Scheme(StrEnum):
    """How entities are marked; two names may mean one way."""

    IOB1 = "iob1"
    IOB2 = "iob2"
    BIO = "bio"
    BIOES = "bioes"
    IOBES = "iobes"
    BILOU = "bilou"

    def __repr__(self) -> str:
        return repr(self.value)

    @property
    def prefixes(self) -> str:
        """The letters before types, in the order in which labels are listed."""
        return {"bioes": "BIES", "iobes": "BIES", "bilou": "BILU"}.get(self, "BI")

    @property
    def rules(self) -> "Rules":
        """Which runs of labels are an entity by the letter of the scheme."""
        if self in (Scheme.IOB2, Scheme.BIO):
            return _IOB2
        return _IOB1 if self is Scheme.IOB1 else _BIOES


class Spans(NamedTuple):
    """Where entities begin and where they have ended, in the order of the tokens."""

    starts: Codes
    stops: Codes


class Rules:
    """Which token begins an entity, which goes on with one, and behind which one ends."""

    def __init__(self, *, begins: str, goes_on: str, ends: str) -> None:
        self._begins, self._goes_on, self._ends = map(_table, (begins, goes_on, ends))

    def spans(self, prefixes: Codes, types: Codes) -> Spans:
        """The entities. A run that begins as one and does not end as one is none."""
        places = np.arange(len(prefixes))
        before = np.concatenate([[0], prefixes[:-1]])
        is_same = (types == np.concatenate([[0], types[:-1]])).astype(np.intp)
        begins, goes_on, ends = (
            table[before, prefixes, is_same] for table in (self._begins, self._goes_on, self._ends)
        )
        # Within a run of tokens that go on there is an entity from the first that begins one.
        last_begin = np.maximum.accumulate(np.where(begins, places, -1))
        last_break = np.maximum.accumulate(np.where(goes_on, -1, places))
        is_within = np.concatenate([[False], (last_begin >= last_break)[:-1]])
        starts = np.flatnonzero(begins & ~(goes_on & is_within))
        breaks = np.flatnonzero(~goes_on)
        stops = breaks[np.searchsorted(breaks, starts, side="right")] if len(starts) else starts
        is_ended = ends[stops]
        return Spans(starts[is_ended], stops[is_ended])


def mark_entities(labels: Iterable[str]) -> bool:
    """True for labels of tokens that are `O` or, at least one of them, a prefix of any scheme with a type."""
    marks = set(labels) - {OUTSIDE}
    return bool(marks) and all(label[:2] in _MARKS and len(label) > 2 for label in marks)


def scheme_of(items: Iterable[Sequence[str]]) -> Scheme:
    """The scheme that labels of tokens are in: by their letters and, where these are B and I, by how entities begin.

    In IOB2 every entity begins with B; in IOB1 only one behind another of its type does.
    """
    is_iob2 = True
    for labels in items:
        for before, label in pairwise((OUTSIDE, *labels)):
            if label[:2] in ("L-", "U-"):
                return Scheme.BILOU
            if label[:2] in ("E-", "S-"):
                return Scheme.BIOES
            if label[:2] == "I-" and before[2:] != label[2:]:
                is_iob2 = False
    return Scheme.IOB2 if is_iob2 else Scheme.IOB1


def prefix_code(label: str) -> int:
    """What the label's prefix counts as."""
    return _PREFIXES.index(_SAME_AS.get(label[0], label[0]))


def _table(signs: str) -> Flags:
    """By the prefix before, the prefix of the token, and whether the types are the same: shape (5, 5, 2)."""
    table = np.zeros((len(_PREFIXES), len(_PREFIXES), 2), dtype=np.bool_)
    for sign in signs.split():
        before, _, after = sign.rstrip("=!").partition(">")
        rows, columns = (slice(None) if one == "*" else _PREFIXES.index(one) for one in (before, after))
        table[rows, columns, {"=": slice(1, 2), "!": slice(0, 1)}.get(sign[-1], slice(None))] = True
    return table


_ON = "B>I= I>I="
_IOB1 = Rules(begins="O>I B>I I>I! I>B= B>B=", goes_on=_ON, ends="I>I! I>O I>B B>O B>I! B>B=")
_IOB2 = Rules(begins="*>B", goes_on=_ON, ends="I>O I>I! I>B B>O B>I! B>B")
_BIOES = Rules(begins="*>B *>S", goes_on=f"{_ON} B>E= I>E=", ends="E>* S>*")
# As conlleval reads whatever prefixes: what goes on with nothing begins an entity.
CONLL = Rules(begins="*>B *>S O>I O>E E>I E>E S>I S>E *>I! *>E!", goes_on=f"{_ON} B>E= I>E=", ends="*>*")
