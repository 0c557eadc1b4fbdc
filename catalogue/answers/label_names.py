"""The labels of one task: their codes, and what to say about any other label."""

from collections import Counter
from collections.abc import Iterable

from catalogue.answers.reading import NUMBER
from catalogue.problems import MAX_PROBLEMS, FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.suggestions import composed, loose_label, near, without_decimals

_FEW, _STILL_FEW = 5, 8  # labels that are all named: beside the nearest one, and where none is near
_CASE = "upper and lower case"
_SPACES = "spaces, underscores or hyphens"
_DIFFERENCES = {
    "": _SPACES,
    "around": _SPACES,
    "accents": "how their accents are written: Unicode NFC and NFD",
}
_MOST_COMPARED = 20_000  # names for one file: a second

_MOST_KEPT = 1_000  # labels that are none, which many rows of a file may have


class LabelNames:
    """Looks labels up and explains those that are not in the set. `also_written` are (written, label)."""

    def __init__(self, names: tuple[str, ...], also_written: Iterable[tuple[str, str]] = ()) -> None:
        self.names = names
        self.code_of = {name: code for code, name in enumerate(names)}
        self.code_of |= {written: self.code_of[label] for written, label in also_written}
        self._near_left = min(MAX_PROBLEMS, max(_FEW, _MOST_COMPARED // len(names)))
        self._kinds: dict[str, FaultKind] = {}
        self._has_numbers = any(name.isdigit() for name in names)
        self._loose = {loose_label(name): name for name in reversed(names)}
        times = Counter(map(without_decimals, names))
        self._of_number = {bare: name for name in names if times[bare := without_decimals(name)] == 1}

    def is_like_a_name(self, found: str) -> bool:
        """True for a label as the task lists it, in whatever case and with whatever spaces."""
        return loose_label(found) in self._loose

    def nearly(self, found: str) -> bool:
        """True for a label, and for one in other case or with other spaces."""
        return found in self.code_of or self.is_like_a_name(found)

    def kind(self, found: str) -> FaultKind:
        """The kind of what `explain` says, without the sentence."""
        kind = self._kinds.get(found) or self._kind(found)
        if len(self._kinds) < _MOST_KEPT:
            self._kinds[found] = kind
        return kind

    def _kind(self, found: str) -> FaultKind:
        if not found:
            return ProblemCode.EMPTY_LABEL, ""
        meant = self._loose.get(loose_label(found))
        if meant is None:
            if self._with_decimals(found):
                return ProblemCode.UNKNOWN_LABEL, "decimal"
            return ProblemCode.UNKNOWN_LABEL, "numbered" if self._is_numbered(found) else ""
        if found.casefold() == meant.casefold():
            return ProblemCode.LABEL_CASE, ""
        if composed(found) == composed(meant):
            return ProblemCode.LABEL_SPACING, "accents"
        return ProblemCode.LABEL_SPACING, "around" if found.strip() in self.code_of else ""

    def explain(self, found: str) -> Finding:
        """What is wrong with a label that is not in the set, and which label is nearest."""
        code, pattern = self.kind(found)
        if code is ProblemCode.UNKNOWN_LABEL:
            return self._unknown(found, pattern)
        meant = self._loose.get(loose_label(found))
        if meant is None or code is ProblemCode.EMPTY_LABEL:
            return Finding(
                code,
                f"The label is empty. Give one of the task's {len(self.names)} labels.",
                found="",
                expected=self._expected(),
            )
        difference = _CASE if code is ProblemCode.LABEL_CASE else _DIFFERENCES[pattern]
        return Finding(
            code,
            f"{quoted(found)} is not a label of this task; {quoted(meant)} is. They differ in {difference}.",
            found=visible(found),
            expected=self._expected(meant),
            pattern=pattern,
        )

    def _with_decimals(self, found: str) -> str | None:
        """The one label that is the same whole number, where this text is one with `.0` behind it."""
        bare = without_decimals(found.strip())
        return self._of_number.get(bare) if bare != found.strip() else None

    def _unknown(self, found: str, pattern: str) -> Finding:
        if meant := self._with_decimals(found):
            message = f"{quoted(found)} is not a label of this task; {quoted(meant)} is. Write whole numbers as such."
            return Finding(ProblemCode.UNKNOWN_LABEL, message, visible(found), self._expected(meant), pattern)
        closest = None
        if self._near_left and not NUMBER.fullmatch(found.strip()):
            # Comparing takes up to a millisecond, and of many unknown labels only the first are shown.
            self._near_left -= 1
            closest = near(found, self.names)
        hint = f"Nearest: {quoted(closest)}." if closest else f"Expected: {self._expected()}."
        message = f"{quoted(found)} is not a label of this task. {hint}"
        if pattern == "numbered":
            message += " Labels are written out, not numbered."
        return Finding(ProblemCode.UNKNOWN_LABEL, message, visible(found), self._expected(closest), pattern)

    def _is_numbered(self, found: str) -> bool:
        return not self._has_numbers and found.strip().isdigit()

    def _expected(self, closest: str | None = None) -> str:
        named = " | ".join(self.names) if len(self.names) <= (_FEW if closest else _STILL_FEW) else closest
        return named or f"one of {len(self.names)} labels"
