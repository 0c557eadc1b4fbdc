"""How much of a score a phase shows while it runs: the rule, its settings, and the share of items kept back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalogue.section import Section

MOST_DIGITS = 6
LARGEST_SCALE = 10.0
LARGEST_REMAINDER = 0.9


SHOWN = "shown"
REMAINDER = "remainder"
"""The two parts of the items, where some are kept back for the end of a phase."""


class DisclosureRule(StrEnum):
    """What is shown of a score; what each does is in `scoring.core.disclosure`."""

    EXACT = "exact"
    PRECISION = "precision"
    LADDER = "ladder"
    NOISY_LADDER = "noisy_ladder"
    SPARING = "sparing"

    @property
    def shows_the_best(self) -> bool:
        """Whether a row shows its best answer so far, so that no other answer can count."""
        return self in (DisclosureRule.LADDER, DisclosureRule.NOISY_LADDER, DisclosureRule.SPARING)


@dataclass(frozen=True, slots=True)
class DisclosureSpec:
    """The rule of a phase.

    Attributes
    ----------
    rule : DisclosureRule
    digits : int
        Of `precision` alone: decimals of a score in 0..1, 1 to 6.
    scale : float
        Of `noisy_ladder` alone: the noise in standard errors of a score, above 0, at most 10.
    remainder : float
        Share of every split's items that counts at the end of the phase alone, 0 to 0.9. Until then the others are
        scored, and never again afterwards.
    """

    rule: DisclosureRule = DisclosureRule.EXACT
    digits: int = 2
    scale: float = 0.7
    remainder: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether every score is shown as it is, over all items."""
        return self.rule is DisclosureRule.EXACT and not self.remainder

    @property
    def key(self) -> str:
        """Rule and setting in one short text: what is shown under one key never mixes with another's.

        >>> DisclosureSpec(DisclosureRule.PRECISION, digits=3).key
        'precision 3'
        """
        settings = {
            DisclosureRule.PRECISION: f" {self.digits}",
            DisclosureRule.NOISY_LADDER: f" {self.scale:g}",
        }
        return f"{self.rule.value}{settings.get(self.rule, '')}"

    def part(self, *, at_the_end: bool) -> str:
        """Which items count: a part as `kept_back` reads it; empty for all.

        >>> DisclosureSpec(remainder=0.3).part(at_the_end=True)
        'remainder 0.3'
        """
        if not self.remainder:
            return ""
        return f"{REMAINDER if at_the_end else SHOWN} {self.remainder:g}"


EXACT_SCORES = DisclosureSpec()


def shown_part(part: str) -> str:
    """The items that were scored before those of a part were: the others of a remainder, else the same.

    >>> shown_part("remainder 0.3"), shown_part("shown 0.3"), shown_part("")
    ('shown 0.3', 'shown 0.3', '')
    """
    return part.replace(REMAINDER, SHOWN, 1)


def kept_back(part: str) -> float:
    """The share of the items that a part keeps back, or consists of.

    >>> kept_back("shown 0.3"), kept_back("remainder 0.3"), kept_back("")
    (0.3, 0.3, 0.0)
    """
    return float(part.partition(" ")[2] or 0)


def read_disclosure(phase: Section) -> DisclosureSpec:
    """The rule of a phase in a definition; one that does not say shows exact scores."""
    section = phase.optional_section("disclosure")
    if section is None:
        return EXACT_SCORES
    rule = section.choice("rule", DisclosureRule)
    digits, scale, remainder = EXACT_SCORES.digits, EXACT_SCORES.scale, EXACT_SCORES.remainder
    if rule is DisclosureRule.PRECISION:
        digits = section.number("digits", low=1, high=MOST_DIGITS)
    if rule is DisclosureRule.NOISY_LADDER and section.has("scale"):
        scale = _share(section, "scale", LARGEST_SCALE) or scale
    if section.has("remainder"):
        remainder = _share(section, "remainder", LARGEST_REMAINDER)
    section.close()
    return DisclosureSpec(rule, digits, scale, remainder)


def _share(section: Section, key: str, most: float) -> float:
    found = section.real(key)
    if 0 < found <= most:
        return found
    section.wrong(key, f"expected a number above 0 and up to {most:g}, found {found:g}")
    return 0.0
