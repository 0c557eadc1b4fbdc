"""Give people their own uploads back, as files that no browser will open."""

from django.http import FileResponse

from submissions.models import Submission


def as_attachment(submission: Submission) -> FileResponse:
    """The uploaded file, byte for byte, to be saved and not shown."""
    return FileResponse(
        submission.stored_file.open("rb"),
        as_attachment=True,
        filename=submission.file_name,
        content_type="application/octet-stream",
        headers={
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store, private",
            "Content-Security-Policy": "sandbox",
        },
    )
