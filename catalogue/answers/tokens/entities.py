"""Entities in a text, marked by a label for each token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from catalogue.answers.tokens.per_token import PerToken
from catalogue.answers.tokens.plain_labels import refuse_blanks
from catalogue.answers.tokens.schemes import OUTSIDE, Scheme, mark_entities, scheme_of
from catalogue.gold_column import GoldColumn
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.section import Section

_FEW = 10


@dataclass(frozen=True, slots=True)
class TokenEntities(PerToken):
    """Entities of declared types, marked by a label for each token: `O` outside, else a prefix, `-` and the type."""

    key = "token_entities"
    stored_name = "TokenEntities"
    phrase = "entities marked token by token"
    title = "Entities in the text: a label for each token, such as B-person, I-person and O"
    instruction = (
        "Give each token of each item a label that says whether it is part of an entity, and of which type."
    )
    metric = "f1_micro"

    types: tuple[str, ...]
    scheme: Scheme = Scheme.IOB2

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        types = output.texts("types")
        if not types:
            output.wrong("types", "expected the types of entities, at least one")
        refuse_blanks(output, "types", types)
        return cls(types, output.choice("scheme", Scheme, Scheme.IOB2))

    @property
    def entity_types(self) -> tuple[str, ...]:
        return self.types

    @property
    def labels(self) -> tuple[str, ...]:
        return (OUTSIDE, *(f"{prefix}-{name}" for name in self.types for prefix in self.scheme.prefixes))

    def describe(self) -> str:
        return f"a label for each token, and labels mark entities of {len(self.types)} types ({self.scheme.upper()})"

    def wrong_form(self, label: str) -> Finding | None:
        prefix, between, name = label.partition("-")
        if label in self.types:
            right = [f"{prefix}-{label}" for prefix in self.scheme.prefixes]
            return _wrong(label, "prefix", f"{quoted(label)} has no prefix. Write", right)
        if not between or (name in self.types) == (prefix in tuple(self.scheme.prefixes)):
            return None
        if name in self.types:
            message = f"{quoted(prefix)} is no prefix of {self.scheme.upper()}. Expected"
            return _wrong(label, "scheme", message, list(self.scheme.prefixes))
        return _wrong(label, "type", f"{quoted(name)} is no type of this task. Expected", list(self.types))

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        return column.shape in cls.gold_shapes() and mark_entities(column.words)

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        """The types, and the first scheme that all labels keep."""
        types = {name for label in set(column.words) if (name := label.partition("-")[2])}
        return {"types": sorted(types), "scheme": scheme_of(column.parts).value}


def _wrong(label: str, pattern: str, message: str, right: list[str]) -> Finding:
    *most, last = right[:_FEW]
    either = f"{', '.join(most)} or {last}" if most else last
    more = f", or another of {len(right)}" if len(right) > _FEW else ""
    return Finding(
        ProblemCode.UNKNOWN_LABEL,
        f"{message} {either}{more}.",
        visible(label),
        " | ".join(right[:_FEW]),
        pattern,
    )
