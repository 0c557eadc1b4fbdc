"""How much of a score a phase shows while it runs: the rule, its settings, and the share of items kept back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from catalogue.disclosure import RULES, Exact, Rule
from catalogue.disclosure.rule import DEFAULT_SETTINGS, RuleSettings, read_share
from catalogue.section import Section

LARGEST_REMAINDER = 0.9

SHOWN = "shown"
REMAINDER = "remainder"
"""The two parts of the items, where some are kept back for the end of a phase."""


@dataclass(frozen=True, slots=True)
class DisclosureSpec:
    """The rule of a phase.

    Attributes
    ----------
    rule : type of Rule
    settings : RuleSettings
        Those that the rule does not read are kept for when it is changed.
    remainder : float
        Share of every split's items that counts at the end of the phase alone, 0 to 0.9. Until then the others are
        scored, and never again afterwards.
    """

    rule: type[Rule] = Exact
    settings: RuleSettings = DEFAULT_SETTINGS
    remainder: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether every score is shown as it is, over all items."""
        return self.rule.shows_all and not self.remainder

    @property
    def in_force(self) -> Rule:
        return self.rule.of(self.settings)

    @property
    def code(self) -> str:
        return self.in_force.code()

    def stored(self) -> dict[str, str | float]:
        """As it is kept with a batch, and read again by `from_stored`."""
        return {"rule": self.rule.key, **asdict(self.settings), "remainder": self.remainder}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        """The rule that was kept; exact scores where nothing was."""
        if not stored:
            return cls()
        settings = RuleSettings(stored["digits"], stored["scale"])
        return cls(RULES[stored["rule"]], settings, stored["remainder"])

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
    rule = section.member("rule", RULES)
    settings = rule.declared(section)
    remainder = 0.0
    if section.has("remainder"):
        remainder = read_share(section, "remainder", LARGEST_REMAINDER)
    section.close()
    return DisclosureSpec(rule, settings, remainder)
