"""What the log keeps of the audit log: a salted digest of each entry, by its id."""

import json

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import AuditEntry
from transparency.instants import instant_text
from transparency.models import LoggedAudit


def audit_content(entry: AuditEntry) -> bytes:
    """What the digest of an entry of the audit log is made of: all its fields."""
    fields = {
        "id": entry.pk,
        "at": instant_text(entry.at),
        "actor": entry.actor_id,
        "by": entry.by,
        "kind": entry.kind,
        "benchmark": entry.benchmark,
        "model": entry.model,
        "object_id": entry.object_id,
        "object_name": entry.object_name,
        "what": entry.what,
        "changes": entry.changes,
        "reason": entry.reason,
    }
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()


def not_logged_yet() -> QuerySet[AuditEntry]:
    """The entries of the audit log whose digests are still to be entered, the oldest first."""
    logged = LoggedAudit.objects.filter(pk=OuterRef("pk"))
    return AuditEntry.objects.filter(~Exists(logged)).order_by("pk")
