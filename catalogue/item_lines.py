"""An item as one line of what is public of a split: its id and, where answers label tokens, the item's tokens."""

from collections.abc import Sequence

# Between the id and the tokens: a character that neither can hold.
_BETWEEN = "\x1f"
# The tokens of one item; each is empty where nobody knows more of them than how many there are.
Tokens = tuple[str, ...]


def item_line(item: str, tokens: Sequence[str] = ()) -> str:
    return _BETWEEN.join((item, *tokens))


def id_and_tokens(line: str) -> tuple[str, Tokens]:
    """What `item_line` wrote."""
    item, *tokens = line.split(_BETWEEN)
    return item, tuple(tokens)


def ids_in(lines: bytes) -> list[str]:
    """The ids of lines in UTF-8, without the tokens."""
    return [line.partition(_BETWEEN)[0] for line in lines.decode().split("\n")]
