"""The loaders: provider exports into MongoDB; the only writer of the database."""
