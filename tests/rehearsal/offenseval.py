"""Makes the folder of a rehearsal from the facts of an event in plain files (../shared/cases/event_offenseval)."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PERIODS = {"in_all": "total", "per_day_and_task": "per_day"}


def write_offenseval(case: Path, folder: Path) -> None:
    """The event of `case` as benchmark.yaml, gold/, uploads/, uploads.json and expected.json in `folder`."""
    for name in ("gold", "uploads"):
        shutil.copytree(case / name, folder / name)
    for name in ("uploads.json", "expected.json"):
        shutil.copy(case / name, folder / name)
    event = json.loads((case / "event.json").read_text("utf-8"))
    # JSON is YAML.
    (folder / "benchmark.yaml").write_text(json.dumps(_definition(event)), "utf-8")


def _definition(event: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": "offenseval",
        "title": event["title"],
        "summary": "Offence, its target and whom it targets.",
        "url": "https://example.org/",
        "citation": "Made up.",
        "bundle": {"files": "any"},
        "tasks": [_task(task) for task in event["tasks"]],
        "phases": [_phase(phase, one_per_team=event["one_row_per_team"]) for phase in event["phases"]],
    }


def _task(task: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": task["id"],
        "code": task["id"].upper(),
        "title": task["title"],
        "summary": f"{task['title']}; items: {task['items']}.",
        "instructions": "Give the label of each item.",
        "licence": "Made up.",
        "citation": "Made up.",
        "labels": task["labels"],
        "splits": [{"id": "dev", "title": "Development"}, {"id": "test", "title": "Test"}],
        "file": {
            "path": f"labels-level{task['id']}.csv",
            "headerless": True,
            "id_column": "id",
            "label_column": "label",
        },
        "metrics": [{"name": "f1_macro", "title": "Macro F1"}],
    }


def _phase(phase: Mapping[str, Any], *, one_per_team: bool) -> dict[str, Any]:
    quota = {PERIODS[period]: most for period, most in phase["quota"].items()}
    weekly = {"when": "weekly", "weekday": "monday", "time": "00:00"}
    return {
        "id": phase["id"],
        "opens": phase["opens"],
        **(
            {"closes": phase["closes"], "release": {"when": "at-close"}}
            if phase["closes"]
            else {"release": weekly}
        ),
        "counting": phase["counting"],
        "one_per_team": one_per_team,
        "targets": [{"task": task, "split": phase["split"], "quota": quota} for task in phase["tasks"]],
    }
