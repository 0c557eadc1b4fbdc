"""The buttons of a benchmark that have a worker put everything into one file, and that give it."""

from typing import cast

from django.http import HttpResponse

from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark
from leaderboard.take_home.gold_to_take import gold_may_leave
from leaderboard.take_home.made_archives import as_download, order_archive, ready_archive
from submissions.exceptions import FileLost


class NotMade(Exception):
    """There is no archive to give; the message says so."""


def _order(benchmark: Benchmark) -> Question:
    gold = (
        "Every phase is over, so gold labels stand in it, beside the predictions."
        if gold_may_leave(benchmark, database_now())
        else "A phase is open, or something waits to be scored: sealed gold labels, and what is made of them, stay out."
    )
    return Question(
        title=f"Take everything about {benchmark} home",
        sentences=(
            "A worker makes one zip: every score and standing with all digits, every submission with its predictions, "
            "people with their addresses, fact sheets, items by difficulty, tables for a paper and checksums.",
            gold,
            "It can be downloaded here for a day. The audit log notes that it was made, and by whom.",
        ),
        button="Make the archive",
    )


def _give(benchmark: Benchmark) -> Done:
    order = ready_archive(benchmark)
    if order is None:
        raise NotMade(
            "No archive is kept: it was made more than a day ago. Press “Take everything home” again."
        )
    return Done(
        log="Downloaded the archive of everything.", leads_to=cast("HttpResponse", as_download(order))
    )


def _offer(benchmark: Benchmark) -> Question:
    order = ready_archive(benchmark)
    said = (
        f"Made on {in_words(order.made_at)}: {order.said}."
        if order and order.made_at
        else "No archive is kept."
    )
    return Question(
        title=f"Download everything about {benchmark}",
        sentences=(said, "It holds addresses of participants: keep it where only organisers can read it."),
        button="Download",
    )


TAKE_HOME = Ask(
    label="Take everything home",
    icon="archive",
    question=_order,
    do=order_archive,
    done="A worker makes the archive. “Download the archive” is on this page once it is there.",
    log="Asked for an archive of everything.",
)
FETCH_HOME = Ask(
    label="Download the archive",
    icon="download",
    question=_offer,
    do=_give,
    done=lambda benchmark, result: result,
    refused=(NotMade, FileLost),
    leads_back=True,
    shown=lambda benchmark: ready_archive(benchmark) is not None,
)
