"""Benchmarks: loads relative to insert_many, and HTTP throughput with and without the response cache."""
