"""What a check needs: the benchmark's definition and the ids of its tasks, shipped, stored or fetched."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.spec import BenchmarkSpec, PhaseKind, SplitSpec, Taking, taken_elsewhere
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import build_spec, load_definition
from client.errors import ClientError
from client.server import Server
from client.store import Store
from submissions.intake import Elsewhere, ItemIds, SplitTarget

TEST = "test"
SplitIds = dict[tuple[str, str], ItemIds]
_BENCHMARK = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class CheckData:
    """A benchmark with the targets whose ids are known, in the order of its tasks."""

    spec: BenchmarkSpec
    targets: tuple[SplitTarget, ...]
    # By task and split, where predictions belong that are none of the targets.
    elsewhere: Mapping[tuple[str, str], Elsewhere] = field(default_factory=dict)


class Progress(NamedTuple):
    """How far a benchmark has come since its definition was written.

    What each phase takes by its id, with its kind; and by task the id, title and file of every set it has.
    """

    phases: Mapping[str, tuple[PhaseKind, Taking]]
    sets: Mapping[str, list[tuple[str, str, str]]]

    def with_made_splits(self, spec: BenchmarkSpec) -> BenchmarkSpec:
        made = {}
        for task in spec.tasks:
            named = {split.id for split in task.splits}
            made[task.id] = [
                SplitSpec(one, title, file=file, made=True)
                for one, title, file in self.sets.get(task.id, [])
                if one not in named
            ]
        return spec.with_splits(made)


def for_check(
    benchmark: str, *, ids: Path | None, server: Server | None, phase: str | None = None
) -> CheckData:
    """What a check needs, without the network wherever that is possible; for one phase where that is named.

    Raises
    ------
    ClientError
        If something is neither there nor to be had, or the phase takes no predictions.
    """
    _check_name(benchmark)
    spec = _stored_spec(benchmark, server) or shipped_spec(benchmark) or _fetched_spec(benchmark, server)
    if ids is not None:
        return CheckData(spec, tuple(_targets(spec, _by_split(spec, _ids_from(ids, spec)))))
    if server is None:
        raise ClientError(
            "The ids of the test items are needed. Run `heldout login URL` once to have them fetched, "
            "or give a folder of <task>.txt files with --ids."
        )
    digests, progress = _stored_digests(benchmark, server), _stored_progress(benchmark, server)
    if not digests or progress is None:
        digests, progress = _told(server.benchmark(benchmark), benchmark, server)
    return _material(spec, digests, progress, server, phase)


def for_submit(benchmark: str, server: Server, phase: str | None = None) -> CheckData:
    """As `for_check`, brought up to date with the server first: one request where nothing has changed."""
    spec, now = current(benchmark, server)
    return _material(spec, *_told(now, benchmark, server), server, phase)


def _material(
    spec: BenchmarkSpec, digests: Mapping[str, Any], progress: Progress, server: Server, phase: str | None
) -> CheckData:
    spec = progress.with_made_splits(spec)
    ids = _ids_of(spec, digests, server)
    targets = _targets(spec, ids)
    # The server has the last word on a phase that is not known here.
    kind, own = progress.phases.get(phase or "", (PhaseKind.PREDICTIONS, None))
    if kind is PhaseKind.BREAK:
        raise ClientError(
            f"The phase {phase} takes minimal pairs, not predictions: see `heldout pairs --help`."
        )
    if own is None:
        return CheckData(spec, tuple(targets))
    return CheckData(
        spec,
        tuple(target for target in targets if (target.task.id, target.split) in own.places),
        {
            place: Elsewhere(sentence, ids.get(place))
            for place, sentence in taken_elsewhere(
                own, (other for _, other in progress.phases.values())
            ).items()
        },
    )


def current(benchmark: str, server: Server) -> tuple[BenchmarkSpec, Mapping[str, Any]]:
    """The benchmark as it is defined now, and what else the server says of it. ClientError where it says nothing."""
    _check_name(benchmark)
    now = server.benchmark(benchmark)
    stored = _stored_spec(benchmark, server, sha256=now["definition_sha256"])
    return stored or _fetched_spec(benchmark, server), now


def _told(now: Mapping[str, Any], benchmark: str, server: Server) -> tuple[dict[str, Any], Progress]:
    """By task and split the digest of ids, None where there are none, and the progress; stored for the next time."""
    digests = {
        task["id"]: {split["id"]: split["ids_sha256"] for split in task["splits"]} for task in now["tasks"]
    }
    progress = {
        "phases": {
            phase["name"].partition("/")[2]: [
                phase["title"],
                phase["kind"],
                [[split["task"], split["split"]] for split in phase["splits"]],
                phase.get("takes", "predictions"),
            ]
            for phase in now["phases"]
        },
        "sets": {
            task["id"]: [[split["id"], split["title"], split["file_path"]] for split in task["splits"]]
            for task in now["tasks"]
        },
    }
    store = Store(server.url, benchmark)
    store.write("splits", digests)
    store.write("progress", progress)
    return digests, _progress_of(progress)


def _stored_progress(benchmark: str, server: Server) -> Progress | None:
    stored = Store(server.url, benchmark).read("progress")
    try:
        return _progress_of(stored) if stored else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _progress_of(document: Mapping[str, Any]) -> Progress:
    return Progress(
        {
            slug: (PhaseKind(kind), Taking(title, frozenset((task, split) for task, split in places), words))
            for slug, (title, kind, places, words) in document["phases"].items()
        },
        {
            task: [(split, title, file) for split, title, file in sets]
            for task, sets in document["sets"].items()
        },
    )


def _stored_digests(benchmark: str, server: Server) -> dict[str, Any] | None:
    stored = Store(server.url, benchmark).read("splits") or {}
    return stored if all(isinstance(splits, dict) for splits in stored.values()) else None


def _ids_of(spec: BenchmarkSpec, digests: Mapping[str, Any], server: Server) -> SplitIds:
    """The ids of every split that has some, stored or fetched; splits with the same ones share them."""
    found: SplitIds = {}
    by_digest: dict[str, ItemIds] = {}
    for task in spec.tasks:
        for split in task.splits:
            digest = digests.get(task.id, {}).get(split.id)
            if digest is None:
                continue
            if digest not in by_digest:
                stored = _stored_ids(task.id, split.id, spec.id, server)
                is_current = stored is not None and stored.sha256 == digest
                by_digest[digest] = (
                    stored if stored and is_current else _fetched_ids(task.id, split.id, spec.id, server)
                )
            found[task.id, split.id] = by_digest[digest]
    return found


def _fetched_ids(task: str, split: str, benchmark: str, server: Server) -> ItemIds:
    document = server.get(f"benchmarks/{benchmark}/tasks/{task}/ids/", split=split)
    ids = _item_ids(document.get("ids"), f"the ids of {task} from {server.url}", document.get("tokens"))
    if ids.sha256 != document.get("sha256") or document.get("split") != split:
        raise ClientError(f"The ids of {task} did not arrive as they were sent. Please try again.")
    Store(server.url, benchmark).write(_stored_name(task, split), document)
    return ids


def _stored_name(task: str, split: str) -> str:
    return f"ids-{task}" if split == TEST else f"ids-{task}.{split}"


def _check_name(benchmark: str) -> None:
    if not _BENCHMARK.fullmatch(benchmark):
        raise ClientError(f"{benchmark!r} is no benchmark's name. Expected one such as raft.")


def _stored_spec(benchmark: str, server: Server | None, sha256: str | None = None) -> BenchmarkSpec | None:
    stored = Store(server.url, benchmark).read("definition") if server else None
    if stored is None or (sha256 is not None and stored.get("sha256") != sha256):
        return None
    try:
        return build_spec(stored["definition"], benchmark)
    except (DefinitionError, KeyError, TypeError, AttributeError):
        return None


def shipped_spec(benchmark: str) -> BenchmarkSpec | None:
    """The definition that this program brings along; None where it brings none."""
    try:
        # `definitions` is no package, and an editable installation knows packages only.
        text = files("benchmarks.spec").joinpath("..", "definitions", f"{benchmark}.yaml").read_text("utf-8")
    except FileNotFoundError:
        return None
    return load_definition(text, f"{benchmark}.yaml")


def _fetched_spec(benchmark: str, server: Server | None) -> BenchmarkSpec:
    if server is None:
        raise ClientError(
            f"This program brings no definition of {benchmark!r} along, and no server is known to ask. "
            "Run `heldout login URL`."
        )
    sha256 = server.benchmark(benchmark)["definition_sha256"]
    definition = server.get(f"benchmarks/{benchmark}/definition/")
    try:
        spec = build_spec(definition, benchmark)
    except DefinitionError:
        raise ClientError(
            f"{server.url} defines {benchmark} in a way that this program does not know. Please update it."
        ) from None
    Store(server.url, benchmark).write("definition", {"sha256": sha256, "definition": definition})
    return spec


def _stored_ids(task: str, split: str, benchmark: str, server: Server) -> ItemIds | None:
    stored = Store(server.url, benchmark).read(_stored_name(task, split))
    try:
        return ItemIds(stored["ids"], list(map(tuple, stored.get("tokens", ())))) if stored else None
    except (ValueError, KeyError, TypeError):
        return None


def _ids_from(path: Path, spec: BenchmarkSpec) -> dict[str, ItemIds]:
    """Ids by task, from a folder of <task>.txt files or from one JSON file."""
    try:
        if not path.is_dir():
            return _ids_from_json(json.loads(path.read_text(encoding="utf-8")), path)
        found = {task.id: path / f"{task.id}.txt" for task in spec.tasks}
        texts = {task: file.read_text(encoding="utf-8-sig") for task, file in found.items() if file.is_file()}
    except (OSError, ValueError) as error:
        raise ClientError(f"{path} cannot be read: {error}.") from None
    if not texts:
        raise ClientError(
            f"{path} holds no ids. Expected files such as {spec.tasks[0].id}.txt, one id a line."
        )
    return {
        task: _item_ids(text.rstrip("\n").split("\n"), f"{path / task}.txt") for task, text in texts.items()
    }


def _ids_from_json(document: Any, path: Path) -> dict[str, ItemIds]:
    if isinstance(document, dict) and "task" in document:
        document = {document["task"]: document.get("ids")}
    if not isinstance(document, dict):
        raise ClientError(f"{path} holds no ids. Expected a mapping from task to a list of ids.")
    return {str(task): _item_ids(ids, f"{path}, {task}") for task, ids in document.items()}


def _item_ids(ids: Any, place: str, tokens: Any = None) -> ItemIds:
    if not isinstance(ids, list) or not all(isinstance(item, str) for item in ids):
        raise ClientError(f"{place}: expected a list of ids as texts.")
    try:
        return ItemIds(ids, list(map(tuple, tokens or ())))
    except (ValueError, TypeError) as error:
        raise ClientError(f"{place}: {error}") from None


def _by_split(spec: BenchmarkSpec, ids: Mapping[str, ItemIds]) -> SplitIds:
    """The ids of each task's test file by split: those that another split claims are its own, the rest attacks' too."""
    found: SplitIds = {}
    for task in spec.tasks:
        parts: dict[str, list[str]] = {}
        for item in ids[task.id].ids if task.id in ids else ():
            claimed = task.split_of(item)
            parts.setdefault(claimed.id if claimed else TEST, []).append(item)
        found |= {(task.id, split): ItemIds(items) for split, items in parts.items()}
        if TEST in parts:
            found |= {(task.id, split.id): found[task.id, TEST] for split in task.splits if split.attack}
    return found


def _targets(spec: BenchmarkSpec, ids: SplitIds) -> Iterable[SplitTarget]:
    return (
        SplitTarget(task, split.id, ids[task.id, split.id])
        for task in spec.tasks
        for split in task.splits
        if (task.id, split.id) in ids
    )
