"""The command campus-config."""
