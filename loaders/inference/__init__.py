"""Statistics of an unknown export, and a profile proposed from them."""
