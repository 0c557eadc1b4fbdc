"""Metrics that packages bring which are installed beside the server, by entry points of the group `heldout.metrics`."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.metadata import entry_points

from catalogue.metrics.metric import AnyMetric, Metric

GROUP = "heldout.metrics"


class PackageError(ImportError):
    """A package whose entry point brings no metrics; the message names package and entry point."""


def packaged_metrics(own: Iterable[AnyMetric]) -> Iterator[AnyMetric]:
    """The metrics of all installed packages, by name of the entry point; package and version stand with their source.

    Raises
    ------
    PackageError
        If an entry point cannot be imported, names something else than a `Metric` or a tuple of them, or brings a name
        that a kind of answer has already.
    """
    taken = {(metric.name, kind) for metric in own for kind in metric.kinds}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        package = f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"
        try:
            brought = point.load()
        except Exception as error:
            raise PackageError(
                f"{package}: its entry point `{point.name}` of {GROUP} cannot be imported: {error}"
            ) from error
        metrics = brought if isinstance(brought, tuple) else (brought,)
        if not metrics or not all(isinstance(metric, Metric) for metric in metrics):
            raise PackageError(
                f"{package}: its entry point `{point.name}` of {GROUP} must name a Metric or a tuple of them."
            )
        for metric in metrics:
            meant = {(metric.name, kind) for kind in metric.kinds}
            if not taken.isdisjoint(meant):
                raise PackageError(
                    f"{package}: there is a metric `{metric.name}` for these answers already. Give it another name."
                )
            taken |= meant
            libraries = (*metric.libraries, *((point.dist.name,) if point.dist else ()))
            yield replace(metric, reference=f"{metric.reference} ({package})", libraries=libraries)
