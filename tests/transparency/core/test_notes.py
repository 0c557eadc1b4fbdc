"""Signed notes, checkpoints and receipts: read back as they were signed, and refused once a character is another."""

import pytest

from transparency.core.canonical import canonical_json, digest_of
from transparency.core.checkpoints import TreeHead, read_checkpoint
from transparency.core.receipts import UploadReceipt, read_receipt
from transparency.core.signed_notes import BadNote, Signer, Verifier, verified_text

# The example of Go's package note, golang.org/x/mod/sumdb/note.
GO_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "\u2014 PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
SIGNER = Signer.generate("heldout.example.org/log")
HEAD = TreeHead(7, b"r" * 32)
RECEIPT = UploadReceipt(
    "6f1c5c0e-8d0b-4b0e-9f0e-0b8f6d1a2b3c", "ab" * 32, "2026-11-18T12:00:00.000000Z", "toy", "main"
)


def test_a_note_of_another_implementation_is_read_and_made():
    verifier, text = Verifier.read(GO_VERIFIER), GO_NOTE.partition("\n\n")[0] + "\n"
    assert verified_text(GO_NOTE, verifier) == text
    signer = Signer.read(GO_SECRET)
    assert (str(signer.verifier), signer.written(), signer.sign(text)) == (GO_VERIFIER, GO_SECRET, GO_NOTE)


def test_a_checkpoint_is_read_as_it_was_signed():
    note = HEAD.signed(SIGNER)
    assert note.splitlines()[:2] == ["heldout.example.org/log", "7"]
    assert read_checkpoint(note, Verifier.read(str(SIGNER.verifier))) == HEAD


@pytest.mark.parametrize("change", [("\n7\n", "\n8\n"), ("cnJy", "cnJz"), ("org/log\n7", "com/log\n7")])
def test_a_changed_checkpoint_is_refused(change):
    note = HEAD.signed(SIGNER)
    assert change[0] in note
    with pytest.raises(BadNote, match="not one of this text"):
        read_checkpoint(note.replace(*change), SIGNER.verifier)


def test_a_checkpoint_of_another_key_of_the_same_name_is_refused():
    with pytest.raises(BadNote, match="no signature of the key"):
        read_checkpoint(HEAD.signed(Signer.generate(SIGNER.name)), SIGNER.verifier)


def test_a_signed_text_that_is_no_checkpoint_is_refused():
    with pytest.raises(BadNote, match="no checkpoint"):
        read_checkpoint(SIGNER.sign("heldout.example.org/log\n-7\ncnJy\n"), SIGNER.verifier)


def test_a_receipt_is_read_as_it_was_signed():
    note = RECEIPT.signed(SIGNER)
    assert read_receipt(note, SIGNER.verifier) == RECEIPT
    with pytest.raises(BadNote):
        read_receipt(note.replace("12:00", "11:00"), SIGNER.verifier)
    with pytest.raises(BadNote, match="no receipt"):
        read_receipt(SIGNER.sign("{}\n"), SIGNER.verifier)
    with pytest.raises(BadNote, match="no receipt"):
        read_receipt(HEAD.signed(SIGNER), SIGNER.verifier)


@pytest.mark.parametrize("name", ["", "two words", "a+b"])
def test_a_name_that_notes_have_no_place_for_is_refused(name):
    with pytest.raises(BadNote, match="cannot be the name"):
        Signer.generate(name)


@pytest.mark.parametrize("text", ["", "name", "name+00000000+AAAA", GO_VERIFIER.replace("c74f", "c74e")])
def test_what_is_no_key_is_refused(text):
    with pytest.raises(BadNote):
        Verifier.read(text)
    with pytest.raises(BadNote, match="no secret key"):
        Signer.read(text)


def test_a_secret_key_is_in_no_message_and_no_repr():
    secret = SIGNER.written()
    assert SIGNER.secret.hex() not in repr(SIGNER) + str(SIGNER)
    with pytest.raises(BadNote) as refused:
        Signer.read(secret[:-3])
    assert secret[-20:-3] not in str(refused.value)


def test_json_has_one_spelling():
    document = {"b": ["é", 1, None, True], "a": {"z": "", "y": []}}
    assert canonical_json(document) == '{"a":{"y":[],"z":""},"b":["é",1,null,true]}'.encode()
    assert digest_of(document) == digest_of({"a": {"y": [], "z": ""}, "b": ("é", 1, None, True)})


@pytest.mark.parametrize("value", [1.0, float("nan"), b"x", {1: "a"}, {"é": 1}, {"a": [0.5]}])
def test_what_has_several_spellings_is_refused(value):
    with pytest.raises(ValueError, match=r"spelling|key"):
        canonical_json({"value": value})
