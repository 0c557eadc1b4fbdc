"""Seals gold labels to the scorer's public key, so that only a process holding the private key reads them.

A sealed file is `MAGIC`, the first 8 bytes of the key's SHA-256, and a NaCl sealed box. The prefix is public;
it tells a wrong key from damaged bytes. Inside the box stand a random salt, the label names, the ids and the answers:
a number of fixed width per item, or texts; then, where items belong together, the number of each item's cluster, and
for each column of groups, whose names stand beside those of the labels, the number of each item's group.
Names and answers are padded to whole blocks, so that the length follows from the public ids and not from the labels.

The commitment can be published at once. It is the SHA-256, in hexadecimal, of the 32 salt bytes followed by
the canonical CSV of the gold labels: UTF-8, the line `id,label`, then one line per item in the order of
`GoldLabels`, every line ended by one line feed; a cell with a comma, a double quote, a line feed or a carriage
return stands in double quotes, with double quotes inside it doubled. Whoever is later given salt and gold
labels can compute it again (`verify_commitment`) and so see that the gold labels never changed. As long as
the salt is unknown, a guess at the gold labels cannot be tested against it.

Nothing here says anything about the content in a message, a repr or an exception.
"""

import hmac
import json
import struct
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import ClassVar

import numpy as np
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox
from nacl.utils import random as random_bytes
from numpy.typing import NDArray

from catalogue.answers import Answers, as_texts
from catalogue.answers.arrays import LABEL_CODES, array_from_bytes, array_to_bytes, dtype_name
from catalogue.item_groups import GROUP_CODE, GroupColumns, ItemGroups
from submissions.intake.membership import membership_digest
from transparency.core.canonical import quoted_cell

MAGIC = b"heldout1"
FILE_MAGIC = b"heldoutF"
SALT_BYTES = 32
BLOCK_BYTES = 16 * 1024

_KEY_BYTES = 32
_KEY_MARK_BYTES = 8
HEAD_BYTES = len(MAGIC) + _KEY_MARK_BYTES
_LENGTHS = struct.Struct("<III")  # bytes of names and kind, of ids, of answers; without padding
_FILE_LENGTH = struct.Struct("<Q")
_CLUSTERS = np.dtype("<u4")


class VaultError(Exception):
    """Gold labels could not be sealed or opened. `code` is all that may leave the worker."""

    code: ClassVar[str]

    def __str__(self) -> str:
        return self.code


class KeyMissingError(VaultError):
    """No key was given to this process."""

    code = "key_missing"


class KeyWrongError(VaultError):
    """The key is no key at all, or not the one to which the gold labels were sealed."""

    code = "key_wrong"


class GoldDamagedError(VaultError):
    """The sealed bytes were altered or cut, or do not match their commitment."""

    code = "gold_damaged"


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Two keys of 32 bytes in base64. The public one seals and may be known to all; the private one opens."""

    public: str
    private: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GoldLabels:
    """The gold labels of a split: `codes[i]` is the gold answer of the item `ids[i]`.

    `codes` is a canonical array of any kind (`catalogue.answers`), shape (n_items,). Where answers are
    labels, `labels` are their names in the order that the codes count them. `clusters`, where items belong together,
    are the numbers of the items' clusters, and `groups` the groups of each column that the definition names; both
    have a digest of their own. ValueError where these do not fit together.
    """

    ids: tuple[str, ...]
    codes: Answers
    labels: tuple[str, ...] = ()
    clusters: NDArray[np.uint32] | None = None
    groups: GroupColumns = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.codes.shape != (len(self.ids),):
            raise ValueError("`codes` must be an array with one answer per id.")
        if self.clusters is not None and self.clusters.shape != (len(self.ids),):
            raise ValueError("`clusters` must be an array with one number per id.")
        if any(len(column.codes) != len(self.ids) for column in self.groups.values()):
            raise ValueError("`groups` must have one code per id in every column.")
        if not self.ids or len(set(self.ids)) < len(self.ids):
            raise ValueError("`ids` must name at least one item, and each item once.")
        codes = int(np.max(self.codes)) + 1 if self.codes.dtype in LABEL_CODES else 0
        if len(set(self.labels)) < len(self.labels) or codes > len(self.labels):
            raise ValueError("`labels` must be distinct and hold a name for every code.")

    def __repr__(self) -> str:
        return f"GoldLabels(<{len(self.ids)} items>)"


@dataclass(frozen=True, slots=True)
class Sealed:
    """What the database keeps: bytes that only the private key opens, and what may be known about them.

    `clusters` is for the log: a digest of clusters and groups under the salt of the commitment; empty where there are
    none.
    """

    ciphertext: bytes = field(repr=False)
    commitment: str
    key_fingerprint: str
    clusters: str = ""


def generate_keypair() -> KeyPair:
    """A new pair of keys from the operating system's randomness, in base64."""
    private = PrivateKey.generate()
    return KeyPair(*(b64encode(bytes(key)).decode() for key in (private.public_key, private)))


