"""Each invariant is broken behind the server's back, and `check_invariants` names where, what and what to do."""

import datetime as dt
import io
import os
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.audit.log import record
from accounts.mail.outbox import send_due
from accounts.models import Mail, User
from accounts.server.append_only_triggers import drop_statements
from leaderboard.models import Release, ReleaseCell
from operations.checking import check_and_tell
from operations.invariants import INVARIANTS
from operations.jobs import check_invariants
from operations.models import Alert
from submissions.models import Submission
from submissions.participants import GroupUse
from tests.conftest import the_owner, the_system, the_toy
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload
from transparency.services import take_in_audit

pytestmark = pytest.mark.postgres
AFTER = CUT_OFF + dt.timedelta(hours=2)


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    """A submission on the board of a release, another that waits for the next cut-off."""
    toy = the_toy()
    phase = toy.phases.get()
    upload(the_system(), phase, mood=ONE_WRONG)
    record(row=phase, kind="change", by="admin", reason="Because of the holidays.", benchmark="toy")
    run_batch(CUT_OFF)
    take_in_audit()


@pytest.fixture
def submission(released: None) -> Submission:
    return Submission.objects.get()


def checked(*options: str) -> tuple[int, str]:
    """Exit status and output of the command."""
    out = io.StringIO()
    try:
        call_command("check_invariants", *options, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def execute(sql: str, *values: Any, table: str = "") -> None:
    """As somebody who may do anything to the database."""
    with connection.cursor() as cursor:
        if table:
            for statement in drop_statements(connection.vendor, table):
                cursor.execute(statement)
        cursor.execute(sql, values)


def rewritten(name: str, data: bytes) -> None:
    default_storage.delete(name)
    assert default_storage.save(name, ContentFile(data)) == name


def lose_file(one: Submission) -> None:
    default_storage.delete(str(one.stored_file.name))


def cut_file(one: Submission) -> None:
    rewritten(str(one.stored_file.name), b"PK")


def reject_time(one: Submission) -> None:
    execute("UPDATE submissions_submission SET status = 'accepted', cut_off_at = '2026-11-01 00:00:00+00:00'")


def lose_batch(one: Submission) -> None:
    execute("UPDATE submissions_submission SET status = 'scoring'")


def reopen_run(one: Submission) -> None:
    execute("UPDATE scoring_scoringrun SET status = 'pending', deadline_at = '2026-11-01 00:00:00+00:00'")


def lose_scores(one: Submission) -> None:
    execute("UPDATE leaderboard_releasecell SET score_id = 0", table="leaderboard_releasecell")
    execute("DELETE FROM scoring_score", table="scoring_score")


def miscount(one: Submission) -> None:
    execute("UPDATE submissions_groupuse SET used = used + 1")


def undercount(one: Submission) -> None:
    execute("UPDATE submissions_groupuse SET used = 0")


def write_board(change: Callable[[dict[str, Any]], None]) -> None:
    release = Release.objects.get()
    for board in release.boards.values():
        change(board["rows"][0])
    field = Release._meta.get_field("overall")
    values = [field.get_db_prep_save(boards, connection) for boards in (release.overall, release.others)]
    execute("UPDATE leaderboard_release SET overall = %s, others = %s", *values, table="leaderboard_release")


def first_place(one: Submission) -> None:
    def better(row: dict[str, Any]) -> None:
        for cell in row["cells"].values():
            cell["value"] = 0.999

    write_board(better)


def rank_nothing(one: Submission) -> None:
    def unscored(row: dict[str, Any]) -> None:
        row["rank"] = 1
        row["kind"] = "system"
        for cell in row["cells"].values():
            cell["value"], cell["undefined"] = None, "not_submitted"

    write_board(unscored)


def forge_log(one: Submission) -> None:
    execute(
        """UPDATE transparency_logentry SET payload = '{"kind":"audit"}' WHERE "index" = 0""",
        table="transparency_logentry",
    )


def edit_audit(one: Submission) -> None:
    execute("UPDATE accounts_auditentry SET reason = 'No reason.'", table="accounts_auditentry")


def edit_gold(one: Submission) -> None:
    execute("UPDATE scoring_goldversion SET item_count = item_count + 1", table="scoring_goldversion")


def another_key(one: Submission) -> None:
    box = b"\x01" + b"0" * 60
    execute("UPDATE scoring_sealedlabels SET ciphertext = %s", box, table="scoring_sealedlabels")


def half_erase(one: Submission) -> None:
    execute(
        "UPDATE accounts_user SET email = 'erased-7-0011aabb@invalid', is_active = %s WHERE id = %s",
        False,
        one.submitted_by_id,
    )


def swap_cells(one: Submission) -> None:
    execute("UPDATE leaderboard_releasecell SET seed = 2", table="leaderboard_releasecell")


def end_cells_by_no_release(one: Submission) -> None:
    execute("UPDATE leaderboard_releasecell SET until = 7", table="leaderboard_releasecell")


def hold_a_cell_twice(one: Submission) -> None:
    release = Release.objects.whole().get()
    batch = release.batch
    batch.pk, batch.cut_off_at = None, batch.cut_off_at + dt.timedelta(days=7)
    batch.save(force_insert=True)
    release.pk, release.number, release.batch = None, 2, batch
    release.save(force_insert=True)
    cells = list(ReleaseCell.objects.all())
    for cell in cells:
        cell.pk, cell.first = None, release
    ReleaseCell.objects.bulk_create(cells)


def leave_file(one: Submission) -> None:
    default_storage.save("nobodys.zip", ContentFile(b"PK"))
    past = dt.datetime(2026, 1, 1, tzinfo=dt.UTC).timestamp()
    os.utime(default_storage.path("nobodys.zip"), (past, past))


BROKEN: list[tuple[str, Callable[[Submission], None], str]] = [
    ("I1", lose_file, "is not there. Put the file back from a backup"),
    ("I1", cut_file, "has 2 bytes;"),
    ("I2", reject_time, "no batch has taken it in."),
    ("I2", lose_batch, "no batch that is being scored has it."),
    ("I2", reopen_run, "its deadline was 2026-11-01 00:00 UTC."),
    ("I3", reopen_run, "it is waiting, and has scores."),
    ("I4", miscount, "slots noted as used: 2; submissions that hold one: 1."),
    ("I4", undercount, "slots noted as used: 0; submissions that hold one: 1."),
    ("I5", first_place, "Toy release 1: board overall:"),
    ("I6", forge_log, "log entry 0: what it says is not what its leaf was made of."),
    ("I6", edit_audit, "was changed since log entry"),
    ("I7", rank_nothing, "Larch has rank 1 and no value of"),
    ("I8", edit_gold, "is not what the log has."),
    ("I8", first_place, "what the release has frozen is not what entered the log"),
    ("I9", another_key, "sealed rows need the key"),
    ("I10", half_erase, "the account has a name, or can sign in."),
    ("I10", half_erase, "rows are of people who were erased."),
    ("I11", swap_cells, "is of another submission, split or seed"),
    ("I11", end_cells_by_no_release, "it is ended by release 7, which is no later one of its phase."),
    ("I11", hold_a_cell_twice, "a cell before it still holds, so that a release has two."),
    ("I12", leave_file, "nobodys.zip: no row names this file. `manage.py scrub` removes it."),
]


def test_what_stands_holds(submission, gold_keys):
    status, said = checked("--thoroughly")
    assert (status, said.count("holds ")) == (0, len(INVARIANTS)), said
    assert "no violations" in said


@pytest.mark.parametrize(("key", "harm", "sentence"), BROKEN, ids=[f"{k}-{h.__name__}" for k, h, _ in BROKEN])
def test_what_was_broken_is_named(submission, gold_keys, key, harm, sentence):
    harm(submission)

    status, said = checked("--only", key)

    assert status == 1
    assert f"VIOLATED  {key} " in said
    assert sentence in said


def test_each_invariant_has_a_test_that_breaks_it():
    assert {key for key, _, _ in BROKEN} == set(INVARIANTS.keys())


def test_a_changed_byte_is_found_where_files_are_read(submission, gold_keys):
    name = str(submission.stored_file.name)
    with default_storage.open(name) as file:
        data = bytes(file.read())
    rewritten(name, data[:-1] + bytes([data[-1] ^ 1]))

    assert checked("--only", "I1")[0] == 0
    assert "has the SHA-256" in checked("--only", "I1", "--thoroughly")[1]


def test_an_unknown_invariant_is_refused_with_those_there_are(db):
    with pytest.raises(CommandError, match=r"There is no invariant I99\. There are I1, I2"):
        checked("--only", "I99")


def test_operators_are_told_once_and_once_when_it_is_over(submission, gold_keys, staff, mailoutbox):
    send_due(AFTER)
    mailoutbox.clear()  # what was written about the release
    miscount(submission)
    for hour in range(3):
        assert check_and_tell(AFTER + dt.timedelta(hours=hour)) == 1
    miscount(submission)
    check_and_tell(AFTER + dt.timedelta(hours=3))
    GroupUse.objects.update(used=1)
    assert check_and_tell(AFTER + dt.timedelta(hours=4)) == 0
    check_and_tell(AFTER + dt.timedelta(hours=5))
    send_due(AFTER + dt.timedelta(hours=6))

    assert [mail.subject.partition(": ")[2] for mail in mailoutbox] == [
        "invariant:I4 is wrong",
        "invariant:I4 has changed",
        "invariant:I4 is over",
    ]
    assert {tuple(mail.to) for mail in mailoutbox} == {("staff@example.org",)}
    assert "slots noted as used: 2; submissions that hold one: 1." in mailoutbox[0].body.replace("\n", " ")
    assert not Alert.objects.exists()


def test_an_organiser_is_not_written_to(submission, gold_keys):
    miscount(submission)
    check_and_tell(AFTER)
    assert Alert.objects.get().count == 1
    assert not Mail.objects.filter(kind="operation").exists()


def test_the_sweep_checks_once_an_hour(submission, gold_keys, monkeypatch):
    asked: list[dt.datetime] = []
    monkeypatch.setattr("operations.jobs.check_and_tell", asked.append)
    check_invariants()
    check_invariants()
    assert len(asked) == 1


def test_only_who_runs_the_server_is_asked_about_its_mail(db, client, staff):
    the_owner()
    for person, is_asked in ((User.objects.get(email="owner@example.org"), False), (staff, True)):
        client.force_login(person)
        assert ("mail_operation" in client.get("/account/mail/").content.decode()) is is_asked


def test_one_that_cannot_be_checked_stops_no_other(submission, gold_keys):
    execute(
        """UPDATE transparency_logentry SET payload = '[' WHERE "index" = 0""",
        table="transparency_logentry",
    )
    miscount(submission)
    _, said = checked()
    assert "it could not be checked to its end: JSONDecodeError." in said
    assert "VIOLATED  I4 " in said
