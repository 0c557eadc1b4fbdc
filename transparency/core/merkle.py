"""The Merkle tree of RFC 6962 (and RFC 9162) over SHA-256: its root, and proofs that a leaf or an older tree is in it.

Hashes are 32 bytes. `leaves` are leaf hashes in the order of the log; a tree of the first n of them has size n.
"""

from collections.abc import Sequence
from hashlib import sha256

EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(content: bytes) -> bytes:
    """The hash of a leaf with this content."""
    return sha256(b"\x00" + content).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """The root hash of the tree over these leaves."""
    whole: list[tuple[int, bytes]] = []  # the whole subtrees so far with their sizes, the largest first
    for leaf in leaves:
        size, root = 1, leaf
        while whole and whole[-1][0] == size:
            root = node_hash(whole.pop()[1], root)
            size *= 2
        whole.append((size, root))
    if not whole:
        return EMPTY_ROOT
    root = whole.pop()[1]
    while whole:
        root = node_hash(whole.pop()[1], root)
    return root


def inclusion_proof(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """The hashes beside the way from a leaf up to the root. ValueError where there is no such leaf."""
    if not 0 <= index < len(leaves):
        raise ValueError(f"There is no leaf {index} in a tree of {len(leaves)}.")
    if len(leaves) == 1:
        return []
    half = _largest_power_below(len(leaves))
    if index < half:
        return [*inclusion_proof(index, leaves[:half]), tree_root(leaves[half:])]
    return [*inclusion_proof(index - half, leaves[half:]), tree_root(leaves[:half])]


def consistency_proof(old_size: int, leaves: Sequence[bytes]) -> list[bytes]:
    """The hashes that show that the tree of the first `old_size` leaves is the beginning of the tree of all.

    ValueError unless 0 < old_size <= number of leaves.
    """
    if not 0 < old_size <= len(leaves):
        raise ValueError(f"A tree of {len(leaves)} cannot begin with one of {old_size}.")
    return _subproof(old_size, leaves, is_whole=True)


def _subproof(old_size: int, leaves: Sequence[bytes], *, is_whole: bool) -> list[bytes]:
    if old_size == len(leaves):
        return [] if is_whole else [tree_root(leaves)]
    half = _largest_power_below(len(leaves))
    if old_size <= half:
        return [*_subproof(old_size, leaves[:half], is_whole=is_whole), tree_root(leaves[half:])]
    return [*_subproof(old_size - half, leaves[half:], is_whole=False), tree_root(leaves[:half])]


def is_included(*, index: int, size: int, leaf: bytes, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows that `leaf` stands at `index` in the tree of that size and root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last, made = index, size - 1, leaf
    for beside in proof:
        if last == 0:
            return False
        if at % 2 or at == last:
            made = node_hash(beside, made)
            while at % 2 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            made = node_hash(made, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and made == root


def is_consistent(*, old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the older tree is the beginning of the newer one (RFC 9162, 2.1.4.2)."""
    if old_size == size:
        return not proof and old_root == root
    if not 0 < old_size < size or not proof:
        return False
    hashes = list(proof)
    if old_size & (old_size - 1) == 0:
        hashes.insert(0, old_root)
    at, last = old_size - 1, size - 1
    while at % 2:
        at, last = at >> 1, last >> 1
    made_old = made = hashes[0]
    for beside in hashes[1:]:
        if last == 0:
            return False
        if at % 2 or at == last:
            made_old, made = node_hash(beside, made_old), node_hash(beside, made)
            while at % 2 == 0 and at:
                at, last = at >> 1, last >> 1
        else:
            made = node_hash(made, beside)
        at, last = at >> 1, last >> 1
    return last == 0 and made_old == old_root and made == root


def _largest_power_below(size: int) -> int:
    """The largest power of two below `size`, which is at least 2."""
    return 1 << ((size - 1).bit_length() - 1)
