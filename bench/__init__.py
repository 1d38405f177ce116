"""Measurements: `make bench` runs them all, docs/performance.md explains them."""