def key_fingerprint(public_key: str) -> str:
    """Sixteen hexadecimal digits that name a public key: the start of the SHA-256 of its 32 bytes."""
    return _key_mark(PublicKey(_key_bytes(public_key))).hex()


def pair_of(private_key: str) -> KeyPair:
    """Both keys, given the private one. KeyMissingError, KeyWrongError."""
    private = PrivateKey(_key_bytes(private_key))
    return KeyPair(b64encode(bytes(private.public_key)).decode(), private_key)


def key_digest(public_key: str) -> str:
    """The SHA-256 of a public key's 32 bytes, in hexadecimal. KeyMissingError, KeyWrongError."""
    return sha256(_key_bytes(public_key)).hexdigest()


def recipient(box: bytes) -> str:
    """The fingerprint of the key that bytes are sealed to; their first `HEAD_BYTES` say it. GoldDamagedError."""
    mark = box[len(MAGIC) : HEAD_BYTES]
    if box[: len(MAGIC)] not in (MAGIC, FILE_MAGIC) or len(mark) < _KEY_MARK_BYTES:
        raise GoldDamagedError
    return mark.hex()


def seal(gold: GoldLabels, public_key: str) -> Sealed:
    """Seal gold labels with a fresh salt; no two results are alike. KeyMissingError, KeyWrongError."""
    salt = random_bytes(SALT_BYTES)
    sealed = _seal(MAGIC, _to_bytes(salt, gold), _commit(salt, canonical_csv(gold)), public_key)
    return replace(sealed, clusters=clusters_digest(salt, gold))


def clusters_digest(salt: bytes, gold: GoldLabels) -> str:
    """The digest of the clusters and groups under the salt, as `membership_digest` makes it."""
    groups = {column: found.cells() for column, found in gold.groups.items()}
    return membership_digest(
        salt, gold.ids, None if gold.clusters is None else gold.clusters.tolist(), groups
    )


def seal_file(data: bytes, public_key: str) -> Sealed:
    """Seal a file that gives gold labels away. KeyMissingError, KeyWrongError.

    The commitment is the SHA-256 of the 32 salt bytes followed by the file. Of its length, only the number of
    blocks can be told from outside.
    """
    salt = random_bytes(SALT_BYTES)
    plain = salt + _FILE_LENGTH.pack(len(data)) + data
    return _seal(FILE_MAGIC, plain + _padding(plain), _commit(salt, data), public_key)


def check_box(box: bytes, private_key: str, commitment: str) -> None:
    """Nothing, if the box opens and holds what was committed to. Errors as `open_sealed`."""
    if box.startswith(FILE_MAGIC):
        open_file(box, private_key, commitment)
    else:
        open_with_salt(box, private_key, commitment)


def resealed(box: bytes, private_key: str, commitment: str, public_key: str) -> bytes:
    """The same content, salt included, sealed to another key, so that its commitment stays. Errors as `check_box`."""
    check_box(box, private_key, commitment)
    magic = box[: len(MAGIC)]
    return _seal(magic, _unseal(magic, box, private_key), commitment, public_key).ciphertext


def open_file(ciphertext: bytes, private_key: str | None, commitment: str) -> bytes:
    """The file, checked against its commitment. Errors as `open_sealed`."""
    plain = _unseal(FILE_MAGIC, ciphertext, private_key)
    salt, rest = plain[:SALT_BYTES], plain[SALT_BYTES:]
    with suppress(struct.error):
        (length,) = _FILE_LENGTH.unpack_from(rest)
        data = rest[_FILE_LENGTH.size :][:length]
        if hmac.compare_digest(_commit(salt, data), commitment):
            return data
    raise GoldDamagedError


def open_sealed(ciphertext: bytes, private_key: str | None, commitment: str | None = None) -> GoldLabels:
    """The gold labels. Errors as `open_with_salt`."""
    return open_with_salt(ciphertext, private_key, commitment)[1]


def open_with_salt(
    ciphertext: bytes, private_key: str | None, commitment: str | None = None
) -> tuple[bytes, GoldLabels]:
    """The 32 salt bytes and the gold labels, checked against their commitment if it is given.

    The salt is published with the gold labels and never before. KeyMissingError, KeyWrongError or GoldDamagedError;
    each shows its code and nothing else.
    """
    plain = _unseal(MAGIC, ciphertext, private_key)
    with suppress(ValueError, TypeError, KeyError, struct.error):
        salt, gold = _from_bytes(plain)
        if commitment is None or verify_commitment(salt, gold, commitment):
            return salt, gold
    # Raised out here, so that the chain of exceptions, which error reporters follow, holds no content either.
    raise GoldDamagedError


