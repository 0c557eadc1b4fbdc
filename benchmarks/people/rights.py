"""What each role may do: the one place that says so."""

from enum import Enum, auto

from allauth.account.models import EmailAddress

from accounts.models import User
from benchmarks.people.models import BenchmarkRole, Role


class Right(Enum):
    """Something that pages and buttons ask for."""

    READ = auto()  # the organisers' pages
    RUN = auto()  # buttons, dates, texts, participants
    GOLD = auto()  # pages about gold labels and what tells of them
    LABEL = auto()  # contested labels: look and vote
    GIVE_ROLES = auto()
    DELETE = auto()


RIGHTS: dict[Role, frozenset[Right]] = {
    Role.OWNER: frozenset(Right),
    Role.ORGANISER: frozenset({Right.READ, Right.RUN, Right.GOLD, Right.LABEL}),
    Role.ANNOTATOR: frozenset({Right.LABEL}),
    Role.READER: frozenset({Right.READ}),
}


def roles_with(right: Right) -> list[Role]:
    """The roles that have a right."""
    return [role for role, rights in RIGHTS.items() if right in rights]


def may_begin_drafts(user: User) -> bool:
    """Whether somebody may begin a benchmark that nobody else sees: they have confirmed an e-mail address."""
    return bool(EmailAddress.objects.filter(user=user.pk, verified=True).exists())


def holds_a_role(user: User) -> bool:
    """Whether somebody has any role in any benchmark."""
    return BenchmarkRole.objects.filter(user=user.pk).exists()
