"""Measurements: what the loaders cost beside the least that the same work can cost."""
