"""The labels of one task: their codes, and what to say about any other label."""

from collections.abc import Iterable

from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.suggestions import loose_label, near

_FEW = 5


class LabelNames:
    """Looks labels up and explains those that are not in the set. `also_written` are (written, label)."""

    def __init__(self, names: tuple[str, ...], also_written: Iterable[tuple[str, str]] = ()) -> None:
        self.names = names
        self.code_of = {name: code for code, name in enumerate(names)}
        self.code_of |= {written: self.code_of[label] for written, label in also_written}
        self._loose = {loose_label(name): name for name in reversed(names)}

    def is_like_a_name(self, found: str) -> bool:
        """True for a label as the task lists it, in whatever case and with whatever spaces."""
        return loose_label(found) in self._loose

    def nearly(self, found: str) -> bool:
        """True for a label, and for one in other case or with other spaces."""
        return found in self.code_of or self.is_like_a_name(found)

    def explain(self, found: str) -> Finding:
        """What is wrong with a label that is not in the set, and which label is nearest."""
        if not found:
            return Finding(
                ProblemCode.EMPTY_LABEL,
                f"The label is empty. Give one of the task's {len(self.names)} labels.",
                found="",
                expected=self._expected(),
            )
        meant = self._loose.get(loose_label(found))
        if meant is None:
            return self._unknown(found)
        if found.casefold() == meant.casefold():
            code, difference = ProblemCode.LABEL_CASE, "upper and lower case"
        else:
            code, difference = ProblemCode.LABEL_SPACING, "spaces, underscores or hyphens"
        return Finding(
            code,
            f"{quoted(found)} is not a label of this task; {quoted(meant)} is. They differ in {difference}.",
            found=visible(found),
            expected=self._expected(meant),
        )

    def _unknown(self, found: str) -> Finding:
        closest = near(found, self.names)
        hint = f"Nearest: {quoted(closest)}." if closest else f"Expected: {self._expected()}."
        message = f"{quoted(found)} is not a label of this task. {hint}"
        if found.strip().isdigit() and not any(name.isdigit() for name in self.names):
            message += " Labels are written out, not numbered."
        return Finding(ProblemCode.UNKNOWN_LABEL, message, visible(found), self._expected(closest))

    def _expected(self, closest: str | None = None) -> str:
        named = " | ".join(self.names) if len(self.names) <= _FEW else closest
        return named or f"one of {len(self.names)} labels"
