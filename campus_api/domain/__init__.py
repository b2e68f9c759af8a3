"""What the API and the loaders share: models, ids, text normalization, the campus clock, GeoJSON."""
