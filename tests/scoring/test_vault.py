import base64
import hashlib
import traceback

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.intake.sealing import (
    GoldDamagedError,
    GoldLabels,
    KeyMissingError,
    KeyPair,
    KeyWrongError,
    VaultError,
    canonical_csv,
    generate_keypair,
    key_fingerprint,
    open_sealed,
    open_with_salt,
    seal,
    verify_commitment,
)

IDS = ("planted-id-50", "planted-id-51", "planted-id-52", "planted-id-53")
KEYS = generate_keypair()


def gold_of(
    codes: list[int], labels: tuple[str, ...] = ("planted-token-no", "planted-token-yes")
) -> GoldLabels:
    return GoldLabels(ids=IDS, codes=np.array(codes, dtype=np.uint8), labels=labels)


@pytest.fixture
def gold() -> GoldLabels:
    return gold_of([0, 1, 1, 0])


def flip(data: bytes, position: int) -> bytes:
    changed = bytearray(data)
    changed[position] ^= 1
    return bytes(changed)


def test_sealed_gold_opens_with_the_private_key(gold):
    sealed = seal(gold, KEYS.public)

    opened = open_sealed(sealed.ciphertext, KEYS.private, sealed.commitment)

    assert opened.ids == gold.ids
    assert opened.labels == gold.labels
    assert opened.codes.tolist() == gold.codes.tolist()


def test_sealed_gold_keeps_codes_of_more_than_one_byte():
    labels = tuple(f"label {code}" for code in range(300))
    gold = GoldLabels(ids=("a", "b"), codes=np.array([299, 3], dtype=np.uint16), labels=labels)

    opened = open_sealed(seal(gold, KEYS.public).ciphertext, KEYS.private)

    assert opened.codes.dtype == np.uint16
    assert opened.codes.tolist() == [299, 3]


def test_sealed_gold_keeps_ids_and_labels_of_any_script():
    gold = GoldLabels(ids=("ü,1", 'q"2'), codes=np.array([1, 0], dtype=np.uint8), labels=("否", "نعم"))

    opened = open_sealed(seal(gold, KEYS.public).ciphertext, KEYS.private)

    assert (opened.ids, opened.labels) == (gold.ids, gold.labels)


def test_sealing_twice_gives_other_bytes_and_another_commitment(gold):
    first, second = seal(gold, KEYS.public), seal(gold, KEYS.public)

    assert first.ciphertext != second.ciphertext
    assert first.commitment != second.commitment


def test_sealed_bytes_show_neither_ids_nor_labels(gold):
    ciphertext = seal(gold, KEYS.public).ciphertext

    assert b"planted-token" not in ciphertext
    assert b"planted-id" not in ciphertext


def test_sealed_length_does_not_depend_on_the_labels(gold):
    others = [
        gold_of([0, 0, 0, 0]),
        gold_of([1, 0, 0, 1], labels=("n", "a much longer name of a label than the other one")),
        gold_of([2, 1, 0, 2], labels=("one", "two", "three")),
    ]

    lengths = {len(seal(other, KEYS.public).ciphertext) for other in [gold, *others]}

    assert len(lengths) == 1


def test_commitment_can_be_recomputed_by_an_outsider(gold):
    sealed = seal(gold, KEYS.public)
    published_csv = (
        b"id,label\n"
        b"planted-id-50,planted-token-no\n"
        b"planted-id-51,planted-token-yes\n"
        b"planted-id-52,planted-token-yes\n"
        b"planted-id-53,planted-token-no\n"
    )

    salt = open_with_salt(sealed.ciphertext, KEYS.private)[0]

    assert len(salt) == 32
    assert hashlib.sha256(salt + published_csv).hexdigest() == sealed.commitment


def test_canonical_csv_quotes_only_the_cells_that_need_it():
    gold = GoldLabels(
        ids=("a,b", 'say "hi"', "two\nlines", " spaced "),
        codes=np.array([0, 1, 2, 0], dtype=np.uint8),
        labels=("é", "car\rriage", "plain"),
    )

    assert canonical_csv(gold).decode() == (
        'id,label\n"a,b",é\n"say ""hi""","car\rriage"\n"two\nlines",plain\n spaced ,é\n'
    )


def test_commitment_holds_for_the_same_labels_under_other_codes(gold):
    sealed = seal(gold, KEYS.public)
    recoded = gold_of([1, 0, 0, 1], labels=("planted-token-yes", "planted-token-no"))

    assert verify_commitment(open_with_salt(sealed.ciphertext, KEYS.private)[0], recoded, sealed.commitment)


def test_commitment_fails_for_one_changed_label_or_another_salt(gold):
    sealed = seal(gold, KEYS.public)
    salt = open_with_salt(sealed.ciphertext, KEYS.private)[0]

    assert verify_commitment(salt, gold, sealed.commitment)
    assert not verify_commitment(salt, gold_of([0, 1, 1, 1]), sealed.commitment)
    assert not verify_commitment(flip(salt, 0), gold, sealed.commitment)


