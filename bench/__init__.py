"""Benchmarks of loads, growth and HTTP throughput against other libraries and servers."""
