"""Questions of participants to the organisers: asked, and answered to one or to everybody."""

import datetime as dt
from collections.abc import Sequence

from django.conf import settings
from django.db import transaction

from accounts.mail.outbox import Letter, put_in_post, tell_at_once
from accounts.models import MailKind, User
from benchmarks.models import Benchmark
from benchmarks.notices.models import ParticipantQuestion

MOST_OPEN = 3


class TooManyQuestions(Exception):
    """As many questions of a person as may wait at once do."""


def ask_organisers(*, benchmark: Benchmark, user: User, text: str, now: dt.datetime) -> ParticipantQuestion:
    """Put a question to the organisers, who get a mail. To be called outside of transactions.

    The same words that still wait are the same question.

    Raises
    ------
    TooManyQuestions
        If MOST_OPEN of the person's questions to this benchmark have no answer yet.
    """
    with transaction.atomic():
        User.objects.held(user)  # of two at once, both are counted
        waiting = ParticipantQuestion.objects.filter(benchmark=benchmark, asked_by=user, answered_at=None)
        if (same := waiting.filter(text=text.strip()).first()) is not None:
            return same
        if waiting.count() >= MOST_OPEN:
            raise TooManyQuestions(
                f"{MOST_OPEN} of your questions wait for an answer, the most that can. Please wait for one."
            )
        question = ParticipantQuestion.objects.create(
            benchmark=benchmark, asked_by=user, asked_at=now, text=text.strip()
        )
    tell_at_once(
        people=benchmark.organisers.all(),
        subject=f"{benchmark}: a participant asks",
        text=f"{question.text}\n\nTo answer:\n{settings.SITE_URL}/admin/benchmarks/participantquestion/"
        f"{question.pk}/change/",
    )
    return question


@transaction.atomic
def answer_question(
    *, participant_question: ParticipantQuestion, answer: str, public_text: str, user: User, now: dt.datetime
) -> None:
    """Answer, to everybody where `public_text` says how everybody reads the question; an answer can be mended.

    Whoever asked gets a mail with the first answer.
    """
    question = ParticipantQuestion.objects.select_for_update().get(pk=participant_question.pk)
    is_first = question.answered_at is None
    question.answer, question.public_text = answer.strip(), public_text.strip()
    question.answered_by, question.answered_at = user, question.answered_at or now
    question.save(update_fields=["answer", "public_text", "answered_by", "answered_at"])
    Benchmark.objects.filter(pk=question.benchmark_id).mark_stale()
    if is_first:
        asked = question.asked_by
        text = f"You asked:\n\n{question.text}\n\nThe organisers answer:\n\n{question.answer}"
        put_in_post(
            kind=MailKind.ORGANISER,
            about=f"question:{question.pk}",
            letters=[Letter(asked, f"{question.benchmark}: an answer to your question", text)],
            now=now,
        )


def public_questions(benchmark: Benchmark) -> Sequence[ParticipantQuestion]:
    """Those that everybody reads, the newest answer first."""
    shown = ParticipantQuestion.objects.filter(benchmark=benchmark).exclude(public_text="")
    return list(shown.order_by("-answered_at", "-pk"))
