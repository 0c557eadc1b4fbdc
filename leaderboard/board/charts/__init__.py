"""Charts as SVG with their data beside them."""
