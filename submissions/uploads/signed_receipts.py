"""The receipt of an upload: what was taken, when and for what, signed where files are taken."""

from submissions.models import Submission
from transparency.core.receipts import UploadReceipt
from transparency.instants import instant_text
from transparency.keys import KeyRole, signer_at_hand


def receipt_of(submission: Submission) -> UploadReceipt:
    """What the receipt of a submission says; it follows from its row."""
    return UploadReceipt(
        submission=str(submission.pk),
        sha256=submission.file_sha256,
        received_at=instant_text(submission.received_at),
        benchmark=submission.phase.benchmark_id,
        phase=submission.phase.slug,
    )


def signed_receipt(submission: Submission) -> str | None:
    """The receipt as a signed note; None where this process has no key for it, or cannot read it."""
    key = signer_at_hand(KeyRole.RECEIPTS)
    return receipt_of(submission).signed(key) if key else None
