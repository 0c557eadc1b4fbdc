"""The spread of a submission's answers, for its own page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.utils.safestring import SafeString

from accounts.page_content import PageContent
from submissions.models import Submission
from submissions.uploads.answer_distributions import Spread, spreads_of

register = template.Library()


@dataclass(frozen=True)
class PrintedSpreads(PageContent):
    """The spreads as a part of a page."""

    template = "submissions/_spreads.html"
    spreads: Sequence[Spread]


@register.simple_tag
def spread_of_answers(submission: Submission) -> SafeString:
    return PrintedSpreads(spreads_of(submission)).text()
