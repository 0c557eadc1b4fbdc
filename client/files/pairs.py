"""A breaker's file of pairs, held against the server's starter data with the server's own code."""

from hashlib import sha256

from benchmarks.spec import BenchmarkSpec, BreakRuleSpec, TaskSpec
from client.errors import ClientError
from client.files.check_data import current
from client.files.packing import Upload
from client.server import Server
from client.store import Store
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.minimal_pairs import MinimalPair, makes_pairs, read_minimal_pairs
from submissions.intake.pairs.starter_data import StarterFile, read_starter


def check_pairs(upload: Upload, benchmark: str, task: str, server: Server) -> FileRead[list[MinimalPair]]:
    """What the server would find in a file of pairs.

    Raises
    ------
    ClientError
        If the benchmark has no such task or no starter data for it, or the server cannot be asked.
    """
    spec, _ = current(benchmark, server)
    rule = spec.break_rule or BreakRuleSpec()
    task_spec = _task(spec, task)
    starter = _starter(spec, task_spec, server)
    return read_minimal_pairs(
        upload.data,
        file_name=upload.file_name,
        task=task_spec,
        starter=starter.pairs,
        kept=starter.kept,
        from_scratch=rule.from_scratch,
        needs_rationale=rule.needs_rationale,
        categories=rule.categories,
    )


def _task(spec: BenchmarkSpec, task: str) -> TaskSpec:
    tasks = {known.id: known for known in spec.tasks if makes_pairs(known)}
    if task not in tasks:
        known = ", ".join(tasks) or "none"
        raise ClientError(f"{spec.id} has no task {task!r} that pairs are made of. There is: {known}.")
    return tasks[task]


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
