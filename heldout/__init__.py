"""Check predictions for hidden test sets and send them, from a notebook or a script.

    import heldout

    answers = {"banking_77": {"50": "age_limit", ...}, ...}
    print(heldout.check(answers, benchmark="raft"))
    receipt = heldout.submit(answers, phase="raft/main", system="My system")
    print(heldout.result(receipt.id))

Address and token are those that `heldout login` has stored, or HELDOUT_URL and HELDOUT_TOKEN. What is said about
predictions is what the server would say: the same code reads them here and there.
"""

from client.errors import ClientError, Refused
from heldout.predictions import check, submit
from heldout.results import CheckResult, NotAccepted, SubmissionReceipt, SystemResult
from heldout.session import login, result, status
from submissions.intake import Cause, Problem

__all__ = [
    "Cause",
    "CheckResult",
    "ClientError",
    "NotAccepted",
    "Problem",
    "Refused",
    "SubmissionReceipt",
    "SystemResult",
    "check",
    "login",
    "result",
    "status",
    "submit",
]
