"""Fields whose JSON keeps the order of its keys in every database, and validators and choices of fields."""

import gzip
import json
from typing import TYPE_CHECKING, Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from zstandard import ZstdCompressor, ZstdDecompressor

from catalogue.disclosure import RULES

SHA256_HEX = RegexValidator(r"\A[0-9a-f]{64}\Z")


class OrderedJSONField(models.JSONField):
    """JSON kept as text. PostgreSQL's own type would sort the keys of mappings, by length, and here order speaks.

    There are no lookups into it.
    """

    def get_internal_type(self) -> str:
        return "TextField"

    def get_db_prep_value(
        self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False
    ) -> str | None:
        return None if value is None else json.dumps(value, cls=self.encoder)


if TYPE_CHECKING:
    _BinaryField = models.BinaryField[Any, Any]
else:  # generic to checkers alone
    _BinaryField = models.BinaryField


_LEVEL = 9
# What begins with this was stored as gzip, as everything was before; it is read for good.
_GZIP = b"\x1f\x8b"


def unpacked(packed: bytes) -> Any:
    """What a `PackedJSONField` stores, as it was given."""
    is_old = packed.startswith(_GZIP)
    return json.loads(gzip.decompress(packed) if is_old else ZstdDecompressor().decompress(packed))


class PackedJSONField(_BinaryField):
    """JSON as zstd, the same for the same value; keys stay in their order. There are no lookups into it."""

    def get_prep_value(self, value: Any) -> bytes | None:
        return None if value is None else ZstdCompressor(level=_LEVEL).compress(json.dumps(value).encode())

    def from_db_value(self, value: Any, *_: Any) -> Any:
        return None if value is None else unpacked(bytes(value))

    def value_to_string(self, obj: models.Model) -> str:
        return json.dumps(self.value_from_object(obj))

    def to_python(self, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value


def rule_choices() -> list[tuple[str, str]]:
    """Every rule of disclosure by its key, with its title."""
    return [(rule.key, rule.texts.title) for rule in RULES]
