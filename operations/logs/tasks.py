"""Messages to workers carry the id of what sent them, and what a worker does for one is written under that id."""

from contextvars import Token
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun

from operations.logs import request_ids

HEADER = "request_id"
_RUNNING: dict[str, Token[str]] = {}


@before_task_publish.connect(weak=False)
def give_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None:
        headers.setdefault(HEADER, request_ids.current() or request_ids.new_id())


@task_prerun.connect(weak=False)
def take_id(task_id: str = "", task: Any = None, **_: Any) -> None:
    given = getattr(task.request, HEADER, None) or (task.request.headers or {}).get(HEADER)
    _RUNNING[task_id] = request_ids.begin(given or request_ids.new_id())


@task_postrun.connect(weak=False)
def drop_id(task_id: str = "", **_: Any) -> None:
    if token := _RUNNING.pop(task_id, None):
        request_ids.end(token)
