"""Options and words of a campaign as an organiser types them, one a line; every fault is told with its line."""

from collections.abc import Iterator, Mapping

from catalogue.layouts.text_lines import first_forbidden
from catalogue.problems import quoted
from labelling.core.questions.question import Option
from labelling.core.worker_words import DEFAULTS, UnfitWords, check_words

BAR = "|"
ALONE = "alone"
LONGEST_VALUE = 64
LONGEST_TEXT = 300
_MOST_PARTS = 4


class UnfitLines(ValueError):
    """Lines that cannot be read; `sentences` has one for each fault."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


def read_options(text: str) -> tuple[Option, ...]:
    """The options that lines state: `joy | Joy | also serenity and ecstasy | alone`.

    That is the value in answers and files, the words on the button, what is meant, and whether it stands alone. All
    but the first may be left out; without words the button says the value.

    Raises
    ------
    UnfitLines
        For each line with an unfit or doubled value, too many parts, or a last part that is not `alone`.
    """
    options: list[Option] = []
    faults: list[str] = []
    lines: dict[str, int] = {}
    for number, line in _lines(text):
        value, *parts = (part.strip() for part in line.split(BAR))
        fault = _fault(value, parts)
        if fault is None and value in lines:
            fault = f"{quoted(value)} stands on line {lines[value]} already. Keep one of the two."
        if fault is not None:
            faults.append(f"Line {number}: {fault}")
            continue
        lines[value] = number
        words, gloss, alone = [*parts, "", "", ""][:3]
        options.append(Option(value, words or value, gloss, alone == ALONE))
    if faults:
        raise UnfitLines(*faults)
    return tuple(options)


def write_options(options: tuple[Option, ...]) -> str:
    """The lines that `read_options` reads."""
    return "\n".join(
        f" {BAR} ".join([option.value, option.text, option.gloss, ALONE])
        if option.alone
        else f" {BAR} ".join(filter(None, [option.value, option.text, option.gloss]))
        for option in options
    )


def read_words(text: str) -> dict[str, str]:
    """The words that lines state for keys of workers' pages: `send: Weiter`. UnfitLines for each that states none."""
    words: dict[str, str] = {}
    faults: list[str] = []
    for number, line in _lines(text):
        key, colon, said = (part.strip() for part in line.partition(":"))
        fault = _words_fault(key, said if colon else "")
        if not fault and key in words:
            fault = f"{quoted(key)} stands there twice. Keep one of the two."
        if fault:
            faults.append(f"Line {number}: {fault}")
        else:
            words[key] = said
    if faults:
        raise UnfitLines(*faults)
    return words


def write_words(words: Mapping[str, str]) -> str:
    """The lines that `read_words` reads."""
    return "\n".join(f"{key}: {said}" for key, said in words.items())


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, line


def _words_fault(key: str, said: str) -> str:
    if not said or first_forbidden(said):
        return f"write a key, a colon and printable words, such as send: {DEFAULTS['send']}."
    try:
        check_words({key: said})
    except UnfitWords as unfit:
        return str(unfit)
    return ""


def _fault(value: str, parts: list[str]) -> str | None:
    if not value or len(value) > LONGEST_VALUE or first_forbidden(value):
        return f"{quoted(value)} cannot be the value of an option: give 1 to {LONGEST_VALUE} printable characters."
    if len(parts) >= _MOST_PARTS:
        return (
            f"there are {len(parts) + 1} parts; expected are value {BAR} words {BAR} meaning {BAR} {ALONE}."
        )
    if len(parts) == _MOST_PARTS - 1 and parts[-1] not in ("", ALONE):
        return f"the last part is {quoted(parts[-1])}; expected is {ALONE}, or nothing."
    long = next((part for part in parts if len(part) > LONGEST_TEXT or first_forbidden(part)), None)
    return f"words and meaning have at most {LONGEST_TEXT} printable characters." if long else None
