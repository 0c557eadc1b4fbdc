"""Gold labels sealed on an organiser's machine: one file in, what may be known of it out; its labels stay in the box.

The file is JSON. Around the box stand the public ids, the commitment, the fingerprint of the key that opens the box,
and the codes of clues that the organiser has confirmed.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from benchmarks.spec import TaskSpec
from benchmarks.spec.item_order import in_public_order
from submissions.intake.canonical import ItemIds
from submissions.intake.sealing import GoldDamagedError, GoldLabels, recipient, seal
from submissions.intake.tables.gold import GoldFile, GoldFiles
from submissions.intake.tables.label_clues import ClueKind

FORMAT = "heldout sealed gold 1"
_START = b'{"format": "heldout sealed gold'


class NotSealedGold(ValueError):
    """The bytes are no file of sealed gold labels; the message says why."""


@dataclass(frozen=True, slots=True)
class SealedGold:
    """What may be known of a file of sealed gold labels, and the box.

    Attributes
    ----------
    ids : tuple of str
        Of the items, in public order; those without a label among them, and the box alone says which these are.
    others : mapping of str to tuple of str
        By split, the ids of rows of the same file that are asked for and not scored.
    clues : tuple of str
        Codes of the clues that tell of the labels and were confirmed (`label_clues.ClueKind`).
    """

    benchmark: str
    task: str
    split: str
    ids: tuple[str, ...]
    others: Mapping[str, tuple[str, ...]]
    commitment: str
    key_fingerprint: str
    clues: tuple[str, ...]
    box: bytes = field(repr=False)

    def to_bytes(self) -> bytes:
        """The file."""
        content = {"format": FORMAT, **asdict(self), "box": b64encode(self.box).decode()}
        return (json.dumps(content, ensure_ascii=False) + "\n").encode()


def is_sealed_gold(data: bytes) -> bool:
    """Whether a file says of itself that it holds sealed gold labels."""
    return data.lstrip()[: len(_START)] == _START


def seal_gold(
    files: GoldFiles,
    *,
    benchmark: str,
    task: TaskSpec,
    split: str,
    public_key: str,
    clues: Sequence[ClueKind],
) -> SealedGold:
    """Gold labels that were read, sealed in public order. Errors as `sealing.seal`."""
    gold = _ordered(files.gold)
    labels = GoldLabels(gold.ids.ids, gold.codes, task.output.gold.labels, gold.clusters, gold.groups)
    sealed = seal(labels, public_key)
    return SealedGold(
        benchmark=benchmark,
        task=task.id,
        split=split,
        ids=tuple(in_public_order(gold.asked.ids)),
        others={slug: tuple(in_public_order(other.asked.ids)) for slug, other in files.others},
        commitment=sealed.commitment,
        key_fingerprint=sealed.key_fingerprint,
        clues=tuple(clue.value for clue in clues),
        box=sealed.ciphertext,
    )


def read_sealed_gold(data: bytes) -> SealedGold:
    """What `SealedGold.to_bytes` wrote.

    Raises
    ------
    NotSealedGold
        If it is anything else, if ids are none or stand in another order than the public one, or if the box names
        another recipient than the file.
    """
    try:
        content = json.loads(data)
    except ValueError:
        raise NotSealedGold("The file is no JSON. Expected what `heldout seal` wrote.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise NotSealedGold(f"The file does not say “{FORMAT}”. Expected what `heldout seal` wrote.")
    try:
        read = _parsed(content)
        known = recipient(read.box)
    except (KeyError, TypeError, ValueError, AttributeError, GoldDamagedError):
        raise NotSealedGold(
            "The file is damaged. Seal the gold labels again, and upload it unchanged."
        ) from None
    if known != read.key_fingerprint:
        raise NotSealedGold("The file names another key than its box. Seal the gold labels again.")
    for ids in (read.ids, *read.others.values()):
        if list(ids) != in_public_order(ids):
            raise NotSealedGold("The ids do not stand in public order. Seal the gold labels again.")
    return read


def _parsed(content: Mapping[str, Any]) -> SealedGold:
    words = {name: content[name] for name in ("benchmark", "task", "split", "commitment", "key_fingerprint")}
    if not all(isinstance(word, str) for word in words.values()):
        raise TypeError
    bytes.fromhex(words["commitment"])
    read = SealedGold(
        **words,
        ids=tuple(content["ids"]),
        others={slug: tuple(ids) for slug, ids in content["others"].items()},
        clues=tuple(ClueKind(code).value for code in content["clues"]),
        box=b64decode(content["box"], validate=True),
    )
    for ids in (read.ids, *read.others.values()):
        if not ids or len(ItemIds(ids)) != len(ids):
            raise ValueError
    if len(read.commitment) != 64:
        raise ValueError
    return replace(read, commitment=read.commitment.lower())


def _ordered(gold: GoldFile) -> GoldFile:
    place = {item: at for at, item in enumerate(gold.ids.ids)}
    ids = in_public_order(gold.ids.ids)
    return gold.in_order(ItemIds(ids), [place[item] for item in ids])
