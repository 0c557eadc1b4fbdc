"""Metrics of frames: of their intents, of what stands in their slots, and of both together."""

from catalogue.metrics.slots import of_frames

METRICS = of_frames.METRICS
