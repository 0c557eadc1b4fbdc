"""Put a published board and somebody who may upload into an empty database; prints their token.

Run: HELDOUT_DATA=FOLDER python -m tests.faults.board
"""

import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()

from accounts.models import ApiToken, User  # noqa: E402  # as above
from leaderboard.models import Page  # noqa: E402  # as above
from tests.migrated import migrate  # noqa: E402  # settings are read above
from tests.pages import body_of  # noqa: E402  # settings are read above

BOARD = "/benchmarks/toy/"
HTML = b"<p>The board.</p>"

if __name__ == "__main__":
    migrate()
    for path in ("/", BOARD):
        Page.objects.create(path=path, content_type="text/html", stored=body_of(HTML), printing=1)
    print(ApiToken.objects.create(User.objects.create(email="ada@example.org"))[1])
