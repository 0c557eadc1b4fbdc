"""Entries are added with the facts that they tell of, never changed, and signed as far as they go."""

import json
import threading
import time

import pytest
from allauth.account.models import EmailAddress
from django.db import Error, connection, transaction

from accounts.audit.log import record
from accounts.models import User
from accounts.server.append_only_triggers import drop_statements
from tests.conftest import NOW
from tests.threads import at_once
from transparency import tree
from transparency.core.canonical import canonical_json
from transparency.core.checkpoints import read_checkpoint
from transparency.core.entries import EntryKind
from transparency.core.merkle import is_consistent, is_included, leaf_hash, tree_root
from transparency.keys import KeyRole
from transparency.models import Checkpoint, LogEntry
from transparency.services import LogRewritten, append, sign_log, take_in_audit

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def put(number: int, **more: object) -> LogEntry:
    return append(kind=EntryKind.PAGES, benchmark="toy", facts={"number": number, **more})


def signed() -> Checkpoint:
    checkpoint = sign_log(NOW)
    assert checkpoint is not None
    return checkpoint


def test_indexes_count_without_gaps_also_where_a_fact_was_taken_back():
    put(1)
    with transaction.atomic():
        put(2)
        transaction.set_rollback(True)
    put(3)
    found = LogEntry.objects.values_list("index", "payload")
    assert [(index, json.loads(payload)["number"]) for index, payload in found] == [(0, 1), (1, 3)]


def test_a_leaf_is_the_canonical_json_of_its_entry():
    entry = put(1)
    assert bytes.fromhex(entry.leaf_hash) == leaf_hash(entry.payload.encode())
    assert canonical_json(entry.facts) == entry.payload.encode()
    assert entry.facts.keys() == {"kind", "benchmark", "at", "number"}


@pytest.mark.parametrize(
    "verb", ["UPDATE transparency_logentry SET kind='x'", "DELETE FROM transparency_logentry"]
)
def test_the_database_refuses_to_change_the_log(verb):
    put(1)
    with pytest.raises(Error, match="append-only"), connection.cursor() as cursor:
        cursor.execute(verb)


def test_a_checkpoint_is_signed_once_for_each_size(signers):
    put(1)
    first, again = signed(), signed()
    assert first == again
    head = read_checkpoint(first.note, signers[KeyRole.LOG].verifier)
    assert (head.size, head.root.hex()) == (first.size, first.root)
    put(2)
    assert signed().size == first.size + 1


def test_keys_enter_the_log_once_and_again_when_they_change(signers, settings):
    sign_log(NOW)
    sign_log(NOW)
    entries = [entry.facts for entry in LogEntry.objects.filter(kind="key")]
    assert [(facts["role"], facts["verifier"]) for facts in entries] == [
        (role.value, str(signers[role].verifier)) for role in KeyRole
    ]
    settings.RECEIPT_PUBLIC_KEY = settings.LOG_PUBLIC_KEY
    sign_log(NOW)
    assert LogEntry.objects.filter(kind="key").count() == 3


def test_without_the_key_nothing_is_signed():
    put(1)
    assert sign_log(NOW) is None
    assert not Checkpoint.objects.exists()


def test_a_rewritten_log_is_not_signed_again(signers):
    put(1)
    sign_log(NOW)
    with connection.cursor() as cursor:
        for statement in drop_statements(connection.vendor, "transparency_logentry"):
            cursor.execute(statement)
    other = leaf_hash(b"other").hex()
    LogEntry.objects.filter(index=0).update(leaf_hash=other)
    tree._HELD.clear()
    put(2)
    with pytest.raises(LogRewritten, match="not those that were signed"):
        sign_log(NOW)


def test_leaves_that_were_taken_back_are_forgotten():
    put(1)
    with transaction.atomic():
        put(2)
        assert len(tree.leaves()) == 2
        transaction.set_rollback(True)
    entry = put(3)
    assert tree.leaves()[1].hex() == entry.leaf_hash


