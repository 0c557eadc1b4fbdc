"""How much is done where more of the same can be: less in `make test`, all in the suites that set AT_LENGTH."""

import os

AT_LENGTH = bool(os.environ.get("AT_LENGTH"))
"""Set by `make faults` and `make thorough`."""


def examples(most: int) -> int:
    """So many does hypothesis draw: in `make test` a quarter, for `make thorough` draws all for every such test."""
    return most if AT_LENGTH else -(-most // 4)
