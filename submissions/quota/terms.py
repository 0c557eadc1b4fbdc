"""Terms that a person accepts before the first submission to a benchmark: asked on forms, demanded of uploads."""

import datetime as dt
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from django import forms

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.notices.models import Terms
from benchmarks.notices.services import TermsChanged, accept_terms, pending_terms
from submissions.exceptions import TermsNotAccepted


def refuse_unless_accepted(benchmark: Benchmark, user: User) -> None:
    """TermsNotAccepted unless the person has accepted the terms that stand, or there are none."""
    terms = pending_terms(user, [benchmark]).get(benchmark.slug)
    if terms is not None:
        raise TermsNotAccepted(
            f"You have yet to accept the terms of {benchmark}, version {terms.version}. Read them at "
            f"/benchmarks/{benchmark.slug}/terms/; accept them on the form for uploads, with "
            f'`heldout terms {benchmark.slug} --accept`, or by POST of {{"version": {terms.version}}} to '
            f"/api/v1/benchmarks/{benchmark.slug}/terms/.",
            terms,
        )


class TermsForm(forms.Form):
    """One box to tick. Its name has the version, so that a box below an older text says nothing of a newer one."""

    # A box that a closed part of the page hides could not be pointed at, and “Check only” needs none ticked.
    use_required_attribute = False

    accept = forms.BooleanField(
        error_messages={"required": "Tick the box to submit. Without it nothing is taken for this benchmark."}
    )

    def __init__(self, terms: Terms, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, prefix=f"terms:{terms.benchmark_id}:{terms.version}:")
        self.terms = terms
        self.fields["accept"].label = f"I accept these terms of {terms.benchmark} (version {terms.version})"


class AskedTerms:
    """What a page for uploads asks to accept: one form per benchmark whose terms the person has yet to accept."""

    def __init__(self, user: User, benchmarks: Iterable[Benchmark], data: Mapping[str, Any] | None) -> None:
        self._user, self._data = user, data
        offered = {benchmark.slug: benchmark for benchmark in benchmarks}
        self.forms: dict[str, TermsForm] = {}
        for slug, terms in pending_terms(user, offered.values()).items():
            terms.benchmark = offered[slug]
            self.forms[slug] = TermsForm(terms)

    def are_accepted_for(self, benchmark: Benchmark) -> bool:
        """Whether the box for that benchmark was ticked; always, where it asks for nothing. Others say nothing."""
        asked = self.forms.get(benchmark.slug)
        if asked is None:
            return True
        self.forms[benchmark.slug] = bound = TermsForm(asked.terms, self._data or {})
        return bound.is_valid()

    def accept_for(self, benchmark: Benchmark, now: dt.datetime) -> None:
        """Note that the person accepts what was asked. Terms that change at this moment refuse the upload instead."""
        asked = self.forms.get(benchmark.slug)
        if asked is not None:
            with suppress(TermsChanged):
                accept_terms(user=self._user, benchmark=benchmark, version=asked.terms.version, now=now)
