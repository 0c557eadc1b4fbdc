"""Check a log and what is published by it without believing the server: signatures, tree, chain, digests, scores."""

import csv
import io
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from client.errors import ClientError
from client.log.scores import PREDICTIONS, ScoreCheck
from client.log.sources import LogSource
from submissions.intake.membership import membership_digest
from transparency.core.canonical import canonical_json
from transparency.core.checkpoints import TreeHead, read_checkpoint
from transparency.core.merkle import leaf_hash, tree_root
from transparency.core.receipts import UploadReceipt
from transparency.core.signed_notes import BadNote, Verifier

_PATIENCE = 6.0  # seconds until a live server has signed what it has just published
_TRIES = 3

Entry = Mapping[str, Any]


@dataclass(slots=True)
class Findings:
    """What does not fit, in sentences, and how much was looked at."""

    wrong: list[str] = field(default_factory=list)
    entry_count: int = 0
    release_count: int = 0
    page_count: int = 0
    commitment_count: int = 0
    score_count: int = 0
    removed_count: int = 0


class Audit:
    """One look at a log.

    Parameters
    ----------
    verifier
        The key that checkpoints must be signed with.
    since
        An older checkpoint, as it was once read or mailed; None where there is none.
    benchmark
        Whose releases and pages are looked at; empty for all.
    """

    def __init__(self, source: LogSource, verifier: Verifier, *, since: str | None, benchmark: str) -> None:
        self._source, self._verifier = source, verifier
        self._since, self._benchmark = since, benchmark
        self.findings = Findings()
        self.head = TreeHead(0, b"")
        self._leaves: list[bytes] = []
        self._entries: list[Entry] = []

    def run(self) -> Findings:
        """Everything that can be checked.

        Raises
        ------
        ClientError
            If something cannot be read.
        BadNote
            If a checkpoint is not signed with the key.
        """
        self._read_log()
        wrong = self.findings.wrong
        if self._since is not None:
            wrong += self._older_differences(self._since)
        wrong += self._key_differences()
        wrong += self._chain_differences()
        wrong += self._page_differences()
        wrong += self._renewal_differences()
        wrong += self._commitment_differences()
        wrong += self._score_differences()
        return self.findings

    def has_receipt(self, receipt: UploadReceipt) -> bool:
        """Whether the closing of a batch names the receipt."""
        return any(
            receipt.digest in entry["receipts"]
            for entry in self._of("batch")
            if entry["phase"] == receipt.phase
        )

    def _read_log(self) -> None:
        self.head = read_checkpoint(self._source.checkpoint(), self._verifier)
        self._entries = list(self._source.entries(self.head.size))
        self._leaves = [leaf_hash(_canonical(entry)) for entry in self._entries]
        self.findings.entry_count = len(self._entries)
        if tree_root(self._leaves) != self.head.root:
            raise BadNote(f"The {self.head.size} entries are not those that the checkpoint was signed for.")

    def _older_differences(self, note: str) -> Iterator[str]:
        old = read_checkpoint(note, self._verifier)
        if old.size > self.head.size:
            yield f"The log has lost entries: {old.size} were signed before, {self.head.size} are now."
        elif tree_root(self._leaves[: old.size]) != old.root:
            yield f"The history was rewritten: the first {old.size} entries are others than were signed before."

    def _key_differences(self) -> Iterator[str]:
        named = [entry["verifier"] for entry in self._of("key") if entry["role"] == "log"]
        if named and named[-1] != str(self._verifier):
            yield f"The log says that its key is {named[-1]}, and the checkpoint is signed by {self._verifier}."

    def _chain_differences(self) -> Iterator[str]:
        last: dict[str, tuple[int, int]] = {}
        for index, entry in enumerate(self._entries):
            if entry["kind"] != "release" or not self._is_asked(entry):
                continue
            self.findings.release_count += 1
            called = f"{entry['benchmark']}, release {entry['release']}"
            before = last.get(entry["benchmark"])
            named = before and {"index": before[0], "leaf": self._leaves[before[0]].hex()}
            if entry["before"] != named:
                yield f"{called}: its entry does not name the release before it."
            if before and entry["release"] != before[1] + 1:
                yield f"{called}: it does not follow release {before[1]}."
            last[entry["benchmark"]] = index, entry["release"]

    def _page_differences(self) -> list[str]:
        """What is wrong with pages; those that a server publishes at this moment are looked at again."""
        wrong = self._wrong_pages(self._digests())
        tries = 1
        while wrong and self._source.is_live and tries < _TRIES:
            time.sleep(_PATIENCE)
            tries += 1
            self._read_log()
            wrong = self._wrong_pages({path: self._digests().get(path) for path in wrong})
        return list(wrong.values())

    def _wrong_pages(self, digests: Mapping[str, str | None]) -> dict[str, str]:
        wrong = {}
        for path, digest in digests.items():
            if digest is None:
                continue
            data = self._source.page(path)
            self.findings.page_count += 1
            if data is None:
                wrong[path] = f"{path} is not there."
            elif sha256(data).hexdigest() != digest:
                wrong[path] = f"{path} is not what entered the log: it was changed in silence."
        return wrong

    def _digests(self) -> dict[str, str | None]:
        """What the newest entry about each page says; of one benchmark, if one was asked for."""
        digests: dict[str, str | None] = {}
        asked: set[str] = set()
        for entry in self._entries:
            pages = entry.get("pages", {})
            digests |= pages
            asked |= pages.keys() if self._is_asked(entry) else set()
        return {path: digest for path, digest in digests.items() if path in asked}

    def _renewal_differences(self) -> Iterator[str]:
        """Renewals that do not fit the gold labels before and after them."""
        gold: dict[tuple[str, str, str], dict[int, Entry]] = defaultdict(dict)
        for entry in self._of("gold"):
            gold[_gold_version(entry)[:3]][entry["version"]] = entry
        for entry in self._of("renewal"):
            benchmark, task, split, version = _gold_version(entry)
            versions = gold[benchmark, task, split]
            after = versions.get(version)
            before = versions.get(max((number for number in versions if number < version), default=version))
            called = f"renewed items of {benchmark}, {task}/{split}"
            if after is None or before is None or before is after:
                yield f"{called}: the log has no gold labels from before or from after them."
            elif (before["ids"], after["ids"]) != (entry["former"], entry["ids"]):
                yield f"{called}: gold labels {version} are of other items than the renewal says."
            elif (before["items"], after["items"]) != (
                entry["retired"] + entry["anchors"],
                entry["new"] + entry["anchors"],
            ):
                yield f"{called}: the numbers of items are others than the renewal says."

    def _commitment_differences(self) -> Iterator[str]:
        committed = {_gold_version(entry): entry for entry in self._of("gold")}
        for entry in self._of("opening"):
            gold = committed.get(_gold_version(entry))
            called = "gold labels {3} of {0}, {1}/{2}".format(*_gold_version(entry))
            if gold is None or gold["commitment"] != entry["commitment"]:
                yield f"{called}: they were opened under a commitment that the log does not have."
                continue
            data, salt = self._gold(entry), bytes.fromhex(entry["salt"])
            if data is None:
                yield f"{called}: they are said to be public, and are not there."
            elif sha256(salt + data).hexdigest() != entry["commitment"]:
                yield f"{called}: the public labels are NOT those that were committed to."
            elif gold["clusters"] and _membership_digest(salt, data, entry) != gold["clusters"]:
                yield f"{called}: the groups of items are NOT those that were committed to."
            self.findings.commitment_count += 1

    def _score_differences(self) -> Iterator[str]:
        gold = {_gold_version(entry): entry for entry in self._of("opening")}
        for entry in self._of("predictions"):
            data = self._source.page(PREDICTIONS.format(**entry))
            if data is None or sha256(data).hexdigest() != entry["sha256"]:
                yield f"{entry['benchmark']}, release {entry['release']}: the published predictions are others."
                continue
            check = ScoreCheck(entry["benchmark"], entry["release"], data, self._source.page)
            yield from check.differences(lambda *version: self._opened(gold.get(version)))
            self.findings.score_count += check.score_count
            self.findings.removed_count += check.removed

    def _opened(self, opening: Entry | None) -> tuple[bytes, Entry] | None:
        labels = self._gold(opening) if opening else None
        return (labels, opening) if labels and opening else None

    def _gold(self, entry: Entry) -> bytes | None:
        return self._source.page("/benchmarks/{}/gold/{}/{}/{}.csv".format(*_gold_version(entry)))

    def _of(self, kind: str) -> Iterator[Entry]:
        return (entry for entry in self._entries if entry["kind"] == kind and self._is_asked(entry))

    def _is_asked(self, entry: Entry) -> bool:
        return entry["benchmark"] == self._benchmark or not self._benchmark or entry["kind"] == "key"


def _gold_version(entry: Entry) -> tuple[str, str, str, int]:
    return entry["benchmark"], entry["task"], entry["split"], entry["version"]


def _membership_digest(salt: bytes, labels: bytes, opening: Entry) -> str:
    """The digest of clusters and groups that the log has from when they were sealed, for the items of the labels."""
    ids = [row[0] for row in csv.reader(io.StringIO(labels.decode(), newline=""))][1:]
    try:
        return membership_digest(salt, ids, opening["clusters"], opening.get("groups", {}))
    except ValueError:  # of another number of items
        return ""


def _canonical(entry: Entry) -> bytes:
    try:
        return canonical_json(dict(entry))
    except ValueError as error:
        raise ClientError(f"An entry of the log cannot be read: {error}") from None
