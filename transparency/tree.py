"""The leaf hashes of the log, held by each process: they never change, so only new ones are fetched."""

from transparency.models import LogEntry

_HELD: list[bytes] = []


def leaves() -> list[bytes]:
    """All leaf hashes, as this transaction sees them."""
    held = list(_HELD)
    start = max(len(held) - 1, 0)
    entries = LogEntry.objects.filter(index__gte=start).order_by("index")
    fetched = [bytes.fromhex(text) for text in entries.values_list("leaf_hash", flat=True)]
    if held and (not fetched or fetched[0] != held[-1]):
        # What was held came from a transaction that was taken back.
        held, start = [], 0
        everything = LogEntry.objects.order_by("index").values_list("leaf_hash", flat=True)
        fetched = [bytes.fromhex(text) for text in everything]
    _HELD[:] = [*held[:start], *fetched]
    return list(_HELD)
