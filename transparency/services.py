"""Add to the log, and sign what it has come to."""

import datetime as dt
import json
import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from accounts.server.clock import database_now
from transparency.audit_digests import audit_content, not_logged_yet
from transparency.core.canonical import canonical_json, salted_digest
from transparency.core.checkpoints import TreeHead
from transparency.core.entries import EntryKind
from transparency.core.merkle import leaf_hash, tree_root
from transparency.instants import instant_text
from transparency.keys import KeyRole, signer, verifier
from transparency.models import Checkpoint, LogEntry, LoggedAudit, LogHead
from transparency.salts import new_salt
from transparency.tree import leaves

logger = logging.getLogger(__name__)


class LogRewritten(Exception):
    """The entries of today do not begin with those that were signed before, so nothing more is signed."""


@transaction.atomic
def append(
    *,
    kind: EntryKind,
    facts: Mapping[str, Any],
    benchmark: str = "",
    opening: Mapping[str, Any] | None = None,
) -> LogEntry:
    """Add an entry, in the transaction of the fact that it tells of.

    To be called at the end of that transaction: other entries wait until it has ended, so no lock may be taken after
    this one. What was written to the audit log meanwhile is taken in first.

    Parameters
    ----------
    facts
        Public. What is not public yet stands in it as a salted digest.
    opening
        The salts of these digests; shown to nobody.
    """
    head = _locked_head()
    _take_in_audit(head)
    return _append(head, kind, facts, benchmark, opening or {})


@transaction.atomic
def take_in_audit() -> int:
    """Enter digests of what has come to the audit log; returns how many entries there were."""
    if not not_logged_yet().exists():
        return 0
    return _take_in_audit(_locked_head())


@transaction.atomic
def note_keys() -> list[LogEntry]:
    """Enter the public keys of this server where they are not those that the log has."""
    new = [role for role in KeyRole if verifier(role) and str(verifier(role)) != _logged_key(role)]
    facts = [{"role": role.value, "verifier": str(verifier(role))} for role in new]
    return [append(kind=EntryKind.KEY, facts=each) for each in facts]


def _logged_key(role: KeyRole) -> str:
    entries = LogEntry.objects.filter(kind=EntryKind.KEY).order_by("-index")
    return next((facts["verifier"] for entry in entries if (facts := entry.facts)["role"] == role.value), "")


def sign_log(now: dt.datetime) -> Checkpoint | None:
    """The checkpoint of all there is, signed anew where something has come; None where this process has no key.

    Raises
    ------
    LogRewritten
        If what was signed last is no longer the beginning of the log.
    """
    key = signer(KeyRole.LOG)
    if key is None:
        return newest_checkpoint()
    note_keys()
    take_in_audit()
    head, before = tree_head(), newest_checkpoint()
    if before is not None:
        _refuse_rewritten(before, head)
        if before.size == head.size:
            return before
    if not head.size:
        return None
    values = {"root": head.root.hex(), "note": head.signed(key), "signed_at": now}
    checkpoint, _ = Checkpoint.objects.get_or_create(size=head.size, defaults=values)
    return checkpoint


def sign_if_possible(now: dt.datetime) -> None:
    """Have what is in the log signed, for what goes on without: one that was rewritten, or whose key cannot be read, is
    logged. The workers' round that signs tells of it."""
    try:
        sign_log(now)
    except (LogRewritten, ImproperlyConfigured):
        logger.exception("the log cannot be signed")


def newest_checkpoint() -> Checkpoint | None:
    """The last one that was signed."""
    return Checkpoint.objects.first()


def tree_head() -> TreeHead:
    """Size and root of the log as this transaction sees it."""
    all_leaves = leaves()
    return TreeHead(len(all_leaves), tree_root(all_leaves))


def _refuse_rewritten(before: Checkpoint, head: TreeHead) -> None:
    if before.size > head.size or tree_root(leaves()[: before.size]).hex() != before.root:
        raise LogRewritten(
            f"The log has {head.size} entries, and its first {before.size} are not those that were signed "
            f"{instant_text(before.signed_at)}. Nothing is signed until somebody has found out why."
        )


def _locked_head() -> LogHead:
    """The last lock of a transaction.

    What PostgreSQL leaves to its end, looking whether foreign keys point at something, is done before: it locks the
    rows pointed at, and who holds one of these may be waiting for the log.
    """
    if connection.vendor == "postgresql":
        connection.check_constraints()
    LogHead.objects.get_or_create(pk=1)
    return LogHead.objects.select_for_update().get(pk=1)


def _append(
    head: LogHead, kind: EntryKind, facts: Mapping[str, Any], benchmark: str, opening: Mapping[str, Any]
) -> LogEntry:
    now = database_now()
    payload = canonical_json({"kind": kind.value, "benchmark": benchmark, "at": instant_text(now), **facts})
    entry = LogEntry.objects.create(
        index=head.size,
        kind=kind.value,
        benchmark=benchmark,
        payload=payload.decode(),
        opening=json.dumps(opening) if opening else "",
        leaf_hash=leaf_hash(payload).hex(),
        created_at=now,
    )
    head.size += 1
    head.save(update_fields=["size"])
    return entry


def _take_in_audit(head: LogHead) -> int:
    rows = list(not_logged_yet())
    if not rows:
        return 0
    salts = {row.pk: new_salt() for row in rows}
    facts = {"entries": [[row.pk, salted_digest(salts[row.pk], audit_content(row))] for row in rows]}
    opening = {str(key): salt.hex() for key, salt in salts.items()}
    entry = _append(head, EntryKind.AUDIT, facts, "", opening)
    LoggedAudit.objects.bulk_create(LoggedAudit(audit_entry=row.pk, index=entry.index) for row in rows)
    return len(rows)
