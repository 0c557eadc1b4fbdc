"""Forms that were opened before somebody else changed what they show: they would put back what that person changed.

Those of rows, and those of buttons that begin with what is stored.
"""

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

from django import forms

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[Any]
else:
    BaseForm = object

AnyForm = TypeVar("AnyForm", bound=forms.BaseForm)

STALE = (
    "This was changed since you opened the page, so nothing was saved. Your entries stand below. To read "
    "what is stored now, open the page again; to put your entries in its place, save once more."
)


@runtime_checkable
class StandsOnMore(Protocol):
    """A form that is stale, too, once something has changed that none of its fields shows; `stale` says so."""

    stale: str

    def stands_on(self) -> object:
        """What must be as it was when the page was opened; its `repr` tells it from all else."""


class RefusesStale(BaseForm):
    """What a form asks for besides: that what it showed is as it was when the page was opened."""

    @property
    def as_opened(self) -> str:
        """A digest of what is stored in the fields that one sees, and beside them; the page sends it along."""
        seen: dict[str, object] = {
            name: self.get_initial_for_field(field, name)
            for name, field in self.fields.items()
            if not field.widget.is_hidden
        }
        if isinstance(self, StandsOnMore):
            seen[""] = self.stands_on()
        return sha256(repr(sorted(seen.items())).encode()).hexdigest()

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        if self.data.get("as_opened", self.as_opened) != self.as_opened:
            self.add_error(None, self.stale if isinstance(self, StandsOnMore) else STALE)
        return values


def refusing_stale(form: type[AnyForm]) -> type[AnyForm]:
    """The form, which takes nothing where somebody else has changed meanwhile what it began with."""
    return cast(type[AnyForm], type(form.__name__, (RefusesStale, form), {}))
