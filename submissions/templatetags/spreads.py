"""The spread of a submission's answers, for its own page."""

from typing import Any

from django import template

from submissions.models import Submission
from submissions.uploads.answer_distributions import spreads_of

register = template.Library()


@register.inclusion_tag("submissions/_spreads.html")
def spread_of_answers(submission: Submission) -> dict[str, Any]:
    return {"spreads": spreads_of(submission)}
