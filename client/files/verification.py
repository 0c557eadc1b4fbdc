"""Check public gold labels against the commitment that was published when they were sealed."""

import hmac
import string
from hashlib import sha256
from pathlib import Path

from client.errors import ClientError

SALT_BYTES = 32
_DIGEST_BYTES = 32


def matches(path: Path, salt: str, commitment: str) -> bool:
    """Whether the commitment is the SHA-256 of the 32 salt bytes followed by the file.

    Raises
    ------
    ClientError
        If the file cannot be read, or salt or commitment are not 64 hexadecimal digits.
    """
    salt_bytes = _digits(salt, SALT_BYTES, "salt")
    expected = _digits(commitment, _DIGEST_BYTES, "commitment")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from None
    return hmac.compare_digest(sha256(salt_bytes + data).digest(), expected)


def _digits(text: str, size: int, name: str) -> bytes:
    text = text.strip()
    if len(text) != 2 * size or not set(text) <= set(string.hexdigits):
        raise ClientError(
            f"The {name} is {2 * size} hexadecimal digits, as the task's page shows it; found {len(text)} characters."
        )
    return bytes.fromhex(text)
