"""Response cache and conditional requests, tweens and renderers."""
