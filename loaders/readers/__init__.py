"""Provider exports to model objects; nothing is written here."""
