"""HTTP that knows nothing of campuses: cache, conditional requests, tweens."""
