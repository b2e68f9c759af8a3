"""Model objects to MongoDB documents."""
