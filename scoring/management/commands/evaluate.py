"""Score prediction files against gold labels that you have yourself; the database is not needed."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

import benchmarks
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from scoring.file_refusal import FileRefused
from scoring.management.find import TableCommand
from scoring.reproduction.evaluation import (
    Evaluation,
    evaluate_file,
    evaluate_files,
    zipped,
)

DEFINITIONS = Path(benchmarks.__file__).parent / "definitions"


class Command(TableCommand):
    help = "Score predictions against gold labels on this machine. No database is needed."
    requires_system_checks: list[str] = []  # Django's own type

    arguments = {
        "benchmark": {"help": "its id, such as raft, or the path of a definition (.yaml)"},
        "task": {"nargs": "?", "help": "one task; needed where a single file is given"},
        "--gold": {"type": Path, "required": True, "help": "a gold file, or a folder of them"},
        "--predictions": {"type": Path, "required": True, "help": "a file, a zip, or a folder"},
        "--split": {"default": "test", "help": "what a single gold file holds (default: test)"},
        "--pairs": {"action": "store_true", "help": "count minimal pairs (ids such as 7_a, 7_b)"},
        "--json": {"action": "store_true", "help": "print JSON; exit status 1 if refused"},
    }

    def handle(self, *args: Any, benchmark: str, task: str | None, **options: Any) -> None:
        spec = self._spec(benchmark)
        if task is not None and task not in {each.id for each in spec.tasks}:
            known = ", ".join(each.id for each in spec.tasks)
            raise CommandError(f"There is no task {benchmark}/{task}. Known tasks: {known}.")
        try:
            evaluation = self._evaluate(spec, task, **options)
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from None
        except FileRefused as refused:
            if not refused.problems:
                raise CommandError(str(refused)) from None
            self._print_problems(refused, as_json=options["json"])
            raise SystemExit(1) from None
        self._print(evaluation, as_json=options["json"])

    def _spec(self, benchmark: str) -> BenchmarkSpec:
        is_own = benchmark.endswith(".yaml")
        path = Path(benchmark) if is_own else DEFINITIONS / f"{benchmark}.yaml"
        known = sorted(file.stem for file in DEFINITIONS.glob("*.yaml"))
        if not (is_own or benchmark in known):
            raise CommandError(f"There is no benchmark {benchmark}. Known benchmarks: {', '.join(known)}.")
        try:
            return load_definition(path.read_text(encoding="utf-8"), path.name)
        except (DefinitionError, UnicodeDecodeError) as error:
            raise CommandError(f"{benchmark} is no definition:\n{error}") from None
        except OSError as error:
            raise CommandError(f"{benchmark} cannot be read: {error.strerror}.") from None

    def _evaluate(
        self,
        spec: BenchmarkSpec,
        task: str | None,
        *,
        gold: Path,
        predictions: Path,
        split: str,
        pairs: bool,
        **_: Any,
    ) -> Evaluation:
        is_zip = predictions.suffix == ".zip"
        if task is None and (gold.is_file() or (predictions.is_file() and not is_zip)):
            raise CommandError("A single file answers one task: name the task after the benchmark.")
        if predictions.is_dir():
            upload = (f"{predictions.name}.zip", zipped(_files(predictions)))
        else:
            upload = (predictions.name, predictions.read_bytes())
        if gold.is_dir():
            only = (task,) if task else ()
            return evaluate_files(spec, gold=_files(gold), predictions=upload, only=only, pairs=pairs)
        return evaluate_file(
            spec,
            spec.task(task or ""),
            gold=(gold.name, gold.read_bytes()),
            predictions=upload,
            split=split,
            pairs=pairs,
        )

    def _print_problems(self, refused: FileRefused, *, as_json: bool) -> None:
        if as_json:
            document = {"problems": [problem.as_dict() for problem in refused.problems], "more": refused.more}
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))
            return
        for problem in refused.problems:
            line = f", line {problem.line}" if problem.line else ""
            column = f", column {problem.column}" if problem.column else ""
            self.stderr.write(f"{problem.file}{line}{column}: {problem.message} [{problem.code}]")
        if refused.more:
            self.stderr.write(f"{refused.more:,} further problems were found.")

    def _print(self, evaluation: Evaluation, *, as_json: bool) -> None:
        document = evaluation.document
        for sentence in evaluation.skipped:
            self.stderr.write(f"Not scored: {sentence}")
        if as_json:
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))
            return
        for task, splits in document["tasks"].items():
            for split, metrics in splits.items():
                for metric, cell in metrics.items():
                    self.stdout.write(f"{task:<34} {split:<8} {metric:<24} {_shown(cell)}")
        for name, cell in document["aggregates"].items():
            self.stdout.write(f"{name:<34} {'':<8} {'average':<24} {_shown(cell)}")


def _files(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _shown(cell: dict[str, Any]) -> str:
    if cell["value"] is None:
        return f"undefined ({cell['undefined']})"
    ends = f"  [{cell['ci_low']:.4f}, {cell['ci_high']:.4f}]" if "ci_low" in cell else ""
    return f"{cell['value']:.10f}{ends}"
