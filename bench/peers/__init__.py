"""The same service on other frameworks, for comparison."""
