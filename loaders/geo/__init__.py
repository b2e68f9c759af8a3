"""Geometry: coordinate reference systems, GeoJSON and Esri JSON to latitude, longitude."""
