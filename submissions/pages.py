"""What participants' pages are given: the upload form, lists, confirmations, and forms for systems and teams."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.paginator import Page

from accounts.models import Membership, Team, User
from accounts.page_content import PageContent
from benchmarks.models import Benchmark, Phase
from submissions.fact_sheets.forms import AskedFactSheets, FactSheetForm
from submissions.forms import FilterForm, SubmitForm, SystemForm
from submissions.guides.phase_guides import Guide
from submissions.models import Submission, System
from submissions.quota.slots import Quota
from submissions.quota.terms import AskedTerms
from submissions.systems.status_texts import StatusView


@dataclass(frozen=True)
class BenchmarkChoice:
    """An open phase, and what of its quota is left in each of the reader's teams."""

    phase: Phase
    quotas: Sequence[Quota]

    @property
    def upload(self) -> str:
        """What is sent there, in a few words."""
        count = len({task for task, _ in self.phase.taking().places})
        return (
            "one file" if count == 1 else f"a zip with a file for each of {count} tasks, or one of them alone"
        )


@dataclass(frozen=True, kw_only=True)
class ChooseBenchmarkPage(PageContent):
    """Which benchmark a file is for, where several take one. `last` is what the reader sent last, if it is open still.

    `closed` is the benchmark that a link named and that takes nothing at present, so that nobody sends its file to
    another one. `system` is the id of the system that a link named. `breaking` are the open phases that take minimal
    pairs. Of very many, `choices` are those that the reader's teams have sent something to and some more, and `others`
    the rest.
    """

    template = "submissions/choose_benchmark.html"
    section = "submit"
    choices: Sequence[BenchmarkChoice]
    others: Sequence[Benchmark]
    last: Submission | None
    system: str
    closed: Benchmark | None
    breaking: Sequence[Phase]


@dataclass(frozen=True, kw_only=True)
class SubmitPage(PageContent):
    """The form for an upload to one benchmark, or the steps that lead to it.

    `choices` are the open phases, `guides` those whose files can be checked, `quotas` one per open phase and team,
    `breaking` the open phases that take minimal pairs. `waiting` are the submissions of the reader's teams that wait
    for a cut-off, the latest with what a further file would mean for it, and how many more there are. `only` is the
    benchmark; None where none is open. `closed` is the one that a link named and that takes nothing at present.
    """

    template = "submissions/submit.html"
    section = "submit"
    form: SubmitForm
    sheets: AskedFactSheets
    terms: AskedTerms
    teams: Sequence[Team]
    has_system: bool
    quotas: Sequence[Quota]
    choices: Sequence[BenchmarkChoice]
    guides: Sequence[Guide]
    breaking: Sequence[Phase]
    waiting: Sequence[tuple[Submission, str]]
    more_waiting: int
    only: Benchmark | None
    closed: Benchmark | None


@dataclass(frozen=True, kw_only=True)
class SubmissionsPage(PageContent):
    """A page of the submissions of all the reader's teams; each knows whether it `is_chosen`."""

    template = "submissions/list.html"
    section = "submissions"
    filter: FilterForm
    page: Page[Submission]
    lines: Sequence[tuple[Submission, StatusView]]


@dataclass(frozen=True)
class WithdrawPage(PageContent):
    """What withdrawing a submission means: whether its slot is given back."""

    template = "submissions/withdraw.html"
    section = "submissions"
    submission: Submission
    gives_slot_back: bool


@dataclass(frozen=True, kw_only=True)
class FactSheetPage(PageContent):
    """The form for what a system is made of; `is_missing` where it has said nothing yet. `next` may be empty."""

    template = "submissions/fact_sheet.html"
    section = "account"
    form: FactSheetForm
    system: System
    benchmark: Benchmark
    is_missing: bool
    next: str


@dataclass(frozen=True, kw_only=True)
class SystemFormPage(PageContent):
    """The form that enters a system, or describes one anew.

    Of a system that is entered already there are its `name` and `team` before the form changes them, and the benchmarks
    `asking` for a fact sheet.
    """

    template = "submissions/system_form.html"
    section = "account"
    form: SystemForm
    has_team: bool
    next: str = ""
    system: System | None = None
    name: str = ""
    team: Team | None = None
    asking: Iterable[Benchmark] = ()


@dataclass(frozen=True, kw_only=True)
class TeamPage(PageContent):
    """A team's owner, members, systems (each knows whether it `is_public`) and invitation link, with when that ends."""

    template = "teams/team.html"
    section = "account"
    team: Team
    owner: User | None
    memberships: Iterable[Membership]
    systems: Iterable[System]
    invitation: str
    invitation_ends_at: dt.datetime | None


@dataclass(frozen=True)
class JoinPage(PageContent):
    """The team that a link invites to, and why one cannot join it, or empty."""

    template = "teams/join.html"
    section = "account"
    team: Team
    refusal: str


@dataclass(frozen=True)
class InvitationInvalidPage(PageContent):
    """What to do with a link that lets nobody join."""

    template = "teams/invitation_invalid.html"
    section = "account"