def test_what_is_written_to_the_audit_log_enters_with_the_next_fact(owner):
    first = record(row=owner, kind="change", by="admin", reason="Because of the spelling.")
    put(1)
    second = record(row=owner, kind="change", by="admin")
    assert (take_in_audit(), take_in_audit()) == (1, 0)
    kinds = LogEntry.objects.values_list("kind", flat=True)
    assert [*kinds] == ["audit", "pages", "audit"]
    entered = [entry.facts["entries"][0][0] for entry in LogEntry.objects.filter(kind="audit")]
    assert entered == [first.pk, second.pk]


def test_the_log_tells_nothing_of_what_the_audit_log_says(owner, client, signers):
    record(row=owner, kind="change", by="admin", reason="Because of the spelling.")
    sign_log(NOW)
    shown = client.get("/log/entries").content.decode()
    assert "audit" in shown
    entry = LogEntry.objects.get(kind="audit")
    assert all(secret not in shown for secret in ("spelling", str(owner), *entry.salts.values()))


def test_everybody_may_read_what_is_signed(signers, client):
    put(1)
    sign_log(NOW)
    put(2)
    answer = client.get("/log/entries")
    document = answer.json()
    assert (document["from"], document["size"], len(document["entries"])) == (0, 3, 3)
    leaves = [leaf_hash(canonical_json(entry)) for entry in document["entries"]]
    note = client.get("/log/checkpoint")
    head = read_checkpoint(note.content.decode(), signers[KeyRole.LOG].verifier)
    assert (head.size, head.root) == (3, tree_root(leaves))
    assert note["Access-Control-Allow-Origin"] == "*"
    assert client.get("/log/keys").json()["log"] == str(signers[KeyRole.LOG].verifier)


def test_proofs_are_those_of_the_checkpoint(signers, client):
    for number in range(5):
        put(number)
    old = signed()
    put(6)
    new = signed()
    said = client.get("/log/proof?index=2").json()
    proof = [bytes.fromhex(node) for node in said["proof"]]
    leaf = bytes.fromhex(said["leaf_hash"])
    root, old_root = bytes.fromhex(new.root), bytes.fromhex(old.root)
    assert is_included(index=2, size=new.size, leaf=leaf, proof=proof, root=root)
    said = client.get(f"/log/proof?from={old.size}&size={new.size}")
    proof = [bytes.fromhex(node) for node in said.json()["proof"]]
    assert is_consistent(old_size=old.size, old_root=old_root, size=new.size, root=root, proof=proof)
    assert "immutable" in said["Cache-Control"]


@pytest.mark.parametrize(
    "query",
    ["proof?index=9", "proof?size=99", "proof?from=0", "proof?index=x", "entries?from=-1", "entries?to=1e3"],
)
def test_a_question_that_has_no_answer_is_refused_in_words(signers, client, query):
    put(1)
    sign_log(NOW)
    answer = client.get(f"/log/{query}")
    assert answer.status_code == 400
    assert answer.json()["detail"].endswith(".")


def test_entries_come_in_parts_that_may_be_kept_for_ever(signers, client):
    for number in range(4):
        put(number)
    sign_log(NOW)
    answer = client.get("/log/entries?from=1&to=3")
    assert [entry["number"] for entry in answer.json()["entries"]] == [1, 2]
    assert "immutable" in answer["Cache-Control"]
    assert "immutable" not in client.get("/log/entries?from=1&to=30")["Cache-Control"]


def test_before_anything_is_signed_there_is_nothing(client):
    put(1)
    assert client.get("/log/checkpoint").status_code == 404
    assert client.get("/log/entries").json()["entries"] == []


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_who_enters_a_row_and_who_holds_what_it_points_at_both_get_into_the_log():
    """An upload that comes in while its phase is being closed, at the steps at which each waited for the other."""
    user = User.objects.create(email="ada@example.org")
    entered, held = threading.Event(), threading.Event()

    def enter_what_points_at_the_user() -> None:
        with transaction.atomic():
            held.wait(20)
            EmailAddress.objects.create(user=user, email=user.email)
            put(1)
            entered.set()
            time.sleep(0.5)  # the other one waits for the log by now

    def hold_the_user() -> None:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            held.set()
            entered.wait(2)  # in vain where entering waits for the lock on the user
            put(2)

    assert at_once([enter_what_points_at_the_user, hold_the_user]) == [None, None]
    assert LogEntry.objects.count() == 2
