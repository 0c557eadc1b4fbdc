"""Metrics of places on earth: how far answers lie from gold labels along great circles, and how many lie near.

Gold labels and predictions are latitudes with longitudes; out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.places import of_places

METRICS = of_places.METRICS
