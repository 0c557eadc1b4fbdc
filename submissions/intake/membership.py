"""What items belong to, clusters and groups, as the log tells of it: by a salted digest first, in full at the end."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from transparency.core.canonical import quoted_cell


def membership_digest(
    salt: bytes, ids: Sequence[str], clusters: Sequence[int] | None, groups: Mapping[str, Sequence[str]]
) -> str:
    """The SHA-256 of the 32 salt bytes and a table of what each item belongs to; empty where there is nothing to tell.

    The table is CSV as commitments cover it: the line `id,cluster` and the columns of groups behind it, then one line
    per item, with an empty cell for each where there are no clusters.
    """
    if clusters is None and not groups:
        return ""
    numbers = [""] * len(ids) if clusters is None else list(map(str, clusters))
    rows = [("id", "cluster", *groups), *zip(ids, numbers, *groups.values(), strict=True)]
    return sha256(salt + "".join(",".join(map(quoted_cell, row)) + "\n" for row in rows).encode()).hexdigest()
