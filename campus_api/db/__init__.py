"""MongoDB: connections, live revisions, and every query."""
