"""Measurements: what loads and answers cost beside what others would use for the same work."""
