"""Who takes part in a benchmark: each person with one team, and each team with so many systems."""

import datetime as dt

from allauth.account import app_settings
from allauth.account.app_settings import EmailVerificationMethod
from django.conf import settings
from django.db import transaction

from accounts.models import Team, User
from accounts.services import accept_invitation, read_invitation
from accounts.sign_in.addresses import has_confirmed_address
from submissions.exceptions import EmailNotConfirmed, SecondTeam, TooManySystems
from submissions.models import Submission
from submissions.quota.groups import link_member


def refuse_unconfirmed(user: User) -> None:
    """EmailNotConfirmed unless an address of the person is confirmed, where the server asks anybody to confirm one."""
    is_asked = app_settings.EMAIL_VERIFICATION != EmailVerificationMethod.NONE
    if is_asked and not has_confirmed_address(user):
        raise EmailNotConfirmed(
            f"Your e-mail address {user.email} is not confirmed yet, and nothing is taken before. Follow the link that "
            f"was sent to it; {settings.SITE_URL}/accounts/email/ sends it again. Then send the file once more."
        )


def refuse_second_team(submission: Submission) -> None:
    """SecondTeam if another team that the person is a member of has answered the benchmark.

    Baselines of organisers are no answers. The person is locked, so that of two uploads at once only one is the first.
    """
    if submission.quota_window_ends_at is None:
        return
    user = submission.submitted_by
    User.objects.held(user)
    benchmark = submission.phase.benchmark
    answers = Submission.objects.answers().filter(phase__benchmark=benchmark)
    elsewhere = answers.exclude(system__team=submission.system.team_id)
    elsewhere = elsewhere.filter(system__team__memberships__user=user)
    if elsewhere.exists():  # asked alone, because it seldom is so and a row is dearer
        present = elsewhere.select_related("system__team")[0]
        raise SecondTeam(
            f"You belong to the team {present.system.team}, which has submitted to {benchmark}, and a "
            "person takes part in a benchmark with one team. Submit this for a system of "
            f"{present.system.team}, or leave that team first. Where neither is right, please ask the "
            "organisers."
        )


def refuse_more_systems(submission: Submission) -> None:
    """TooManySystems if the system is new to the benchmark, and the team has as many there as it may."""
    if submission.quota_window_ends_at is None:
        return
    benchmark, team = submission.phase.benchmark, submission.system.team_id
    answers = Submission.objects.answers().filter(phase__benchmark=benchmark, system__team=team)
    systems = set(answers.order_by().values_list("system", flat=True).distinct())
    if submission.system_id not in systems and len(systems) >= settings.MOST_SYSTEMS:
        raise TooManySystems(
            f"Your team takes part in {benchmark} with as many systems as a team may "
            f"({settings.MOST_SYSTEMS}). Submit this for one of them, or ask the organisers."
        )


@transaction.atomic
def join_team(*, token: str, user: User, now: dt.datetime) -> Team:
    """Join the team that an invitation is to, and share its quota in the phases that it takes part in.

    Raises
    ------
    InvitationInvalid, SecondTeam
        `SecondTeam`: it and another team of the person have answered the same benchmark.
    """
    team = read_invitation(token)
    User.objects.held(user)
    answers = Submission.objects.answers()
    answered = answers.filter(system__team=team).values("phase__benchmark")
    mine = answers.filter(system__team__memberships__user=user, phase__benchmark__in=answered)
    clash = mine.exclude(system__team=team).select_related("system__team", "phase__benchmark").first()
    if clash:
        raise SecondTeam(
            f"Your team {clash.system.team} and the team {team} have both submitted to "
            f"{clash.phase.benchmark}, and a person takes part in a benchmark with one team. Leave "
            f"{clash.system.team} first. Where that is not right, please ask the organisers."
        )
    joined = accept_invitation(token=token, user=user, now=now)
    link_member(team=joined, user=user, now=now)
    return joined
