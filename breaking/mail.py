"""Mail to those who run a benchmark."""

from django.conf import settings

from accounts.mail.outbox import tell_at_once
from benchmarks.models import Benchmark


def tell_organisers(benchmark: Benchmark, subject: str, text: str, path: str) -> None:
    """Mail the benchmark's organisers, with the address of a page of this site at the end.

    Call it outside of transactions.
    """
    tell_at_once(
        people=benchmark.organisers.all(),
        subject=f"{benchmark}: {subject}",
        text=f"{text}\n\n{settings.SITE_URL}{path}",
    )
