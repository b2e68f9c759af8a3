"""Geometry: GeoJSON and Esri JSON in any coordinate reference system to footprints in latitude, longitude."""
