"""The tasks of a definition: what a system answers, how its files are written, and what is measured."""

from benchmarks.spec.tasks.sections import read_tasks

__all__ = ["read_tasks"]