@pytest.mark.parametrize("key", [None, ""])
def test_opening_without_a_key_is_key_missing(gold, key):
    with pytest.raises(KeyMissingError) as caught:
        open_sealed(seal(gold, KEYS.public).ciphertext, key)

    assert caught.value.code == "key_missing"


NOT_THE_KEY = {
    "another pair": generate_keypair().private,
    "the public key": KEYS.public,
    "not base64": "nö key",
    "too short": base64.b64encode(bytes(31)).decode(),
}


@pytest.mark.parametrize("key", NOT_THE_KEY.values(), ids=NOT_THE_KEY.keys())
def test_opening_with_another_key_is_key_wrong(gold, key):
    with pytest.raises(KeyWrongError) as caught:
        open_sealed(seal(gold, KEYS.public).ciphertext, key)

    assert caught.value.code == "key_wrong"


@pytest.mark.parametrize("key", ["", "not a key", base64.b64encode(bytes(32)).decode()])
def test_sealing_to_what_is_no_key_fails_with_a_code(gold, key):
    with pytest.raises((KeyMissingError, KeyWrongError)):
        seal(gold, key)


def damage() -> dict[str, bytes]:
    ciphertext = seal(gold_of([0, 1, 1, 0]), KEYS.public).ciphertext
    return {
        "empty": b"",
        "no magic": flip(ciphertext, 0),
        "only the prefix": ciphertext[:16],
        "cut in the prefix": ciphertext[:12],
        "first byte of the box": flip(ciphertext, 16),
        "last byte": flip(ciphertext, -1),
        "cut": ciphertext[:-1],
        "longer": ciphertext + b"\0",
    }


DAMAGED = damage()


@pytest.mark.parametrize("ciphertext", DAMAGED.values(), ids=DAMAGED.keys())
def test_opening_altered_bytes_is_gold_damaged(ciphertext):
    with pytest.raises(GoldDamagedError) as caught:
        open_sealed(ciphertext, KEYS.private)

    assert caught.value.code == "gold_damaged"


def test_opening_against_the_commitment_of_other_gold_is_gold_damaged(gold):
    other = seal(gold_of([1, 1, 1, 1]), KEYS.public)

    with pytest.raises(GoldDamagedError):
        open_sealed(seal(gold, KEYS.public).ciphertext, KEYS.private, other.commitment)


@given(st.binary(max_size=200))
def test_opening_any_bytes_whatever_fails_with_a_code_only(data):
    sealed_prefix = seal(gold_of([0, 0, 0, 0]), KEYS.public).ciphertext[:16]

    for ciphertext in (data, sealed_prefix + data):
        with pytest.raises(VaultError):
            open_sealed(ciphertext, KEYS.private)


def test_errors_say_their_code_and_carry_no_other_exception(gold):
    ciphertext = seal(gold, KEYS.public).ciphertext
    attempts = [(ciphertext, None), (ciphertext, "nö key"), (flip(ciphertext, 40), KEYS.private)]

    for attempt in attempts:
        with pytest.raises(VaultError) as caught:
            open_sealed(*attempt)

        error = caught.value
        assert str(error) == error.code
        assert error.args == ()
        assert error.__cause__ is None
        assert error.__context__ is None
        assert "planted-token" not in "".join(traceback.format_exception(error))


def test_nothing_secret_shows_in_a_repr(gold):
    sealed = seal(gold, KEYS.public)

    shown = f"{KEYS!r} {gold!r} {sealed!r} {[gold]} {gold} {KEYS}"

    assert KEYS.private not in shown
    assert "planted-token" not in shown
    assert "planted-id" not in shown
    assert repr(sealed.ciphertext) not in shown


def test_keypair_shows_its_public_key():
    assert repr(KeyPair(public="abc", private="def")) == "KeyPair(public='abc')"


def test_key_fingerprint_names_the_public_key_and_stands_beside_the_sealed_gold(gold):
    digest = hashlib.sha256(base64.b64decode(KEYS.public)).hexdigest()

    assert key_fingerprint(KEYS.public) == digest[:16]
    assert seal(gold, KEYS.public).key_fingerprint == digest[:16]


@pytest.mark.parametrize(
    ("ids", "codes", "labels", "rule"),
    [
        (("50", "51"), np.array([0], dtype=np.uint8), ("secret",), "one answer per id"),
        ((), np.array([], dtype=np.uint8), ("secret",), "at least one item"),
        (("50", "50"), np.array([0, 0], dtype=np.uint8), ("secret",), "each item once"),
        (("50",), np.array([1], dtype=np.uint8), ("secret",), "a name for every code"),
        (("50",), np.array([1], dtype=np.uint8), ("secret", "secret"), "distinct"),
    ],
)
def test_gold_labels_that_do_not_fit_together_are_refused_without_showing_any(ids, codes, labels, rule):
    with pytest.raises(ValueError, match=rule) as caught:
        GoldLabels(ids=ids, codes=codes, labels=labels)

    assert "secret" not in str(caught.value)
