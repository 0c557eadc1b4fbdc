"""All that is kept of a person, as a zip: a JSON file for each table, and the files that they sent."""

import json
import tempfile
import zipfile
from pathlib import PurePath
from shutil import copyfileobj
from typing import IO

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from leaderboard.personal_data.holdings import HOLDINGS
from submissions.exceptions import FileRemoved
from submissions.models import Submission
from submissions.systems.file_removals import sent_file

README = """This is what {site} keeps about {email}.

account.json is your account. Each other JSON file is a table: its rows that name you. The folder files holds what you
have uploaded, by the ids of submissions.json, but what was removed since. Passwords and tokens are kept as hashes only.
"""
_ACCOUNT = (
    "name", "email", "timezone", "date_joined", "last_login",
    "mail_publication", "mail_failure", "mail_organiser", "mail_operation",
)  # fmt: skip

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def personal_data(user: User, site: str) -> IO[bytes]:
    """The zip for one person, as a file that is gone once it is closed. In place of a file that is gone it says why."""
    buffer = tempfile.TemporaryFile()  # noqa: SIM115  # whoever sends it closes it
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_place("README.txt"), README.format(site=site, email=user.email))
        archive.writestr(_place("account.json"), _json({name: getattr(user, name) for name in _ACCOUNT}))
        for holding in HOLDINGS:
            if holding.fields:
                rows = holding.rows_of(user)
                found = list(rows.order_by(*holding.fields).values(*holding.fields))
                name = str(rows.model._meta.verbose_name_plural).replace(" ", "_")  # noqa: SLF001  # documented by Django under this name
                archive.writestr(_place(f"{name}.json"), _json(found))
        sent = Submission.objects.filter(submitted_by=user).exclude(stored_file="")
        for submission in sent.order_by("received_at", "file_sha256"):
            place = _place(f"files/{submission.pk}-{PurePath(submission.file_name).name}")
            try:
                file = sent_file(submission)
            except FileRemoved as gone:
                archive.writestr(_place(f"files/{submission.pk}-gone.txt"), f"{gone}\n")
                continue
            with archive.open(place, "w") as target, file:
                copyfileobj(file, target)
    buffer.seek(0)
    return buffer


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _place(name: str) -> zipfile.ZipInfo:
    """A member of the zip; the same rows give the same bytes, whenever they are asked for."""
    place = zipfile.ZipInfo(name, _FIRST_DAY)
    place.compress_type = zipfile.ZIP_DEFLATED
    return place
