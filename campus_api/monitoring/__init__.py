"""The state of the service and its metrics."""
