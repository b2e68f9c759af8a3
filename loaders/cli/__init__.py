"""The command campus-load."""
