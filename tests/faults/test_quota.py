"""Uploads all at once: the quota holds exactly, and the same file is one submission."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from rest_framework.test import APIClient

from accounts.models import ApiToken, Team, User
from accounts.services import NameTaken, create_team, invitation_token, leave_team
from benchmarks.models import Phase
from submissions.exceptions import QuotaUsedUp
from submissions.models import Predictions, Submission, System
from submissions.participants import GroupUse
from submissions.quota.participation import join_team
from submissions.services import PredictionUpload, Receipt, submit_predictions
from submissions.systems.status_transitions import withdraw
from submissions.uploads.storage import DurableFileSystemStorage
from tests.conftest import NOW, person
from tests.threads import at_once
from tests.uploads import toy_zip

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

COLOURS = ("red", "green", "dark blue")


def different_zips(count: int) -> list[bytes]:
    """Faultless uploads, no two with the same predictions."""
    return [
        toy_zip(
            mood=" ".join("good" if number >> bit & 1 else "bad" for bit in range(6)),
            colour=",".join(COLOURS[(number // 64 + item) % 3] for item in range(3))
            + f",{COLOURS[number // 192]}",
        )
        for number in range(count)
    ]


def stored_files() -> list[Path]:
    return [path for path in Path(django_settings.MEDIA_ROOT).rglob("*") if path.is_file()]


def send(system: System, phase: Phase, user: User, data: bytes) -> Receipt:
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="upload.zip", received_at=NOW
        )
    )


def post(token: str, phase: Phase, system: System, data: bytes) -> tuple[int, Any]:
    client = APIClient(HTTP_AUTHORIZATION=f"Token {token}")
    form = {"phase": str(phase), "system": str(system.pk), "file": SimpleUploadedFile("upload.zip", data)}
    answer = client.post("/api/v1/submissions/", form, format="multipart")
    return answer.status_code, answer.json()


def test_200_uploads_at_once_against_a_quota_of_5_leave_5(system, phase, owner):
    outcomes = at_once([partial(send, system, phase, owner, data) for data in different_zips(200)])

    assert Counter(type(outcome) for outcome in outcomes) == {Receipt: 5, QuotaUsedUp: 195}
    assert {outcome.code for outcome in outcomes if isinstance(outcome, QuotaUsedUp)} == {"quota_used_up"}
    assert Submission.objects.count() == len(stored_files()) == 5
    assert [use.used for use in GroupUse.objects.all()] == [5]
    assert Predictions.objects.count() == 10


@pytest.mark.thorough
def test_200_uploads_at_once_over_http_leave_5(system, phase, owner):
    _, token = ApiToken.objects.create(owner)

    answers = at_once([partial(post, token, phase, system, data) for data in different_zips(200)])

    assert Counter(status for status, _ in answers) == {201: 5, 429: 195}
    assert {body["code"] for status, body in answers if status == 429} == {"quota_used_up"}
    assert Submission.objects.count() == len(stored_files()) == 5


def test_the_same_file_50_times_at_once_is_one_submission(system, phase, owner):
    receipts = at_once([partial(send, system, phase, owner, toy_zip())] * 50)

    assert {type(receipt) for receipt in receipts} == {Receipt}
    assert {receipt.submission.pk for receipt in receipts} == {Submission.objects.get().pk}
    assert Counter(receipt.is_repeat for receipt in receipts) == {True: 49, False: 1}
    assert [use.used for use in GroupUse.objects.all()] == [1]
    assert len(stored_files()) == 1


def test_teams_do_not_use_up_each_others_quota(system, phase, owner, outsider):
    other = system_of("South", outsider)
    data = different_zips(40)

    at_once(
        [
            partial(send, one, phase, user, each)
            for each in data
            for one, user in ((system, owner), (other, outsider))
        ]
    )

    assert Counter(Submission.objects.values_list("system__name", flat=True)) == {"Larch": 5, "Fir": 5}


def test_two_teams_that_share_a_member_take_one_quota_at_once(system, phase, owner, teammate, outsider):
    """The first uploads of both, 200 at once: whichever comes first, the other finds itself linked to it."""
    other = system_of("South", outsider)
    other.team.memberships.create(user=teammate, joined_at=NOW)

    outcomes = at_once(
        [
            partial(send, one, phase, user, data)
            for (one, user), data in zip(cycle(((system, owner), (other, outsider))), different_zips(200))
        ]
    )

    assert Counter(type(outcome) for outcome in outcomes) == {Receipt: 5, QuotaUsedUp: 195}
    assert [use.used for use in GroupUse.objects.all()] == [5]


@pytest.mark.thorough
def test_two_teams_that_merge_while_they_upload_take_no_slot_twice(system, phase, owner, teammate, outsider):
    """Each team may have had up to five before they were one; from then on no slot is left that was taken."""
    other = system_of("South", outsider)
    data = different_zips(201)
    send(system, phase, owner, data[200])  # both the owner and the teammate are linked by that
    leave_team(team=system.team, user=teammate)
    join = partial(join_team, token=invitation_token(other.team), user=teammate, now=NOW)
    uploads = [
        partial(send, one, phase, user, each)
        for (one, user), each in zip(cycle(((system, owner), (other, outsider))), data[:200])
    ]

    outcomes = at_once([*uploads[:100], join, *uploads[100:]])

    accepted = Submission.objects.count()
    assert Counter(type(outcome) for outcome in outcomes) == {
        Receipt: accepted - 1,
        QuotaUsedUp: 201 - accepted,
        Team: 1,
    }
    assert [use.used for use in GroupUse.objects.all()] == [accepted]
    assert 5 <= accepted <= 10
    assert max(Counter(Submission.objects.values_list("system", flat=True)).values()) <= 5
    with pytest.raises(QuotaUsedUp):
        send(other, phase, outsider, different_zips(202)[201])


def test_members_who_send_at_once_share_their_teams_quota(system, phase, owner, teammate):
    third = person("third")
    system.team.memberships.create(user=third, joined_at=NOW)
    people = (owner, teammate, third)

    outcomes = at_once(
        [partial(send, system, phase, people[at % 3], data) for at, data in enumerate(different_zips(60))]
    )

    assert Counter(type(outcome) for outcome in outcomes) == {Receipt: 5, QuotaUsedUp: 55}
    assert [use.used for use in GroupUse.objects.all()] == [5]


def test_one_account_with_many_teams_has_one_quota(phase, owner, settings):
    """Over HTTP, all at once: whatever it founds, no more than the quota of one team is accepted."""
    settings.MOST_TEAMS = 20
    Phase.objects.update(quota_limit=2)
    systems = [system_of(f"Team {number}", owner) for number in range(20)]
    _, token = ApiToken.objects.create(owner)

    answers = at_once(
        [partial(post, token, phase, systems[at % 20], data) for at, data in enumerate(different_zips(60))]
    )

    accepted = Counter(status for status, _ in answers)[201]
    assert accepted == Submission.objects.count() == len(stored_files()) == 2
    assert {body["code"] for status, body in answers if status != 201} <= {"quota_used_up", "second_team"}
    assert Submission.objects.values("system__team").distinct().count() == 1
    assert [use.used for use in GroupUse.objects.all()] == [accepted]


def test_file_that_takes_long_to_be_stored_keeps_no_other_upload_waiting(
    system, phase, owner, teammate, monkeypatch
):
    """As in a store elsewhere: a row that is locked meanwhile would be waited for by everybody who shares the quota."""
    began, may_go_on, save = Event(), Event(), DurableFileSystemStorage.save

    def slowly(*arguments: Any) -> str:
        if not began.is_set():
            began.set()
            assert may_go_on.wait(60)
        return save(*arguments)

    def first() -> Receipt:
        try:
            return send(system, phase, owner, different_zips(1)[0])
        finally:
            connections.close_all()

    monkeypatch.setattr(DurableFileSystemStorage, "save", slowly)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(first)
        try:
            assert began.wait(60)
            second = send(system, phase, teammate, different_zips(2)[1])
        finally:
            may_go_on.set()
        accepted = {second.submission.pk, waiting.result().submission.pk}
    assert set(Submission.objects.values_list("pk", flat=True)) == accepted
    assert len(stored_files()) == 2


def test_uploads_and_withdrawals_at_once_leave_the_slots_that_are_held(system, phase, owner, teammate):
    sent = [send(system, phase, owner, data).submission for data in different_zips(5)]
    fresh = different_zips(45)[5:]

    at_once(
        [partial(withdraw, submission=one, user=owner, now=NOW) for one in sent]
        + [partial(send, system, phase, (owner, teammate)[at % 2], data) for at, data in enumerate(fresh)]
    )

    held = Submission.objects.filter(status="accepted")
    assert [use.used for use in GroupUse.objects.all()] == [held.count()]
    assert held.count() <= 5


def system_of(name: str, founder: User) -> System:
    team = create_team(name=name, founder=founder, now=NOW)
    return System.objects.create(team=team, name="Fir", created_at=NOW)


def test_of_teams_that_look_alike_and_are_founded_at_once_one_is_founded(db):
    names = ["Aurora", "\u0410urora", "AURORA", "aurora", "Aur\u043era", "Auror\u0430"]
    founders = [person(f"founder-{number}") for number in range(len(names))]

    outcomes = at_once(
        [
            partial(create_team, name=name, founder=founder, now=NOW)
            for name, founder in zip(names, founders, strict=True)
        ]
    )

    assert Counter(type(one) for one in outcomes) == {Team: 1, NameTaken: 5}
