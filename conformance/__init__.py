"""Check any server against the specification of the campus data API."""
