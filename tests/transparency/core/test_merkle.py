"""The tree of RFC 6962, held against the vectors of Certificate Transparency and against itself at every size."""

import pytest

from transparency.core.merkle import (
    EMPTY_ROOT,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    node_hash,
    tree_root,
)

# The eight leaves that the tests of Certificate Transparency's implementations share, and the roots of the first n.
CONTENTS = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    bytes(range(0x50, 0x58)),
    bytes(range(0x60, 0x70)),
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [leaf_hash(content) for content in CONTENTS]
MANY = [leaf_hash(b"%d" % number) for number in range(70)]


def _by_definition(leaves: list[bytes]) -> bytes:
    """The root as section 2.1 of the RFC defines it."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    return node_hash(_by_definition(leaves[:half]), _by_definition(leaves[half:]))


@pytest.mark.parametrize("size", range(9))
def test_the_root_is_that_of_the_vectors(size):
    assert tree_root(LEAVES[:size]).hex() == ROOTS[size]


def test_the_root_follows_the_definition_at_every_size():
    for size in range(len(MANY) + 1):
        assert tree_root(MANY[:size]) == _by_definition(MANY[:size])


def test_the_paths_of_the_example_tree_of_the_rfc():
    """Section 2.1.3: the tree of seven leaves, whose nodes are named a to l there."""
    seven = LEAVES[:7]
    a, b, c, d, e, f, j = seven
    g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
    k, tail = node_hash(g, h), node_hash(i, j)
    assert inclusion_proof(0, seven) == [b, h, tail]
    assert inclusion_proof(3, seven) == [c, g, tail]
    assert inclusion_proof(4, seven) == [f, j, k]
    assert inclusion_proof(6, seven) == [i, k]
    assert consistency_proof(3, seven) == [c, d, g, tail]
    assert consistency_proof(4, seven) == [tail]
    assert consistency_proof(6, seven) == [i, j, k]


def test_every_leaf_is_proved_and_no_other():
    for size in range(1, 40):
        leaves, root = MANY[:size], tree_root(MANY[:size])
        for index in range(size):
            proof = inclusion_proof(index, leaves)
            assert is_included(index=index, size=size, leaf=leaves[index], proof=proof, root=root)
            assert not is_included(index=index, size=size, leaf=MANY[size], proof=proof, root=root)
            assert not is_included(
                index=index, size=size, leaf=leaves[index], proof=[*proof, root], root=root
            )
            if size > 1:
                other = (index + 1) % size
                assert not is_included(index=other, size=size, leaf=leaves[index], proof=proof, root=root)


def test_every_older_tree_is_proved_and_no_rewritten_one():
    for size in range(1, 40):
        root = tree_root(MANY[:size])
        for old_size in range(1, size + 1):
            old, proof = tree_root(MANY[:old_size]), consistency_proof(old_size, MANY[:size])
            rewritten = tree_root([leaf_hash(b"other"), *MANY[1:old_size]])

            def shows(old_root, hashes, *, old_size=old_size, size=size, root=root):
                return is_consistent(old_size=old_size, old_root=old_root, size=size, root=root, proof=hashes)

            assert shows(old, proof)
            assert not shows(rewritten, proof)
            assert not shows(old, [*proof, root])


def test_what_is_not_in_the_tree_has_no_proof():
    with pytest.raises(ValueError, match="no leaf 8 in a tree of 8"):
        inclusion_proof(8, LEAVES)
    with pytest.raises(ValueError, match="cannot begin with one of 9"):
        consistency_proof(9, LEAVES)
    assert not is_consistent(old_size=0, old_root=EMPTY_ROOT, size=8, root=tree_root(LEAVES), proof=[])
