"""Mail to those who run a benchmark."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.mail import send_mail

from benchmarks.models import Benchmark

logger = logging.getLogger(__name__)


def tell_organisers(benchmark: Benchmark, subject: str, text: str, path: str) -> None:
    """Mail the benchmark's organisers, with the address of a page of this site at the end.

    Call it outside of transactions. The pages say the same, so a mail server that is down holds nothing up.
    """
    organisers = list(benchmark.organisers.values_list("email", flat=True))
    if not organisers:
        return
    # A line break in a name would end the header, and with it the mail.
    subject = " ".join(f"{benchmark}: {subject}".split())
    try:
        send_mail(subject, f"{text}\n\n{settings.SITE_URL}{path}\n", None, organisers)
    except OSError as error:
        logger.warning("mail to the organisers of %s was not sent: %s", benchmark.pk, type(error).__name__)
