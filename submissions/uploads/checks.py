"""What is wrong with where a deployment keeps uploads."""

from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.core.files.storage import default_storage
from django.db import Error as DatabaseError

_NEWEST = 20


@register(Tags.security, deploy=True)
def uploads_are_here(**_: Any) -> list[CheckMessage]:
    """A machine whose folder has none of the newest files has another folder than the machines that took them."""
    from submissions.models import Submission  # models are not there yet when checks are registered
    from submissions.uploads.storage import upload_storage

    storage = upload_storage()
    if storage.folder is None:
        return []  # a bucket has one place for all; whether it answers, /readyz says
    kept = Submission.objects.filter(file_removed_at=None).exclude(stored_file="")
    try:
        newest = list(kept.order_by("-received_at").values_list("stored_file", flat=True)[:_NEWEST])
    except DatabaseError:
        return []  # whether it can be reached is not asked here
    if not newest or any(map(default_storage.exists, newest)):
        return []
    return [
        Error(
            f"Of the {len(newest)} newest uploads of the database none is in {storage.place}.",
            hint="Machines that share a database share a folder of uploads too, or a bucket: HELDOUT_UPLOADS_URL.",
            id="submissions.E001",
        )
    ]
