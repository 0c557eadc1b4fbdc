"""The Celery application: two queues, a few questions asked again and again."""

import gc
import os
import resource
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from celery import Celery, Task
from celery.signals import worker_init, worker_process_init
from django.conf import settings

import operations.logs.tasks  # noqa: F401  # importing it has messages carry the id of a request
from config.database import Process
from config.processes.heaps import keep_freed_arrays

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if "celery" in sys.argv[0]:  # and not a command or a web server, which import this as well
    os.environ.setdefault("HELDOUT_PROCESS", Process.WORKER)
    # Workers take all cores between them: where others are at work, threads of one that wait for each other lose more
    # than they gain.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Each duty is a task of its own with its own time limit. How many seconds pass from one round to the next:
SWEEPS = {
    "close_due": 2.0,
    "breaking": 10.0,
    "return_lapsed": 10.0,
    "settle_campaigns": 10.0,
    "train_models": 10.0,
    "ask_models": 1.0,
    "check_deliveries": 10.0,
    "enqueue_due": 10.0,
    "give_feedback": 2.0,
    "score_ahead": 30.0,
    "finish_batches": 2.0,
    "publish_ready": 10.0,
    "enter_in_ledger": 10.0,
    "refresh_stale": 10.0,
    "watch_batches": 10.0,
    "make_next_tests": 10.0,
    "sign_log": 10.0,
    "send_mail": 30.0,
    "tell_webhooks": 10.0,
    "remove_files": 60.0,
    "make_archives": 10.0,
    "rehearse": 5.0,
    "check_invariants": 300.0,
    "forget": 3600.0,
    "pack_pages": 3600.0,
    "scrub": 600.0,
    "back_up": 60.0,
    "watch_server": 60.0,
}


class BoundedTask(Task):  # type: ignore[type-arg]  # of which the running code knows nothing
    """A task that finds no memory fails like any other; by itself, Celery ends the worker with all its processes."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        except MemoryError:
            raise RuntimeError(f"{self.name} takes more memory than a process of a worker may") from None


app = Celery("heldout", task_cls=BoundedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    # The database is the queue of record: a message is a hint that may be lost or come twice.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    task_time_limit=300,
    task_soft_time_limit=240,
    broker_connection_timeout=1,
    broker_connection_retry_on_startup=True,
    worker_hijack_root_logger=False,
    task_create_missing_queues=True,
    # The questions have a queue of their own, so that a backlog of scoring cannot starve them.
    task_routes={"heldout.sweep.*": {"queue": "sweep"}},
    beat_scheduler="accounts.server.beat:SteadyScheduler",
    beat_schedule={
        name: {
            "task": f"heldout.sweep.{name}",
            "schedule": seconds,
            # A question is asked anew before long: while no worker is there to answer, the old ones must not pile up.
            "options": {"expires": 0.9 * seconds},
        }
        for name, seconds in SWEEPS.items()
    },
)
app.autodiscover_tasks(related_name="jobs")


@worker_init.connect
def load_ahead(**details: Any) -> None:
    """Before its children are made: they share what is loaded, and none spends its first submission or release on it.

    Statistics for scores, and all addresses of the site for pages. All of it stays, so none looks there for garbage.
    """
    for module in ("scipy.sparse", "scipy.special", "scipy.stats", settings.ROOT_URLCONF):
        import_module(module)
    gc.freeze()
    keep_freed_arrays()


@worker_process_init.connect
def bound_memory(**details: Any) -> None:
    """What takes more memory than a process may have fails by itself, and the machine keeps running."""
    if most := settings.MEMORY_MB * 2**20:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@app.on_after_configure.connect
def create_broker_folders(sender: Any, **details: Any) -> None:
    """The filesystem transport wants its folders to be there, also after somebody has cleared them away."""
    for name, value in settings.CELERY_BROKER_TRANSPORT_OPTIONS.items():
        if "folder" in name:
            Path(value).mkdir(parents=True, exist_ok=True)
