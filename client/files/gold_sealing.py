"""An organiser's gold file, read and sealed on this machine; only what is sealed leaves it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.model import GoldState
from benchmarks.spec.tasks.gold_columns import unusable_columns
from catalogue.problems import Problem
from client.errors import ClientError
from client.files.check_data import current, shipped_spec
from client.server import Server
from submissions.intake.sealing import VaultError, key_digest
from submissions.intake.tables.gold import read_gold_file
from submissions.intake.tables.label_clues import LabelClue, label_clues, telling
from submissions.intake.tables.sealed_gold import SealedGold, seal_gold


@dataclass(frozen=True, slots=True)
class Sealing:
    """What came of a gold file: sealed labels, or what keeps them from being sealed."""

    sealed: SealedGold | None = None
    problems: Sequence[Problem] = ()
    more: int = 0
    clues: Sequence[LabelClue] = ()


def task_to_seal(benchmark: str, task: str, split: str, server: Server | None) -> TaskSpec:
    """The task as the server defines it now or, without one, as this program brings it along.

    Raises
    ------
    ClientError
        If there is no such benchmark, task or split with gold labels.
    """
    spec = current(benchmark, server)[0] if server else shipped_spec(benchmark)
    if spec is None:
        raise ClientError(
            f"This program brings no definition of {benchmark!r} along. Name the server with --server."
        )
    found = _task(spec, task)
    splits = [one.id for one in found.gold_splits]
    if split not in splits:
        raise ClientError(f"{task} has no split {split!r} with gold labels. It has {', '.join(splits)}.")
    return found


def _task(spec: BenchmarkSpec, task: str) -> TaskSpec:
    for known in spec.tasks:
        if known.id == task:
            return known
    raise ClientError(f"{spec.id} has no task {task!r}. It has {', '.join(one.id for one in spec.tasks)}.")


def key_of(server: Server) -> str:
    """The public key that a server's gold labels are sealed to. ClientError where it has none."""
    answer = server.get("gold-key/")
    key = str(answer["public_key"])
    if digest_of(key) != answer["sha256"]:
        raise ClientError("The key did not arrive as it was sent. Please try again.")
    return key


def digest_of(public_key: str) -> str:
    """The SHA-256 of a public key. ClientError where it is none."""
    try:
        return key_digest(public_key)
    except VaultError:
        raise ClientError(
            "That is no public key. Expected 32 bytes in base64, as make_gold_key prints them."
        ) from None


def seal_file_of_gold(
    path: Path, *, benchmark: str, task: TaskSpec, split: str, public_key: str, confirm_clues: bool
) -> Sealing:
    """Read a gold file as the server would, look for clues, and seal it. ClientError where it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from None
    read = read_gold_file(data, file_name=path.name, task=task, split=split)
    if read.content is None:
        return Sealing(problems=read.problems, more=read.more)
    gold = read.content.gold
    if fault := unusable_columns(task, gold.groups):
        raise ClientError(f"{path.name}: {fault}")
    is_secret = task.gold_state is GoldState.SEALED
    clues = telling(label_clues(gold.ids.ids, gold.codes)) if is_secret else []
    if clues and not confirm_clues:
        return Sealing(clues=clues)
    try:
        sealed = seal_gold(
            read.content,
            benchmark=benchmark,
            task=task,
            split=split,
            public_key=public_key,
            clues=[clue.kind for clue in clues],
        )
    except VaultError as error:
        raise ClientError(f"The labels could not be sealed to this key ({error.code}).") from None
    return Sealing(sealed=sealed, clues=clues)