def verify_commitment(salt: bytes, gold: GoldLabels, commitment: str) -> bool:
    """Whether the commitment was made from exactly this salt and these gold labels."""
    return hmac.compare_digest(_commit(salt, canonical_csv(gold)), commitment)


def canonical_csv(gold: GoldLabels) -> bytes:
    """The bytes that the commitment covers, as the head of this module describes them."""
    answers = as_texts(gold.codes, gold.labels)
    rows = (
        f"{quoted_cell(item)},{quoted_cell(answer)}\n" for item, answer in zip(gold.ids, answers, strict=True)
    )
    return ("id,label\n" + "".join(rows)).encode()


def _commit(salt: bytes, content: bytes) -> str:
    return sha256(salt + content).hexdigest()


def _to_bytes(salt: bytes, gold: GoldLabels) -> bytes:
    kind, has_clusters = dtype_name(gold.codes), gold.clusters is not None
    names = {column: groups.names for column, groups in gold.groups.items()}
    facts = {"labels": gold.labels, "kind": kind, "clusters": has_clusters}
    head = json.dumps(facts | ({"groups": names} if names else {})).encode()
    ids = json.dumps(gold.ids).encode()
    answers = array_to_bytes(gold.codes.astype("<u2") if gold.codes.dtype in LABEL_CODES else gold.codes)
    lengths = _LENGTHS.pack(len(head), len(ids), len(answers))
    clusters = b"" if gold.clusters is None else gold.clusters.astype(_CLUSTERS).tobytes()
    groups = b"".join(column.codes.astype(GROUP_CODE).tobytes() for column in gold.groups.values())
    return salt + lengths + head + _padding(head) + ids + answers + _padding(answers) + clusters + groups


def _from_bytes(plain: bytes) -> tuple[bytes, GoldLabels]:
    head_bytes, id_bytes, answer_bytes = _LENGTHS.unpack_from(plain, SALT_BYTES)
    head_at = SALT_BYTES + _LENGTHS.size
    head = json.loads(plain[head_at : head_at + head_bytes])
    ids_at = head_at + head_bytes + -head_bytes % BLOCK_BYTES
    ids = tuple(json.loads(plain[ids_at : ids_at + id_bytes]))
    answers = plain[ids_at + id_bytes : ids_at + id_bytes + answer_bytes]
    is_code = head["kind"] in {dtype.str for dtype in LABEL_CODES}
    codes = array_from_bytes(answers, "<u2" if is_code else head["kind"])
    if is_code:
        codes = codes.astype(head["kind"])
    at = ids_at + id_bytes + answer_bytes + -answer_bytes % BLOCK_BYTES
    clusters = None
    if head.get("clusters"):
        clusters = np.frombuffer(plain, dtype=_CLUSTERS, count=len(ids), offset=at)
        at += clusters.nbytes
    groups = {}
    for column, names in head.get("groups", {}).items():
        found = np.frombuffer(plain, dtype=GROUP_CODE, count=len(ids), offset=at)
        groups[column] = ItemGroups(tuple(names), found)
        at += found.nbytes
    return plain[:SALT_BYTES], GoldLabels(ids, codes, tuple(head["labels"]), clusters, groups)


def _padding(data: bytes) -> bytes:
    return bytes(-len(data) % BLOCK_BYTES)


def _seal(magic: bytes, plain: bytes, commitment: str, public_key: str) -> Sealed:
    key = PublicKey(_key_bytes(public_key))
    try:
        box = SealedBox(key).encrypt(plain)
    except CryptoError:  # some 32 bytes, such as all zeros, are no point that a secret can be shared with
        raise KeyWrongError from None
    mark = _key_mark(key)
    return Sealed(magic + mark + box, commitment, mark.hex())


def _unseal(magic: bytes, ciphertext: bytes, private_key: str | None) -> bytes:
    key = PrivateKey(_key_bytes(private_key))
    mark, box = ciphertext[len(magic) :][:_KEY_MARK_BYTES], ciphertext[len(magic) + _KEY_MARK_BYTES :]
    if not ciphertext.startswith(magic) or len(mark) < _KEY_MARK_BYTES:
        raise GoldDamagedError
    if mark != _key_mark(key.public_key):
        raise KeyWrongError
    with suppress(CryptoError, ValueError, TypeError):
        return SealedBox(key).decrypt(box)
    raise GoldDamagedError


def _key_bytes(text: str | None) -> bytes:
    if not text:
        raise KeyMissingError
    try:
        key = b64decode(text, validate=True)
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise KeyWrongError
    return key


def _key_mark(key: PublicKey) -> bytes:
    return sha256(bytes(key)).digest()[:_KEY_MARK_BYTES]
