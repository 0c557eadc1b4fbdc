"""Why a submission was not taken, or could not be changed. Each says what to do next."""

import datetime as dt
from http import HTTPStatus

from accounts.formats.numbers import grouped
from benchmarks.notices.models import Terms
from submissions.intake import IntakeResult
from submissions.intake.predictions.repair import KeptRepair


class SubmissionError(Exception):
    """Base of everything below: `code` is stable, `title` heads the page that says it, `str()` is for people."""

    code = "refused"
    status = HTTPStatus.FORBIDDEN
    title = "Not taken"


class NotYourTeam(SubmissionError):
    """The person is no member of the system's team."""

    code = "not_your_team"


class FileRemoved(SubmissionError):
    """The file that was sent is gone, for a reason that the message says."""

    code = "file_removed"
    status = HTTPStatus.GONE


class FileLost(FileRemoved):
    """Nobody removed the file that was sent, and it is not where uploads are kept."""

    code = "file_lost"


class PhaseClosed(SubmissionError):
    """The phase takes no submissions at that instant."""

    code = "phase_closed"
    title = "Not taken: the phase is closed"


class WrongPhase(SubmissionError):
    """The phase takes something else: minimal pairs instead of predictions, or the other way round."""

    code = "wrong_phase"
    title = "Not taken: the phase takes something else"


class UnknownTrack(SubmissionError):
    """The benchmark has no such track."""

    code = "unknown_track"
    status = HTTPStatus.NOT_FOUND
    title = "Not taken: there is no such track"


class AwaitingApproval(SubmissionError):
    """The organisers approve teams, and have yet to approve this one."""

    code = "awaiting_approval"
    title = "Not taken yet: your team waits for approval"


class RegistrationDeclined(SubmissionError):
    """The organisers approve teams, and have declined this one."""

    code = "registration_declined"
    title = "Not taken: the organisers have declined your team"


class RegistrationClosed(SubmissionError):
    """The team has not taken part yet, and at that instant no new team may begin to."""

    code = "registration_closed"
    title = "Not taken: registration is closed"


class BannedFromBenchmark(SubmissionError):
    """The organisers keep the team, one of its members or the person from the benchmark."""

    code = "banned"
    title = "Not taken: the organisers have banned you or your team"


class RegistrationCodeNeeded(SubmissionError):
    """Teams register with a code here, and this one has yet to."""

    code = "registration_code_needed"
    title = "Not taken yet: your team registers with a code first"


class WrongRegistrationCode(SubmissionError):
    """What was typed is not the code of a benchmark of that name."""

    code = "registration_code_wrong"


class TooManyCodes(SubmissionError):
    """The person has typed as many codes as anybody may within some minutes."""

    code = "throttled"
    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, message: str, again_at: dt.datetime) -> None:
        super().__init__(message)
        self.again_at = again_at


class PhaseNotReady(SubmissionError):
    """The organiser has not loaded the gold labels of the tasks yet, so no file can be checked."""

    code = "phase_not_ready"
    status = HTTPStatus.SERVICE_UNAVAILABLE
    title = "Not taken: the phase is not ready yet"


class EmailNotConfirmed(SubmissionError):
    """The person has yet to show that an e-mail address is theirs."""

    code = "email_not_confirmed"
    title = "Not taken: your e-mail address is not confirmed yet"


class TermsNotAccepted(SubmissionError):
    """The person has yet to accept the terms of the benchmark."""

    code = "terms_not_accepted"
    title = "Not taken: the terms are not accepted yet"

    def __init__(self, message: str, terms: Terms) -> None:
        super().__init__(message)
        self.terms = terms


class SecondTeam(SubmissionError):
    """The person takes part in the benchmark with another team."""

    code = "second_team"
    status = HTTPStatus.CONFLICT
    title = "Not taken: you take part with another team"


class TooManySystems(SubmissionError):
    """The team takes part in the benchmark with as many systems as it may."""

    code = "too_many_systems"
    status = HTTPStatus.CONFLICT
    title = "Not taken: your team has too many systems here"


class QuotaUsedUp(SubmissionError):
    """The group that team and person belong to has no slot left; the next one opens at `next_slot_at`, if at all."""

    code = "quota_used_up"
    status = HTTPStatus.TOO_MANY_REQUESTS
    title = "Not taken: the quota is used up"

    def __init__(self, message: str, next_slot_at: dt.datetime | None) -> None:
        super().__init__(message)
        self.next_slot_at = next_slot_at


class TooManyChecks(SubmissionError):
    """The person has had as many files checked in this hour as are read for nothing."""

    code = "throttled"
    status = HTTPStatus.TOO_MANY_REQUESTS
    title = "Not checked: too many files in this hour"

    def __init__(self, message: str, again_at: dt.datetime) -> None:
        super().__init__(message)
        self.again_at = again_at


def found_in(what: str, problem_count: int) -> str:
    """How many problems a refused file has, in a sentence."""
    return (
        f"{grouped(problem_count)} problem was found in {what}."
        if problem_count == 1
        else f"{grouped(problem_count)} problems were found in {what}."
    )


class UploadRefused(SubmissionError):
    """The file has problems; `repair` is what can be downloaded instead, where there is one way to mend it."""

    code = "file_refused"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, result: IntakeResult, repair: KeptRepair | None = None) -> None:
        super().__init__(found_in("the upload", len(result.problems) + result.more))
        self.result = result
        self.repair = repair


class CannotChange(SubmissionError):
    """What was asked for is not possible in the submission's present status."""

    code = "cannot_change"
    status = HTTPStatus.CONFLICT
