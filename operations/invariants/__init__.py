"""What always holds, one module for each invariant; checked every hour and by `manage.py check_invariants`.

To add one, write its module: `INVARIANTS` finds it there. `tests/operations/test_invariants.py` breaks each.
"""

from catalogue.registry import Registry, classes_of
from operations.violation import Invariant

INVARIANTS = Registry[Invariant](
    "invariant",
    *sorted(
        (found() for found in classes_of(__name__) if issubclass(found, Invariant)),
        key=lambda one: int(one.key.removeprefix("I")),
    ),
)
