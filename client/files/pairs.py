"""A breaker's file of pairs, held against the server's starter data with the server's own code."""

from hashlib import sha256
from pathlib import Path

from benchmarks.spec import BenchmarkSpec, BreakRuleSpec, TaskSpec
from client.errors import ClientError
from client.files.check_data import current_spec
from client.files.packing import Upload, read_upload_at
from client.server import Server
from client.store import Store
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.minimal_pairs import MinimalPair, makes_pairs, read_minimal_pairs
from submissions.intake.pairs.starter_data import StarterFile, read_starter


def read_pairs_at(path: Path) -> Upload:
    """The file as it is; ClientError if there is none, or none that could be read."""
    if path.is_dir():
        raise ClientError(f"{path} is a folder. Pairs are handed in as one file for each task.")
    return read_upload_at(path)


def check_pairs(upload: Upload, benchmark: str, task: str, server: Server) -> FileRead[list[MinimalPair]]:
    """What the server would find in a file of pairs.

    Raises
    ------
    ClientError
        If the benchmark has no such task or no starter data for it, or the server cannot be asked.
    """
    spec = current_spec(benchmark, server)
    rule = spec.break_rule or BreakRuleSpec()
    starter = _starter(spec, _task(spec, task), server)
    return read_minimal_pairs(
        upload.data,
        file_name=upload.file_name,
        task=_task(spec, task),
        starter=starter.pairs,
        kept=starter.kept,
        from_scratch=rule.from_scratch,
        needs_rationale=rule.needs_rationale,
    )


def _task(spec: BenchmarkSpec, task: str) -> TaskSpec:
    tasks = [one for one in spec.tasks if makes_pairs(one)]
    found = next((one for one in tasks if one.id == task), None)
    if found is None:
        known = ", ".join(one.id for one in tasks) or "none"
        raise ClientError(f"{spec.id} has no task {task!r} that pairs are made of. There is: {known}.")
    return found


def _starter(spec: BenchmarkSpec, task: TaskSpec, server: Server) -> StarterFile:
    """The starter data, fetched only if they have changed since they were stored."""
    store, name = Store(server.url, spec.id), f"starter-{task.id}"
    stored = (store.read(name) or {}).get("csv")
    known = stored.encode() if isinstance(stored, str) else b""
    try:
        newer = server.download_newer(
            f"benchmarks/{spec.id}/starter/{task.id}.csv", sha256(known).hexdigest()
        )
    except ClientError as error:
        raise ClientError(f"{error} Perhaps the organiser has not loaded the starter data yet.") from None
    data = known if newer is None else newer
    read = read_starter(data, file_name=f"the starter data of {task.id}", task=task)
    if read.content is None:
        raise ClientError(f"{server.url} has starter data of {task.id} that this program cannot read.")
    if newer is not None:
        store.write(name, {"csv": newer.decode()})
    return read.content
