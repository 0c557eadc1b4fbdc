"""Put a published board, a private one and somebody who may upload and see both into an empty database.

Prints their token.

Run: HELDOUT_DATA=FOLDER python -m tests.faults.board
What the board says from then on: HELDOUT_DATA=FOLDER python -m tests.faults.board HTML
"""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from accounts.models import ApiToken, User  # noqa: E402  # models can be imported only once Django is set up
from benchmarks.models import Benchmark  # noqa: E402  # models can be imported only once Django is set up
from benchmarks.people.models import BenchmarkRole, Role  # noqa: E402  # models can be imported only once Django is set up
from leaderboard.models import Page, Printing  # noqa: E402  # models can be imported only once Django is set up
from tests.migrated import migrate  # noqa: E402  # it needs models, for which Django is set up first
from tests.pages import body_of  # noqa: E402  # it needs models, for which Django is set up first

BOARD, PRIVATE = "/benchmarks/toy/", "/benchmarks/private/"
HTML = b"<p>The board.</p>"


def _put() -> None:
    migrate()
    private = Benchmark.objects.create(slug="private", title="Private", visibility="private")
    for path, benchmark in (("/", None), (BOARD, None), (PRIVATE, private)):
        Page.objects.create(
            path=path, benchmark=benchmark, content_type="text/html", stored=body_of(HTML), printing=1
        )
    user = User.objects.create(email="ada@example.org")
    BenchmarkRole.objects.create(benchmark=private, user=user, role=Role.READER)
    print(ApiToken.objects.create(user)[1])


def _say(html: str) -> None:
    printing, _ = Printing.objects.get_or_create(pk=1)
    printing.number += 2
    printing.save()
    Page.objects.filter(path=BOARD).update(stored=body_of(html.encode()), printing=printing.number)


if __name__ == "__main__":
    if said := sys.argv[1:]:
        _say(*said)
    else:
        _put()
