"""Statistics about the fields of an unknown export, and the profile they suggest."""
